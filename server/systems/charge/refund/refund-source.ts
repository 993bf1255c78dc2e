import { type RawBuilder, sql } from 'kysely'
import { refund as calls } from '../../../../core/contract/charge/refund.ts'
import type { CandidateRow, RefundDetail, SourceRow } from '../../../../core/contract/charge/refund-rows.ts'
import type { Tx } from '../../../db/database.ts'
import { nameFilter, numbersOf, oneOf } from '../../../lists/list.ts'
import { listed } from '../../../lists/listed.ts'
import type { Session } from '../../../session/session.ts'
import { minutesSince, noteSearch } from '../../order/order/index.ts'
import { refundBlocks } from './refund-blocks.ts'
import { overflowScope, refundScope } from './refund-store.ts'

type Frag = RawBuilder<unknown>
const recentDays = 90

const joins = {
  c: sql`join customer c on c.customer_no = r.customer_no`,
  m: sql`join merchant m on m.merchant_no = r.merchant_no`,
  v: sql`join overpayment v on v.overpayment_no = r.overpayment_no`,
}

/** What may go back of an overflow `v`. */
const refundable = sql`(v.credited - v.refunded - v.reapplied - v.reserved)`

const sentTime = sql`(
  select ga.sent_time from gateway_attempt ga where ga.parent_kind = 'refund' and ga.parent_no = r.refund_no and ga.attempt_no = r.attempt_no)`

/** Something of the newest confirmation: the open one, else the last. */
const confirmStatus = sql`(
  select cf.confirm_status from loan_code_confirm cf where cf.parent_kind = 'refund' and cf.parent_no = r.refund_no
  order by cf.confirm_status in ('unconfirmed', 'first_confirmed') desc, cf.second_time desc nulls last limit 1)`

const recent = (tx: Tx, what: Frag): Frag => sql`(
  select ${what} from client_refund e where e.customer_no = r.customer_no and e.refund_status = 'success'
    and e.success_time >= ${new Date(tx.now.getTime() - recentDays * 86_400_000)})`

const columns = (tx: Tx): Record<string, Frag> => ({
  customerName: sql`c.customer_name`,
  phone: sql`c.phone`,
  merchantName: sql`m.merchant_name`,
  merchantNo: sql`r.merchant_no`,
  refundableAmount: refundable,
  runningMinutes: sql`case when r.refund_status = 'in_progress' then ${minutesSince(tx, sql`coalesce(${sentTime}, ${tx.now}::timestamptz)`)} end`,
  matchScore: sql`trim_scale(r.match_score)::text`,
  confirmStatus,
  waitingMinutes: sql`case when r.audit_status = 'pending' and r.refund_status = 'created' then ${minutesSince(tx, sql`r.submit_time`)} end`,
  recentCount: recent(tx, sql`count(*)::int`),
  recentAmount: recent(tx, sql`coalesce(sum(e.refund_amount), 0)::numeric(18,2)`),
})

const filters = (session: Session) => ({
  refundNo: (text: string) => oneOf(sql`r.refund_no`, numbersOf(text)),
  orderNo: (text: string) => oneOf(sql`r.order_no`, numbersOf(text)),
  serialNo: (text: string) => oneOf(sql`r.serial_no`, numbersOf(text)),
  customerName: nameFilter(session),
  phone: (value: string) => sql`c.phone = ${value}`,
  makerName: (text: string) => sql`r.maker_name ilike ${`%${text.replace(/[\\%_]/g, '\\$&')}%`}`,
  mine: (mine: boolean) => sql`(r.maker_no = ${session.userNo}) = ${mine}`,
})

const refundList = <E extends typeof calls.page | typeof calls.auditPage>(list: E) =>
  listed({
    list: list as typeof calls.page,
    source: ({ tx, session }) => ({
      from: sql`client_refund r`,
      joins,
      where: refundScope(session, list.perm),
      columns: columns(tx),
      alias: 'r',
      key: sql`r.refund_no`,
      filters: filters(session),
    }),
    check: noteSearch,
    blocked: (at, rows) =>
      refundBlocks.of(
        at,
        rows.map(row => row.refundNo),
      ),
  })

/** Refunds for who asks for them and pays them. */
export const refunds = refundList(calls.page)
/** The same for their checkers. */
export const reviews = refundList(calls.auditPage)

