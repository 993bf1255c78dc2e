import { sql } from 'kysely'
import { keptKinds } from '../../core/rules/ledger/accounts.ts'
import { invariant } from './check.ts'
import { type Machine, machineTables } from './machine-tables.ts'

/** Sum of an account of every order: one row per order. */
const perOrder = (account: string) =>
  sql`select split_part(account_code, ':', 2) as order_no, balance from ledger_balance where account_code like ${`${account}:%`}`

const openBills = (...columns: string[]) => sql`
  select order_no, sum(${sql.raw(columns.map(c => `${c}_due - ${c}_paid - ${c}_waived`).join(' + '))}) as owed
  from repay_plan where bill_status in ('pending', 'partial') group by order_no`

const receivable = (name: string, account: string, ...columns: string[]) =>
  invariant(
    name,
    `${account} of an order is what its open bills owe`,
    sql`
    select coalesce(l.order_no, p.order_no) as order_no, ${account}::text as account, coalesce(l.balance, 0) as ledger, coalesce(p.owed, 0) as bills
    from (${perOrder(account)}) l full join (${openBills(...columns)}) p using (order_no)
    where coalesce(l.balance, 0) <> coalesce(p.owed, 0)`,
  )

const deferred = (name: string, rcv: string, account: string) =>
  invariant(
    name,
    `${rcv} and ${account} of an order cancel out`,
    sql`
    select order_no, coalesce(r.balance, 0) as receivable, coalesce(d.balance, 0) as deferred
    from (${perOrder(rcv)}) r full join (${perOrder(account)}) d using (order_no) where coalesce(r.balance, 0) + coalesce(d.balance, 0) <> 0`,
  )

const causeOf = ({ id, names }: Machine) => sql`(${id}::text, ${names as string[]}::text[])`

