import path from 'node:path'
import { parseArgs } from 'node:util'
import { writeAudit } from '../audit-rows.ts'
import { systemClock } from '../db/clock.ts'
import { openDatabase } from '../db/database.ts'
import { DirectoryInUse } from '../db/lock.ts'
import { newNo } from '../numbers.ts'
import { addPartner } from './grant.ts'

type Print = (line: string) => void

const usage =
  'npm run partner -- --name "Kampala CRM" --client kampala-crm --origin https://crm.example --widget mkopo-audit-my-audit --perm audit:self:page --merchant M1 [--expires 2027-01-01]'

const options = {
  name: { type: 'string' },
  client: { type: 'string' },
  origin: { type: 'string', multiple: true },
  widget: { type: 'string', multiple: true },
  perm: { type: 'string', multiple: true },
  merchant: { type: 'string', multiple: true },
  expires: { type: 'string' },
} as const

/**
 * Enters a partner and prints the key of its back end, once: only its hash is kept.
 * Answers 0, 1 when what was asked for cannot be granted, 2 when a running server holds the data.
 */
export const addPartnerFrom = async (
  args: string[],
  env: NodeJS.ProcessEnv,
  print: Print,
  complain: Print,
): Promise<0 | 1 | 2> => {
  const [url, ownerUrl] = [env.DATABASE_URL?.trim(), env.DATABASE_OWNER_URL?.trim()]
  const where = url
    ? { url, ownerUrl: ownerUrl || undefined }
    : { dataDir: path.resolve(env.DATA_DIR?.trim() || '.data') }
  try {
    const {
      name,
      client,
      origin = [],
      widget = [],
      perm = [],
      merchant = [],
      expires,
    } = parseArgs({ args, options }).values
    if (!name || !client) throw new Error(usage)
    const db = await openDatabase({ ...where, clock: systemClock })
    try {
      const partnerNo = newNo('PG', db.clock.now())
      const secret = await db.withTx(async tx => {
        const grant = { origins: origin, widgets: widget, perms: perm, merchantNos: merchant }
        const key = await addPartner(tx, {
          partnerNo,
          partnerName: name,
          clientId: client,
          ...grant,
          expireTime: expires,
        })
        const actor = { no: 'operator', name: 'operator', requestId: `partner.add ${partnerNo}`, ip: null }
        writeAudit(tx, { action: 'partner.add', path: '', actor }, [
          { objectType: 'partner', objectNo: partnerNo, after: { name, clientId: client, ...grant } },
        ])
        return key
      })
      print(`${partnerNo} ${client}\n${secret}`)
      return 0
    } finally {
      await db.close()
    }
  } catch (error) {
    complain(
      error instanceof DirectoryInUse
        ? 'A running server holds this data: stop it first, or name a PostgreSQL database with DATABASE_URL.'
        : error instanceof Error
          ? error.message
          : String(error),
    )
    return error instanceof DirectoryInUse ? 2 : 1
  }
}
