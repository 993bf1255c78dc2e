import { sql } from 'kysely'
import { contract } from '../../../core/contract/contract.ts'
import type { ListDimension } from '../../../core/rules/text/name-list.ts'
import { addDays, startOfEatDay } from '../../../core/rules/time.ts'
import { approvalModule } from '../../approval/approval.ts'
import type { Database, Tx } from '../../db/database.ts'
import { system } from '../../rights/actor.ts'
import { writeAudit } from '../../rights/audit-rows.ts'
import { rightsOfPerson } from '../../session/session.ts'
import { handList } from '../../systems/merchant/blacklist/add.ts'
import { blacklistModule } from '../../systems/merchant/blacklist/blacklist.ts'
import { type ListValues, listValues, lookAt, noteNamed, putOn } from '../../systems/risk/name-list/index.ts'
import { at, handFor } from '../hand.ts'
import { randomFrom } from '../random.ts'
import { userNoOf } from '../staff.ts'

const reasons = ['fraud', 'identity_misuse', 'court', 'customer_request', 'other'] as const
const remarks = ['Forged payslip', 'Used the ID of a neighbour', 'Police case open', 'Asked us himself', null] as const
const hour = 3_600_000

/** Entries of all dimensions at two merchants and at all of them, made over the last two months. */
const writeEntries = async (tx: Tx, values: ListValues, merchants: readonly string[]): Promise<string[]> => {
  const random = randomFrom(53)
  const digits = (n: number) => Array.from({ length: n }, () => random.int(0, 9)).join('')
  const drawn: readonly (readonly [ListDimension, () => string])[] = [
    ['phone', () => `25678${digits(7)}`],
    ['idNumber', () => `CF${digits(8)}K${digits(3)}`],
    ['walletAccount', () => `25675${digits(7)}`],
    ['bankCardNo', () => `90300${digits(8)}`],
    ['deviceId', () => `DEV-${digits(10)}`],
  ]
  const items: string[] = []
  for (let n = 0; n < 150; n++) {
    const [dimension, draw] = drawn[n % drawn.length] as (typeof drawn)[number]
    const merchantNo = n % 3 === 2 ? null : (merchants[n % 2] ?? null)
    const then = at(tx, new Date(tx.now.getTime() - (n * 9 + 2) * hour))
    const actor = { ...system('demo'), no: userNoOf('admin'), name: 'Administrator' }
    const list = await handList(then, dimension, merchantNo, actor)
    const found = await lookAt(then, values, list, draw())
    if (found.outcome !== 'added') continue
    const expireTime = n % 13 === 0 ? startOfEatDay(addDays(tx.today, 1 + (n % 25))) : null
    const said = { reasonCode: reasons[n % reasons.length] as string, remark: remarks[n % remarks.length] ?? null }
    const listSource = n % 6 ? ('manual' as const) : ('import' as const)
    const entry = { ...said, expireTime, listSource }
    const itemNo = await putOn(then, values, list, found, entry, actor)
    writeAudit(then, { action: 'blacklist.add', path: contract.blacklist.add.path, actor }, [
      { objectType: 'nameListItem', objectNo: itemNo, after: { reasonCode: said.reasonCode } },
    ])
    items.push(itemNo)
    await tx.flush()
  }
  return items
}

/** A loan that was approved before its customer came onto the list waits for somebody to look. */
const holdOne = async (tx: Tx, values: ListValues): Promise<void> => {
  type Waiting = Parameters<typeof noteNamed>[2] & { phone: string; loanCode: string }
  const order = await tx.maybe(sql<Waiting>`
    select o.order_no, o.customer_no, o.merchant_no, o.wallet_account, o.bank_card_no, o.device, c.phone, lc.loan_code
    from loan_code lc join loan_order o using (order_no) join order_customer c using (customer_no, merchant_no)
    where lc.loan_code_status = 'created' and o.order_status = 'pending_disbursement' and lc.wait_reason is distinct from 'blocked' order by lc.request_time desc limit 1`)
  if (!order) return
  const actor = system('demo')
  await noteNamed(tx, values, order)
  const list = await handList(tx, 'phone', order.merchantNo, actor)
  const found = await lookAt(tx, values, list, order.phone)
  if (found.outcome === 'added')
    await putOn(
      tx,
      values,
      list,
      found,
      { reasonCode: 'fraud', remark: 'Seen in two shops', listSource: 'manual' },
      actor,
    )
  await tx.exec(sql`update loan_code set wait_reason = 'blacklist_check' where loan_code = ${order.loanCode}`)
}

const write = async (tx: Tx, secretKey: Buffer): Promise<void> => {
  const values = listValues(secretKey)
  const merchants = await tx.rows(
    sql<{ no: string }>`select merchant_no as no from merchant order by merchant_no limit 2`,
  )
  const items = await writeEntries(
    tx,
    values,
    merchants.map(({ no }) => no),
  )
  await holdOne(tx, values)
  await tx.flush()
  const module_ = blacklistModule({ secretKey })
  const hand = handFor([module_, approvalModule(module_.approvals ?? [])])
  const boss = await rightsOfPerson(tx, userNoOf('admin'), 'en')
  if (boss)
    await hand.call(tx, boss, contract.blacklist.remove, {
      itemNos: items.slice(4, 7),
      reason: 'The report was about another person',
    })
}

/** Writes them where there are none yet: they are sealed with the key of the installation, which the filling does not know. */
export const keepBlacklist = (db: Database, secretKey: Buffer): Promise<void> =>
  db.withTx(async tx => {
    if (!(await tx.maybe(sql`select 1 from name_list where by_hand limit 1`))) await write(tx, secretKey)
  })