/** Rules of the ledger: balance, sums, no change of what was posted. */
export const ledgerInvariants = [
  invariant(
    'V1',
    'every journal adds up to nothing (L1)',
    sql`
    select journal_no, sum(amount) as sum from journal_line group by journal_no having sum(amount) <> 0`,
  ),
  invariant(
    'L2',
    'all accounts add up to nothing',
    sql`select sum(amount) as sum from journal_line having sum(amount) <> 0`,
  ),
  invariant(
    'L2a',
    'a kept balance is the sum of its lines',
    sql`
    select coalesce(b.account_code, l.account_code) as account_code, b.balance, l.sum
    from (select * from ledger_balance where balance <> 0) b
    full join (select account_code, sum(amount) as sum from journal_line where split_part(account_code, ':', 1) = any(${keptKinds}) group by 1 having sum(amount) <> 0) l using (account_code)
    where b.balance is distinct from l.sum`,
  ),
  receivable('V3a', 'principal', 'principal'),
  receivable('V3b', 'interest_rcv', 'interest'),
  receivable('V3c', 'fee_rcv', 'service_fee', 'management_fee'),
  receivable('V3d', 'penalty_rcv', 'late_fee', 'liquidated_damages'),
  deferred('L4a', 'interest_rcv', 'deferred_interest'),
  deferred('L4b', 'fee_rcv', 'deferred_fee'),
  invariant(
    'V4',
    'suspense of a flow is what is left of it (L5)',
    sql`
    select f.flow_no, f.flow_status, f.amount - f.applied - f.refunded as left_over, coalesce(b.balance, 0) as suspense
    from repay_flow f left join ledger_balance b on b.account_code = 'suspense:' || f.flow_no
    where coalesce(-b.balance, 0) <> case when f.flow_status in ('draft', 'supplement_review', 'unproven', 'void') then 0 else f.amount - f.applied - f.refunded end
    union all
    select split_part(account_code, ':', 2), null, null, balance from ledger_balance
    where account_code like 'suspense:%' and balance <> 0 and not exists (select 1 from repay_flow f where 'suspense:' || f.flow_no = account_code)`,
  ),
  invariant(
    'V17',
    'overflow in the ledger is what is held and not reserved for a refund, and never less than nothing (L6)',
    sql`
    select coalesce(o.customer_no, split_part(b.account_code, ':', 2)) as customer_no, o.credited - o.refunded - o.reapplied as held, o.reserved, b.balance
    from overpayment o full join (select * from ledger_balance where account_code like 'overpayment:%') b on b.account_code = 'overpayment:' || o.customer_no
    where coalesce(-b.balance, 0) <> coalesce(o.credited - o.refunded - o.reapplied - o.reserved, 0) or o.reserved > o.credited - o.refunded - o.reapplied or o.reserved < 0`,
  ),
  invariant(
    'V6',
    'money in flight is that of codes remitting or unknown (L7)',
    sql`
    select coalesce(c.loan_code, split_part(b.account_code, ':', 2)) as loan_code, c.actual_loan_amount, b.balance
    from (select loan_code, actual_loan_amount from loan_code where loan_code_status in ('remitting', 'unknown')) c
    full join (select * from ledger_balance where account_code like 'payout_in_flight:%' and balance <> 0) b on b.account_code = 'payout_in_flight:' || c.loan_code
    where c.actual_loan_amount is distinct from b.balance`,
  ),
  invariant(
    'V6a',
    'a payment nobody expected is an open difference of its amount, and the other way round',
    sql`
    select coalesce(b.account_code, 'payout_exception:' || i.reference) as account_code, b.balance, i.difference
    from (select account_code, balance from ledger_balance where account_code like 'payout_exception:%' and balance <> 0) b
    full join (select reference, sum(difference) as difference from recon_item where recon_kind = 'paid_not_expected' and recon_status = 'open' group by 1) i
      on 'payout_exception:' || i.reference = b.account_code
    where b.balance is distinct from i.difference`,
  ),
  invariant(
    'V22',
    'no account of ours owes the channel, but for what the channel took without being asked',
    sql`
    select b.account_code, b.balance from ledger_balance b
    where b.account_code like 'bank:%' and b.balance < 0 and b.balance < (
      select coalesce(sum(l.amount), 0) from journal_line l join journal j using (journal_no)
      where l.account_code = b.account_code and l.amount < 0 and j.posting_code not in ('P1a', 'P7b', 'P11a', 'P14a', 'P-REV'))`,
  ),
  invariant(
    'V26',
    'what is paid out is whole shillings',
    sql`
    select loan_code as number, actual_loan_amount as amount from loan_code where actual_loan_amount <> trunc(actual_loan_amount)
    union all select external_id, amount from gateway_attempt where amount <> trunc(amount)`,
  ),
  invariant(
    'V27',
    'a reversal takes one journal back exactly, on its value date, and nothing twice (L10)',
    sql`
    select r.journal_no, r.reverses_journal_no, l.account_code, sum(l.amount) as left_over
    from journal r join journal_line l on l.journal_no in (r.journal_no, r.reverses_journal_no)
    where r.reverses_journal_no is not null group by 1, 2, 3, l.component, l.order_no, l.bill_no, l.loan_code, l.flow_no, l.repayment_no, l.customer_no, l.merchant_no having sum(l.amount) <> 0
    union all
    select r.journal_no, r.reverses_journal_no, r.value_date::text, 0 from journal r join journal j on j.journal_no = r.reverses_journal_no
    where r.value_date <> j.value_date or r.reversed_posting_code <> j.posting_code or j.posting_code = 'P-REV'
    union all
    select max(journal_no), reverses_journal_no, 'reversed twice', count(*) from journal where reverses_journal_no is not null group by 2 having count(*) > 1
    union all
    select journal_no, reverses_journal_no, posting_code, 0 from journal where (posting_code = 'P-REV') <> (reverses_journal_no is not null)`,
  ),
  invariant(
    'L11',
    'every journal has a cause that happened',
    sql`
    with caused as (
      select j.journal_no, j.posting_code, j.cause, split_part(j.cause, ':', 1) as kind, substr(j.cause, strpos(j.cause, ':') + 1) as object_no from journal j),
    machines (id, names) as (values ${sql.join(machineTables.map(causeOf))})
    select c.journal_no, c.posting_code, c.cause from caused c left join machines m on c.kind = any(m.names)
    where c.kind <> 'fund_account' and not exists (select 1 from state_transition t where t.machine = m.id and t.object_no = c.object_no)
      and not (c.kind = 'wallet_reward' and exists (select 1 from wallet_reward r where r.reward_no = c.object_no))`,
  ),
  invariant(
    'V2',
    'a journal is written with an event of the same request',
    sql`
    select j.journal_no, j.posting_code, j.cause, j.request_id from journal j
    where split_part(j.cause, ':', 1) not in ('fund_account', 'wallet_reward') and j.posting_code <> 'P16'
      and not exists (select 1 from state_transition t where t.request_id = j.request_id)`,
  ),
]
