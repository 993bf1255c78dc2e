import { parseArgs } from 'node:util'
import { newNo } from '../money/numbers.ts'
import { operate, operator, type Print } from '../operator.ts'
import { writeAudit } from '../rights/audit-rows.ts'
import { addPartner } from './grant.ts'

const usage =
  'npm run partner -- --name "Kampala CRM" --client kampala-crm --origin https://crm.example --widget mkopo-audit-my-audit --perm audit:self:page --merchant M1 [--money repay.commit] [--expires 2027-01-01]'

const options = {
  name: { type: 'string' },
  client: { type: 'string' },
  origin: { type: 'string', multiple: true },
  widget: { type: 'string', multiple: true },
  perm: { type: 'string', multiple: true },
  merchant: { type: 'string', multiple: true },
  money: { type: 'string', multiple: true },
  expires: { type: 'string' },
} as const

const read = (args: string[]) => {
  const { name, client, origin, widget, perm, merchant, money, expires } = parseArgs({ args, options }).values
  if (!name || !client) throw new Error(usage)
  const grant = {
    origins: origin ?? [],
    widgets: widget ?? [],
    perms: perm ?? [],
    merchantNos: merchant ?? [],
    moneyCommands: money ?? [],
  }
  return { name, client, expires, grant }
}

/** Enters a partner and prints the key of its back end, once: only its hash is kept. */
export const addPartnerFrom = (args: string[], env: NodeJS.ProcessEnv, print: Print, complain: Print) =>
  operate(env, complain, {
    read: () => read(args),
    act: async (db, { name, client, expires, grant }) => {
      const partnerNo = newNo('PG', db.clock.now())
      const secret = await db.withTx(async tx => {
        const key = await addPartner(tx, {
          partnerNo,
          partnerName: name,
          clientId: client,
          ...grant,
          expireTime: expires,
        })
        writeAudit(tx, { action: 'partner.add', path: '', actor: operator('partner.add', partnerNo) }, [
          { objectType: 'partner', objectNo: partnerNo, after: { name, clientId: client, ...grant } },
        ])
        return key
      })
      print(`${partnerNo} ${client}\n${secret}`)
    },
  })