/** The newest order of the customer of an overflow `v` that was paid out. */
export const lastOrder = sql`(
  select o.order_no from loan_order o where o.customer_no = v.customer_no and o.payout_time is not null order by o.payout_time desc, o.order_no desc limit 1)`
/** Whether the customer still owes on an order, which the overflow can pay. */
export const openOrder = sql`exists (
  select 1 from loan_order o where o.customer_no = v.customer_no and o.order_status = 'funds_disbursed')`

const oldest = sql`(
  select min(t.at) from state_transition t where t.machine = 'M38' and t.object_no = v.overpayment_no and t.event = 'overflow.credit')`

/** Customers with money that may go back to them. */
export const candidates = listed({
  list: calls.candidates,
  source: ({ tx, session }) => ({
    from: sql`overpayment v`,
    joins: {
      c: sql`join customer c on c.customer_no = v.customer_no`,
      m: sql`join merchant m on m.merchant_no = v.merchant_no`,
    },
    where: overflowScope(session, calls.candidates.perm),
    alias: 'v',
    key: sql`v.overpayment_no`,
    columns: {
      customerName: sql`c.customer_name`,
      phone: sql`c.phone`,
      merchantName: sql`m.merchant_name`,
      orderNo: lastOrder,
      refundableAmount: refundable,
      ageDays: sql`greatest(${tx.today}::date - (${oldest} at time zone 'Africa/Kampala')::date, 0)`,
      hasOpenOrder: openOrder,
    } satisfies Partial<Record<keyof CandidateRow, Frag>>,
    filters: {
      customerNo: text => oneOf(sql`v.customer_no`, numbersOf(text)),
      phone: value => sql`c.phone = ${value}`,
      orderNo: text =>
        sql`v.customer_no in (select o.customer_no from loan_order o where ${oneOf(sql`o.order_no`, numbersOf(text))})`,
    },
  }),
  check: noteSearch,
})

/** The receipts that made the overflow of a customer, the newest first: what records left over, and what came from no order. */
export const sourcesOf = (tx: Tx, customerNo: string): Promise<SourceRow[]> =>
  tx.rows(sql<SourceRow>`
    select f.flow_no, f.serial_no, f.channel, s.order_no, f.amount, s.overflow as overflow_amount, f.payer_name, f.payer_account, f.entry_time
    from (
      select rf.flow_no, r.order_no, least(sum(rf.write_off_amount), max(r.overflow_amount))::numeric(18,2) as overflow
      from repay_record r join repay_record_flow rf using (repayment_no) join loan_order o using (order_no)
      where o.customer_no = ${customerNo} and r.record_status = 'posted' and r.overflow_amount > 0 group by rf.flow_no, r.order_no, r.repayment_no
      union all
      select f.flow_no, null, f.refunded from repay_flow f where f.customer_no = ${customerNo} and f.refunded > 0) s
    join repay_flow f using (flow_no) order by f.entry_time desc, f.flow_no limit 50`)

type Earlier = RefundDetail['earlier']

/** Refunds `r` in short, the newest first. */
export const earlierRefunds = (tx: Tx, where: Frag): Promise<Earlier> =>
  tx.rows(sql<Earlier[number]>`
    select r.refund_no, c.customer_name, r.refund_amount, r.refund_status, r.payee_name, r.apply_time, r.success_time
    from client_refund r join customer c using (customer_no) where ${where} order by r.apply_time desc, r.refund_no limit 20`)

/** The last ten movements of a customer's money. */
export const movementsOf = (tx: Tx, customerNo: string): Promise<RefundDetail['movements']> =>
  tx.rows(sql<RefundDetail['movements'][number]>`
    select * from (
      select f.entry_time as at, 'received' as kind, f.flow_no as no, f.amount from repay_flow f where f.customer_no = ${customerNo} and f.flow_status <> 'void'
      union all
      select r.repayment_time, 'overflow', r.repayment_no, r.overflow_amount from repay_record r join loan_order o using (order_no)
        where o.customer_no = ${customerNo} and r.record_status = 'posted' and r.overflow_amount > 0
      union all
      select r.success_time, 'refund', r.refund_no, r.refund_amount from client_refund r where r.customer_no = ${customerNo} and r.refund_status = 'success') x
    order by at desc, no limit 10`)
