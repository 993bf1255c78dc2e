import { sql } from 'kysely'
import { addDays } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import type { Module } from '../../../module.ts'

/** Days behind the first due date from which on an outcome is known. */
const knownAfter = 8
const chunkRows = 500

type Due = { orderNo: string }

/**
 * What became of orders that were paid out, once their first bill is eight days due: whether that bill was ever more than a week late, whether
 * any was more than thirty days, whether the loan is settled, and which principal is lost.
 */
export const outcomeTick = async (tx: Tx, { date, cursor }: { date: string; cursor: string | null }) => {
  const due = await tx.rows(sql<Due>`
    select o.order_no from loan_order o
      join repay_plan f on f.order_no = o.order_no and f.installment_no = 1
      left join risk_outcome k on k.order_no = o.order_no
    where f.due_date <= ${addDays(date, -knownAfter)} and o.order_status in ('funds_disbursed', 'settled')
      and not coalesce(k.settled, false) and o.order_no > ${cursor ?? ''}
    order by o.order_no limit ${chunkRows}`)
  const orders = due.map(one => one.orderNo)
  if (orders.length)
    await tx.exec(sql`
      insert into risk_outcome (order_no, bad, ever30, settled, loss_principal, known_time)
      select o.order_no, coalesce(bool_or(b.installment_no = 1 and b.late > 7), false), coalesce(bool_or(b.late > 30), false), o.settled_time is not null,
        case when bool_or(b.late > 30) and o.settled_time is null then greatest(sum(b.principal_due - b.principal_paid - b.principal_waived), 0) else 0 end, ${tx.now}
      from loan_order o join (
        select p.*, coalesce(p.settled_date, ${date}::date) - p.due_date as late from repay_plan p where p.order_no = any(${orders})) b using (order_no)
      where o.order_no = any(${orders}) group by o.order_no
      on conflict (order_no) do update set bad = excluded.bad or risk_outcome.bad, ever30 = excluded.ever30 or risk_outcome.ever30, settled = excluded.settled,
        loss_principal = excluded.loss_principal, known_time = excluded.known_time`)
  return { cursor: orders.length < chunkRows ? null : (orders.at(-1) ?? null), counts: { known: orders.length } }
}

/** Outcomes of orders, by which rules and models are measured. */
export const outcomeModule = (): Module => ({
  served: [],
  chunked: [{ job: 'outcomeTick', dailyAt: '05:00', chunk: outcomeTick }],
})
