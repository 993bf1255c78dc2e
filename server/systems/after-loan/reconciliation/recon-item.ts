import { sql } from 'kysely'
import type { reconKinds } from '../../../../core/contract/after-loan/reconciliation.ts'
import type { ValueOf } from '../../../../core/contract/fields.ts'
import type { machines } from '../../../../core/rules/machines/machines.ts'
import { type Money, zeroMoney } from '../../../../core/rules/money.ts'
import type { EatDate } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { newNo } from '../../../money/numbers.ts'
import type { Actor } from '../../../rights/actor.ts'
import { create, createMany, transition } from '../../../states/transition.ts'

export type ReconKind = ValueOf<typeof reconKinds>

/** One difference between what a channel says and what is booked. */
export type ReconItem = {
  reconItemNo: string
  reconKind: ReconKind
  reconStatus: keyof typeof machines.reconItem.states
  fundAccountNo: string | null
  channel: string | null
  reference: string | null
  amount: Money | null
  difference: Money
  objectType: string | null
  objectNo: string | null
  lineNo: string | null
  bookingNo: number | null
  gap: Money
  gapDate: EatDate | null
  version: number
}

export type Difference = {
  kind: ReconKind
  fundAccountNo: string | null
  channel: string
  /** What it is found by: our reference, or the number that the channel gave. */
  reference: string
  amount: Money
  difference: Money
  /** What the statement says beyond the books, from a day on; absent where the books know of it. */
  gap?: { amount: Money; date: EatDate }
  lineNo?: string
  bookingNo?: number
  objectType?: string
  objectNo?: string
  remark?: string
}

const knownBy = ({ kind, reference, lineNo, bookingNo }: Difference) => {
  if (lineNo) return sql`line_no = ${lineNo}`
  if (bookingNo) return sql`booking_no = ${bookingNo}`
  return sql`recon_kind = ${kind} and reference = ${reference} and line_no is null and booking_no is null`
}

const rowOf = (tx: Tx, item: Difference) => {
  const { kind, gap, lineNo, bookingNo, objectType, objectNo, remark, ...same } = item
  return {
    ...same,
    reconItemNo: newNo('RC', tx.now),
    reconKind: kind,
    gap: gap?.amount ?? zeroMoney,
    gapDate: gap?.date ?? null,
    lineNo: lineNo ?? null,
    bookingNo: bookingNo ?? null,
    objectType: objectType ?? null,
    objectNo: objectNo ?? null,
    remark: remark ?? null,
    createdTime: tx.now,
  }
}

/** Opens a difference once: per line, per booking, or per kind and reference. */
export const openDifference = async (tx: Tx, item: Difference, actor: Actor): Promise<void> => {
  if (await tx.maybe(sql`select 1 from recon_item where ${knownBy(item)}`)) return
  await create(tx, 'reconItem', rowOf(tx, item), { event: 'recon.diff' }, actor)
}

/** Opens differences of lines or bookings that have none, together. */
export const openDifferences = async (tx: Tx, items: readonly Difference[], actor: Actor): Promise<void> => {
  const rows = items.map(item => ({ values: rowOf(tx, item) }))
  createMany(tx, 'reconItem', rows, { event: 'recon.diff' }, actor)
  await tx.flush()
}

/** What lines and bookings were open about is explained once they agree: an item that is still open ends, none has a gap any more. */
export const closeExplained = async (
  tx: Tx,
  { lineNos, bookingNos }: { lineNos: readonly string[]; bookingNos: readonly number[] },
  actor: Actor,
): Promise<void> => {
  const items = await tx.rows(sql<ReconItem>`
    select * from recon_item where line_no = any(${lineNos as string[]}) or booking_no = any(${bookingNos as number[]}) order by recon_item_no for update`)
  for (const item of items)
    if (item.reconStatus === 'open')
      await transition(
        tx,
        'reconItem',
        item,
        {
          event: 'recon.explain',
          set: { gap: zeroMoney, closedTime: tx.now, handlerNo: actor.no, handlerName: actor.name },
        },
        actor,
      )
    else await tx.exec(sql`update recon_item set gap = 0 where recon_item_no = ${item.reconItemNo}`)
}

/** A difference of a reference that turned out to be our own mistake ends, if it is still open. */
export const explainDifference = async (
  tx: Tx,
  { reference, remark }: { reference: string; remark: string },
  actor: Actor,
): Promise<void> => {
  const item = await tx.maybe(sql<ReconItem>`
    select * from recon_item where recon_kind = 'balance_differs' and reference = ${reference} and recon_status = 'open' for update`)
  if (!item) return
  const closed = { closedTime: tx.now, handlerNo: actor.no, handlerName: actor.name, reconCause: 'own_error', remark }
  await transition(tx, 'reconItem', item, { event: 'recon.explain', set: closed }, actor)
}
