import { type RawBuilder, sql } from 'kysely'
import { ConsumptionRow, consumption as calls } from '../../../../core/contract/merchant/consumption.ts'
import { money } from '../../../../core/rules/money.ts'
import { blocks } from '../../../approval/blocks.ts'
import { waitingMaker } from '../../../configs/checked.ts'
import type { Tx } from '../../../db/database.ts'
import { notFound } from '../../../http/fault.ts'
import { fromFor, numbersOf, oneOf, selected } from '../../../lists/list.ts'
import { listed, type Reader } from '../../../lists/listed.ts'
import type { Session } from '../../../session/session.ts'
import { merchantScope, walletOf } from './wallet.ts'

type Frag = RawBuilder<unknown>
/** A record as it is stored. */
export type Stored = {
  consumptionNo: string
  consumptionStatus: string
  merchantNo: string
  unitPrice: string
  quantity: number
  consumptionAmount: string
  reversedQuantity: number
  reversedAmount: string
  version: number
}
const perm = calls.page.perm as string
/** What requests about records are kept under. */
export const objectType = 'consumption_record'

type Known = { row: Stored; waits: boolean }
const read = async (tx: Tx, keys: readonly string[]): Promise<ReadonlyMap<string, Known>> => {
  const rows = await tx.rows(sql<Stored & { waits: boolean }>`
    select r.*, ${waitingMaker(objectType, sql`r.consumption_no`)} is not null as waits from consumption_record r where r.consumption_no = any(${[...keys]})`)
  return new Map(rows.map(({ waits, ...row }) => [row.consumptionNo, { row, waits }]))
}

/** Why a record is not given back. */
export const consumptionBlocks = blocks<Known>({
  read,
  states: ({ row }) => ({ consumptionRecord: row.consumptionStatus }),
  waits: ({ waits }) => waits,
  commands: [{ command: calls.reverse }],
})

const columns: Record<string, Frag> = {
  merchantName: sql`m.merchant_name`,
  orgName: sql`g.org_name`,
  orgNo: sql`m.org_no`,
  meter: sql`t.meter`,
  unit: sql`t.unit`,
  unpriced: sql`(r.price_version_no is null)`,
  unitPrice: sql`trim_scale(r.unit_price)::text`,
  leftQuantity: sql`(r.quantity - r.reversed_quantity)`,
  leftAmount: sql`(r.consumption_amount - r.reversed_amount)`,
  walletBalance: walletOf(sql`r.merchant_no`),
  pendingApproval: waitingMaker(objectType, sql`r.consumption_no`),
}
const joins = {
  m: sql`join merchant m on m.merchant_no = r.merchant_no`,
  g: sql`join org g on g.org_no = m.org_no`,
  t: sql`join consumption_type t on t.type_no = r.type_no`,
}

/** What merchants used, day by day. */
export const records = listed({
  list: calls.page,
  source: ({ session }) => ({
    from: sql`consumption_record r`,
    alias: 'r',
    key: sql`r.consumption_no`,
    where: merchantScope(session, 'r.merchant_no', perm),
    joins,
    columns,
    filters: {
      consumptionNo: (text: string) => oneOf(sql`r.consumption_no`, numbersOf(text)),
      // A date is a day already: there is no time of day to be shifted.
      businessDate: ([from, to]: readonly [string | null, string | null]) =>
        sql`(${from}::date is null or r.business_date >= ${from}::date) and (${to}::date is null or r.business_date <= ${to}::date)`,
    },
  }),
  blocked: consumptionBlocks,
})

/** The events of records within reach. */
export const events = listed({
  list: calls.events,
  source: ({ session }) => ({
    from: sql`consumption_event e`,
    alias: 'e',
    key: sql`e.event_no`,
    where: sql`(e.consumption_no is not null and ${merchantScope(session, 'e.merchant_no', perm)})`,
    columns: { eventNo: sql`e.event_no::text` },
  }),
})

/** One record as the list shows it. */
export const rowOf = async ({ tx, session }: Reader, consumptionNo: string): Promise<ConsumptionRow> => {
  const source = records.source({ tx, session })
  const picked = selected(source, Object.keys(ConsumptionRow.shape))
  const where = sql`r.consumption_no = ${consumptionNo} and ${merchantScope(session, 'r.merchant_no')}`
  const row = await tx.maybe(
    sql<ConsumptionRow>`select ${sql.join(picked)} from ${fromFor(tx, source, [where, ...picked])} where ${where}`,
  )
  if (!row) throw notFound()
  const [blockedBy = {}] = await consumptionBlocks.of({ tx, session }, [consumptionNo])
  return { ...row, blockedBy }
}

/** A record within reach, locked. */
export const lockRecord = async (tx: Tx, session: Session | null, consumptionNo: string): Promise<Stored> => {
  const row = await tx.maybe(sql<Stored>`
    select r.* from consumption_record r where r.consumption_no = ${consumptionNo} and ${session ? merchantScope(session, 'r.merchant_no') : sql`true`} for update`)
  if (!row) throw notFound()
  return row
}

/** What a quantity of a record comes to: all that is left where it is all of it, so that no cent stays behind. */
export const worthOf = async (tx: Tx, row: Stored, quantity: number): Promise<string> => {
  const { amount } = await tx.one(sql<{ amount: string }>`
    select case when ${quantity}::int = ${row.quantity - row.reversedQuantity}::int then ${row.consumptionAmount}::numeric - ${row.reversedAmount}::numeric
      else least(round(${quantity}::int * ${row.unitPrice}::numeric, 2), ${row.consumptionAmount}::numeric - ${row.reversedAmount}::numeric) end::numeric(18,2) as amount`)
  return money(amount)
}
