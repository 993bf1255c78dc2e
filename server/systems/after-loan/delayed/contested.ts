import { type RawBuilder, sql } from 'kysely'
import type { Money } from '../../../../core/rules/money.ts'
import type { Tx } from '../../../db/database.ts'

const penalty = sql`coalesce(sum(t.late_fee + t.liquidated_damages), 0)::numeric(18,2)`

/** Penalties go on while a request `d` waits: what counts after the day it claims is contested until somebody decides. */
const contests = sql`d.delay_status = 'pending' and t.business_date > d.claimed_date and not t.reversed`

/** What a request `d` contests. */
export const contestedBy: RawBuilder<unknown> = sql`(
  select ${penalty} from penalty_tick t join repay_plan b using (bill_no) where b.order_no = d.order_no and ${contests})`

/** What requests contest of the bills of an order, by bill. */
export const contestedOf = async (tx: Tx, orderNo: string): Promise<ReadonlyMap<string, Money>> => {
  const found = await tx.rows(sql<{ billNo: string; amount: Money }>`
    select t.bill_no, ${penalty} as amount from penalty_tick t join repay_plan b using (bill_no)
    where b.order_no = ${orderNo} and exists (select 1 from delayed_arrival d where d.order_no = b.order_no and ${contests}) group by 1`)
  return new Map(found.map(({ billNo, amount }) => [billNo, amount]))
}
