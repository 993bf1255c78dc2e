import { sql } from 'kysely'
import type { Tick } from '../../../../core/rules/loan/penalty.ts'
import type { Accrual } from '../../../../core/rules/loan/trial.ts'
import { neg } from '../../../../core/rules/money.ts'
import type { EatDate } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { account, post, reverse } from '../../../money/ledger.ts'
import type { Actor } from '../../../rights/actor.ts'

/** A penalty as it was booked; of several for one bill and date only the last generation may stand. */
export type StoredTick = Tick & { billNo: string; generation: number; journalNo: number | null; reversed: boolean }

type Charged = { orderNo: string; merchantNo: string; customerNo: string }

/** Every penalty of some bills dated after a day, reversed ones included. */
export const ticksAfter = (tx: Tx, billNos: readonly string[], date: EatDate): Promise<StoredTick[]> =>
  tx.rows(sql<StoredTick>`
    select bill_no, business_date, generation, late_fee, liquidated_damages, journal_no, reversed from penalty_tick
    where bill_no = any(${billNos as string[]}) and business_date > ${date} order by bill_no, business_date, generation`)

/** The penalties that stand, by bill. */
export const standingTicks = (ticks: readonly StoredTick[]): Record<string, Tick[]> => {
  const byBill: Record<string, Tick[]> = {}
  for (const { billNo, businessDate, lateFee, liquidatedDamages, reversed } of ticks) {
    if (reversed) continue
    byBill[billNo] ??= []
    byBill[billNo].push({ businessDate, lateFee, liquidatedDamages })
  }
  return byBill
}

/** Books the penalty of a bill for a business date (P2b). The bill itself is for the caller to change. */
export const bookTick = async (
  tx: Tx,
  of: Charged & { billNo: string; generation: number },
  tick: Tick,
  actor: Actor,
) => {
  const { orderNo, merchantNo, customerNo, billNo, generation } = of
  const { businessDate, lateFee, liquidatedDamages } = tick
  const lines = (['lateFee', 'liquidatedDamages'] as const).flatMap(component => [
    { account: account.penalty(orderNo), amount: tick[component], component },
    { account: account.penaltyIncome, amount: neg(tick[component]), component },
  ])
  const keys = { orderNo, merchantNo, customerNo, billNo }
  const journalNo = await post(
    tx,
    { code: 'P2b', cause: `repay_plan:${billNo}`, valueDate: businessDate, keys, lines },
    actor,
  )
  tx.append('penaltyTick', { billNo, businessDate, generation, lateFee, liquidatedDamages, journalNo, reversed: false })
}

/** Reverses penalties and charges them again, because the money that stops them counts from an earlier day. */
export const rebook = async (
  tx: Tx,
  of: Charged,
  stored: readonly StoredTick[],
  accruals: readonly Accrual[],
  actor: Actor,
) => {
  for (const { billNo, reversed, ticks } of accruals) {
    const own = stored.filter(tick => tick.billNo === billNo)
    const gone = own.filter(tick => !tick.reversed && reversed.some(each => each.businessDate === tick.businessDate))
    for (const tick of gone)
      if (tick.journalNo !== null) await reverse(tx, tick.journalNo, `repay_plan:${billNo}`, actor)
    if (gone.length > 0)
      await tx.exec(sql`
        update penalty_tick set reversed = true
        where bill_no = ${billNo} and not reversed and business_date = any(${gone.map(tick => tick.businessDate)}::date[])`)
    for (const tick of ticks) {
      const earlier = own.filter(each => each.businessDate === tick.businessDate).map(each => each.generation)
      await bookTick(tx, { ...of, billNo, generation: Math.max(-1, ...earlier) + 1 }, tick, actor)
    }
  }
}
