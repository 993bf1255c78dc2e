import { sql } from 'kysely'
import type { FactValues } from '../../../../core/rules/risk/facts.ts'
import type { ListMet } from '../../../../core/rules/risk/judge.ts'
import type { Facts } from '../../../../core/rules/score.ts'
import type { Tx } from '../../../db/database.ts'
import { factValues } from '../risk-model/index.ts'

/** An order, as far as facts speak of it. */
export type FactOrder = {
  orderNo: string
  customerNo: string
  productNo: string
  loanKind: string
  term: number
  applyTime: string
  walletAccount: string | null
}
type More = {
  registeredDays: number
  applyCount24h: number
  applyCount7d: number
  daysSinceSettled: number | null
  sharedByCustomers: number
}

const eatOffsetMs = 3 * 3_600_000

/** What rules know of an application: what models know, and what only rules ask for. */
export const ruleFacts = async (
  tx: Tx,
  order: FactOrder,
  known: Facts,
  lists: readonly ListMet[],
): Promise<FactValues> => {
  const { customerNo, orderNo, walletAccount } = order
  const more = await tx.one(sql<More>`
    select floor(extract(epoch from ${tx.now}::timestamptz - c.register_time) / 86400)::int as registered_days,
      (select count(*)::int from loan_order o where o.customer_no = c.customer_no and o.order_no <> ${orderNo} and o.apply_time > ${tx.now}::timestamptz - interval '24 hours') as apply_count24h,
      (select count(*)::int from loan_order o where o.customer_no = c.customer_no and o.order_no <> ${orderNo} and o.apply_time > ${tx.now}::timestamptz - interval '7 days') as apply_count7d,
      (select floor(extract(epoch from ${tx.now}::timestamptz - max(o.settled_time)) / 86400)::int from loan_order o where o.customer_no = c.customer_no) as days_since_settled,
      (select count(distinct o.customer_no)::int from loan_order o where o.wallet_account = ${walletAccount} and o.customer_no <> c.customer_no) as shared_by_customers
    from customer c where c.customer_no = ${customerNo}`)
  return {
    ...(factValues(known, order.loanKind) as FactValues),
    'order.term': order.term,
    'order.hour': new Date(Date.parse(order.applyTime) + eatOffsetMs).getUTCHours(),
    'order.productNo': order.productNo,
    'customer.registeredDays': more.registeredDays,
    'customer.remainingLimit': Math.trunc(Number(known.remainingLimit)),
    'history.overdueNow': known.overdueNow,
    'history.applyCount24h': more.applyCount24h,
    'history.applyCount7d': more.applyCount7d,
    'history.daysSinceSettled': more.daysSinceSettled,
    'wallet.sharedByCustomers': walletAccount === null ? null : more.sharedByCustomers,
    'lists.hits': lists.map(hit => hit.nameListNo),
  }
}
