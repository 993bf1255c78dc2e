import { sql } from 'kysely'
import { type DueShift, dueDay } from '../../../../core/rules/loan/due-day.ts'
import type { EatDate } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { closedDays } from '../../common/index.ts'

/** What makes the due dates of an order: whether they move, and the days ahead on which offices are closed. */
export type DueRule = { shift: DueShift; closed: readonly EatDate[] }

/** The rule as it is now: the version in force of the most specific row, and the holidays. A payout keeps the one it was sent under. */
export const dueRule = async (tx: Tx, of: { merchantNo: string; productNo: string }): Promise<DueRule> => {
  const row = await tx.maybe(sql<{ dueShift: DueShift }>`
    select v.content ->> 'dueShift' as due_shift
    from maturity_config x join maturity_config_version v on v.maturity_no = x.maturity_no and v.version_status = 'effective'
    where x.enabled = 'enabled' and x.deleted_time is null and (x.merchant_no is null or x.merchant_no = ${of.merchantNo})
      and (x.product_no is null or x.product_no = ${of.productNo})
    order by x.product_no is null, x.merchant_no is null limit 1`)
  const shift = row?.dueShift ?? 'none'
  if (shift === 'none') return { shift, closed: [] }
  return { shift, closed: [...(await closedDays(tx))].filter(day => day >= tx.today).sort() }
}

/** The day on which a bill falls due, of the day by the terms. */
export const byRule = ({ shift, closed }: DueRule): ((byTerms: EatDate) => EatDate) => {
  const days = new Set(closed)
  return day => dueDay(day, shift, days)
}
