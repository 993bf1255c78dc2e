import { sql } from 'kysely'
import { invariant } from './check.ts'

/** Days that were recorded to the end. */
const closed = sql`select slot::date - 1 as business_date from job_run where job = 'day.snapshot' and job_status = 'done'`

/** Rules of what is kept of each day. */
export const snapshotInvariants = [
  invariant(
    'V32',
    'what is kept of the journals of a day is what was posted on it',
    sql`
    select business_date, account_kind, d.balance, l.balance as ledger
    from (select business_date, account_kind, sum(debit - credit) as balance, sum(debit + credit) as moved from ledger_day join (${closed}) c using (business_date) group by 1, 2) d
    full join (
      select j.business_date, split_part(l.account_code, ':', 1) as account_kind, sum(l.amount) as balance, sum(abs(l.amount)) as moved
      from journal_line l join journal j using (journal_no) join (${closed}) c using (business_date) group by 1, 2) l using (business_date, account_kind)
    where d.balance is distinct from l.balance or d.moved is distinct from l.moved`,
  ),
  invariant(
    'V32a',
    'what orders owed at the end of a day is what the ledger had owed of all',
    sql`
    with kept (business_date, account_kind, owed) as (
      select business_date, k.kind, sum(k.owed) from order_day join (${closed}) c using (business_date)
        cross join lateral (values ('principal', principal), ('interest_rcv', interest), ('fee_rcv', fee), ('penalty_rcv', penalty)) k (kind, owed) group by 1, 2),
    moved as (
      select j.business_date, split_part(l.account_code, ':', 1) as account_kind, sum(l.amount) as amount from journal_line l join journal j using (journal_no)
      where split_part(l.account_code, ':', 1) in ('principal', 'interest_rcv', 'fee_rcv', 'penalty_rcv') group by 1, 2)
    select c.business_date, kinds.account_kind, coalesce(k.owed, 0) as owed, coalesce(sum(m.amount), 0) as ledger
    from (${closed}) c cross join (values ('principal'), ('interest_rcv'), ('fee_rcv'), ('penalty_rcv')) kinds (account_kind)
      left join kept k using (business_date, account_kind)
      left join moved m on m.account_kind = kinds.account_kind and m.business_date <= c.business_date
    group by 1, 2, 3 having coalesce(k.owed, 0) <> coalesce(sum(m.amount), 0)`,
  ),
  invariant(
    'V32b',
    'no business date is missing between two that were recorded',
    sql`
    select slot, before from (select slot, lag(slot) over (order by slot) as before from job_run where job = 'day.snapshot') s
    where before is not null and slot::date <> before::date + 1`,
  ),
]
