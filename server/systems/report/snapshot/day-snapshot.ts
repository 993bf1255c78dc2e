import { addDays, type EatDate } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { brokenBy, nightlyInvariants } from '../../../invariants/invariants.ts'
import type { Step } from '../../../jobs/scheduler.ts'
import type { Module } from '../../../module.ts'
import { ordersOfDay, writeLedgerDay, writeOrderDay, writeStaffDay } from './parts.ts'

/** How many orders are looked at in one transaction. */
const chunkSize = 2_000

const [orders, staff, check] = ['orders:', 'staff', 'check:']

const orderChunk = async (tx: Tx, date: EatDate, after: string): Promise<Step> => {
  const orderNos = await ordersOfDay(tx, { date, after, limit: chunkSize })
  const counts = { orders: orderNos.length ? await writeOrderDay(tx, date, orderNos) : 0 }
  return { cursor: orderNos.length < chunkSize ? staff : `${orders}${orderNos.at(-1)}`, counts }
}

/** One rule of the ledger a transaction. What breaks it is set aside, so that the run ends as failed and names it. */
const checkChunk = async (tx: Tx, at: number): Promise<Step> => {
  const asked = nightlyInvariants[at]
  if (!asked) return { cursor: null }
  const rows = await brokenBy(tx, asked)
  const parked = rows.map(row => `${asked.name} ${Object.values(row)[0]}`)
  return { cursor: at + 1 < nightlyInvariants.length ? `${check}${at + 1}` : null, counts: { checks: 1 }, parked }
}

/** The next part of a day's record: its journals, orders and people, then the rules of the ledger. What stands is left as it is. */
const part = async (tx: Tx, date: EatDate, cursor: string | null): Promise<Step> => {
  if (cursor === null) return { cursor: orders, counts: { ledger: await writeLedgerDay(tx, date) } }
  if (cursor.startsWith(orders)) return orderChunk(tx, date, cursor.slice(orders.length))
  if (cursor === staff) return { cursor: `${check}0`, counts: { staff: await writeStaffDay(tx, date) } }
  return checkChunk(tx, Number(cursor.slice(check.length)))
}

/** Records a day that is over, in one transaction and without the rules of the ledger. */
export const recordDay = async (tx: Tx, date: EatDate): Promise<void> => {
  await tx.flush()
  for (let cursor: string | null = null; cursor === null || !cursor.startsWith(check); )
    cursor = (await part(tx, date, cursor)).cursor as string
}

/** Each morning keeps what was known of the day before, so that reports can show it as it was. */
export const daySnapshotModule = (): Module => ({
  served: [],
  chunked: [
    {
      job: 'day.snapshot',
      dailyAt: '00:30',
      chunk: (tx, { date, cursor }) => part(tx, addDays(date, -1), cursor),
    },
  ],
})
