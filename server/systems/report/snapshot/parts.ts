import { type RawBuilder, sql } from 'kysely'
import { machines } from '../../../../core/rules/machines/machines.ts'
import { addDays, type EatDate, startOfEatDay } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'

type Frag = RawBuilder<unknown>

const endOf = (date: EatDate): Frag => sql`${startOfEatDay(addDays(date, 1))}::timestamptz`
const during = (at: Frag, date: EatDate): Frag =>
  sql`${at} >= ${startOfEatDay(date)}::timestamptz and ${at} < ${endOf(date)}`

/** The account that an order was last sent from by a moment, or that one of its codes was, as `paid`. */
const paidFrom = (orderNo: Frag, by: Frag, loanCode: Frag = sql`null`): Frag => sql`
  left join lateral (
    select coalesce(a.fund_account_no, lc.fund_account_no) as fund_account_no from loan_code lc
      left join gateway_attempt a on a.parent_kind = 'loanCode' and a.parent_no = lc.loan_code and a.created_time <= ${by}
    where lc.order_no = ${orderNo} and lc.loan_code = coalesce(${loanCode}, lc.loan_code) and lc.request_time <= ${by}
    order by lc.request_time desc, a.attempt_no desc limit 1) paid on true
  left join fund_account payer on payer.fund_account_no = paid.fund_account_no`

const keyed = (code: Frag): Frag => sql`nullif(split_part(${code}, ':', 2), '')`
const kind = sql`split_part(l.account_code, ':', 1)`

/** Sums of the journals of a business date, by all that reports ask for. Written whole, or not at all. */
export const writeLedgerDay = (tx: Tx, date: EatDate): Promise<number> =>
  tx.exec(sql`
    insert into ledger_day (business_date, value_date, posting_code, reversal, account_kind, component, merchant_no, product_no, loan_kind, lender_name, fund_account_no, channel, debit, credit, journals)
    select business_date, value_date, posting_code, reversal, account_kind, component, merchant_no, product_no, loan_kind, lender_name, fund_account_no, channel,
      sum(greatest(amount, 0)), sum(greatest(-amount, 0)), count(distinct journal_no)
    from (
      select j.journal_no, j.business_date, j.value_date, coalesce(j.reversed_posting_code, j.posting_code) as posting_code, j.reverses_journal_no is not null as reversal,
        ${kind} as account_kind, l.component, l.amount, coalesce(l.merchant_no, case when ${kind} = 'merchant' then ${keyed(sql`l.account_code`)} end) as merchant_no,
        o.product_no, o.loan_kind,
        case ${kind} when 'bank' then own.lender_name when 'owner_funds' then ${keyed(sql`l.account_code`)} else coalesce(payer.lender_name, own.lender_name) end as lender_name,
        case when not earned then coalesce(own.fund_account_no, payer.fund_account_no) end as fund_account_no,
        case when ${kind} = 'channel_cost' then ${keyed(sql`l.account_code`)} when not earned then coalesce(own.channel, f.channel, payer.channel) end as channel
      from journal j join journal_line l using (journal_no)
        cross join lateral (select ${kind} like '%\_income' as earned) income
        left join loan_order o on o.order_no = coalesce(l.order_no, j.order_no)
        left join repay_flow f on f.flow_no = l.flow_no
        left join lateral (
          select ${keyed(sql`b.account_code`)} as fund_account_no from journal_line b where b.journal_no = j.journal_no and b.account_code like 'bank:%'
          order by b.line_no = l.line_no desc, b.line_no limit 1) banked on true
        left join fund_account own on own.fund_account_no = coalesce(banked.fund_account_no, f.fund_account_no)
        ${paidFrom(sql`o.order_no`, sql`j.posted_time`, sql`l.loan_code`)}
      where j.business_date = ${date} and not exists (select 1 from ledger_day d where d.business_date = ${date})) lines
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12`)

const onLoan = 'funds_disbursed'

/** The state that an object had when a day ended. */
const stateAt = (machine: { id: string }, objectNo: Frag, by: Frag): Frag => sql`(
  select t.to_state from state_transition t where t.machine = ${machine.id} and t.object_no = ${objectNo} and t.at < ${by} order by t.transition_no desc limit 1)`

/** Orders behind the cursor that may have been on loan on a day: those on loan now, and those that stopped being so since. */
export const ordersOfDay = async (
  tx: Tx,
  o: { date: EatDate; after: string; limit: number },
): Promise<readonly string[]> => {
  const rows = await tx.rows(sql<{ orderNo: string }>`
    select order_no from loan_order where order_status = ${onLoan} and order_no > ${o.after}
    union
    select object_no from state_transition
    where machine = ${machines.order.id} and from_state = ${onLoan} and to_state <> ${onLoan} and at >= ${startOfEatDay(o.date)}::timestamptz and object_no > ${o.after}
    order by 1 limit ${o.limit}`)
  return rows.map(row => row.orderNo)
}

/** What each of the orders owed when a day ended, and for how long it had been owed; from events and journals, whenever it is asked. */
export const writeOrderDay = (tx: Tx, date: EatDate, orderNos: readonly string[]): Promise<number> => {
  const end = endOf(date)
  return tx.exec(sql`
    insert into order_day (business_date, order_no, merchant_no, product_no, loan_kind, lender_name, track, app_name, incoming_channel, customer_no, order_status,
      overdue_days, original_overdue_days, extended, principal, interest, fee, penalty)
    select ${date}::date, o.order_no, o.merchant_no, o.product_no, o.loan_kind, payer.lender_name, o.terms ->> 'track', m.app_name, o.incoming_channel, o.customer_no, o.state,
      greatest(${date}::date - bills.due, 0), greatest(${date}::date - bills.first_due, 0), bills.extended, owed.principal, owed.interest, owed.fee, owed.penalty
    from (
      select o.*, ${stateAt(machines.order, sql`o.order_no`, end)} as state, exists (
        select 1 from state_transition t where t.machine = ${machines.order.id} and t.object_no = o.order_no and t.from_state = ${onLoan} and t.to_state <> ${onLoan}
          and ${during(sql`t.at`, date)}) as gone
      from loan_order o where o.order_no = any(${orderNos as string[]})) o
      join merchant m using (merchant_no)
      cross join lateral (
        select coalesce(min(b.due_date), ${date}::date) as due, coalesce(min(b.first_due), ${date}::date) as first_due, coalesce(bool_or(b.extension_count > 0), false) as extended
        from (
          select p.*, (select min(q.due_date) from repay_plan q where q.order_no = p.order_no and q.installment_no = p.installment_no) as first_due
          from repay_plan p where p.order_no = o.order_no and ${stateAt(machines.plan, sql`p.bill_no`, end)} in ('pending', 'partial')) b) bills
      cross join lateral (
        select coalesce(sum(l.amount) filter (where l.account_code like 'principal:%'), 0) as principal, coalesce(sum(l.amount) filter (where l.account_code like 'interest\_rcv:%'), 0) as interest,
          coalesce(sum(l.amount) filter (where l.account_code like 'fee\_rcv:%'), 0) as fee, coalesce(sum(l.amount) filter (where l.account_code like 'penalty\_rcv:%'), 0) as penalty
        from journal_line l join journal j using (journal_no)
        where l.account_code = any(array['principal:' || o.order_no, 'interest_rcv:' || o.order_no, 'fee_rcv:' || o.order_no, 'penalty_rcv:' || o.order_no]) and j.business_date <= ${date}) owed
      ${paidFrom(sql`o.order_no`, end)}
    where o.state = ${onLoan} or o.gone
    on conflict do nothing`)
}

/** What each person did on a day, by the figures of the reports, with the place that he or she has. */
export const writeStaffDay = (tx: Tx, date: EatDate): Promise<number> => {
  const events = (machine: { id: string }, ...names: string[]): Frag =>
    sql`t.machine = ${machine.id} and t.event in (${sql.join(names)}) and ${during(sql`t.at`, date)}`
  const audited = during(sql`r.submit_time`, date)
  return tx.exec(sql`
    insert into staff_day (business_date, user_no, staff_type, metric_key, value, group_no, dept_no, principal_merchant_no)
    select ${date}::date, u.user_no, d.staff_type, d.metric_key, d.value, a.group_no, u.dept_no, u.principal_merchant_no
    from (
      select k.auditor_no as user_no, 'auditor' as staff_type, case t.event when 'task.assign' then 'A03' when 'task.submit' then 'A04' else 'A05' end as metric_key, count(*) as value
      from state_transition t join audit_task k on k.audit_task_no = t.object_no
      where ${events(machines.auditTask, 'task.assign', 'task.submit', 'task.release')} group by 1, 2, 3
      union all
      select r.auditor_no, 'auditor', 'A06.' || case when r.audit_result <> 'pass' then r.audit_result when r.audit_step >= (o.terms ->> 'auditStepCount')::int then 'pass' else 'next' end, count(*)
      from audit_record r join loan_order o using (order_no) where ${audited} group by 1, 2, 3
      union all
      select r.auditor_no, 'auditor', 'A10.seconds', sum(r.seconds) from audit_record r where ${audited} group by 1
      union all
      select t.actor, 'customerService', case t.event when 'coupon.apply' then 'S63.applied' else 'S63.approved' end, count(*)
      from state_transition t where ${events(machines.couponApplication, 'coupon.apply', 'coupon.audit')} and t.to_state in ('pending', 'approved') group by 1, 2, 3) d
      join app_user u using (user_no) left join audit_person a using (user_no)
    on conflict do nothing`)
}
