import { sql } from 'kysely'
import { invariant } from './check.ts'

const signed = sql`case direction when 'in' then amount else -amount end`

/** Days of each account that were compared with a statement. */
const compared = sql`
  select fund_account_no, min(recon_date) as first, max(recon_date) as last from recon_run where recon_result <> 'no_statement' group by 1`

/** Rules of reconciliation: lines, differences and their adjustments. */
export const reconInvariants = [
  invariant(
    'V22a',
    'a balance that somebody read is that of the books, or a difference of exactly what is missing',
    sql`
    select e.balance_entry_no as number, e.fund_account_no, e.difference from balance_entry e
    where e.balance_source = 'typed' and e.difference <> 0
      and not exists (select 1 from recon_item i where i.recon_kind = 'balance_differs' and i.reference = e.balance_entry_no and i.difference = e.difference)`,
  ),
  invariant(
    'V5a',
    'what statements say was paid is booked, or a difference',
    sql`
    select l.line_no as number, l.line_status as status, l.amount from statement_line l join (${compared}) c using (fund_account_no)
    where l.line_status in ('new', 'suggested') and l.statement_date between c.first and c.last and not exists (select 1 from recon_item i where i.line_no = l.line_no)`,
  ),
  invariant(
    'V5b',
    'what is booked on an account stands on its statements, cancels out, or is a difference by the second day',
    sql`
    select l.line_no as number, l.account_code, l.amount, j.business_date from journal_line l join journal j using (journal_no)
      join (${compared}) c on l.account_code = 'bank:' || c.fund_account_no
    where j.business_date >= c.first and j.business_date < c.last
      and not exists (select 1 from matched_booking m where m.booking_no = l.line_no) and not exists (select 1 from recon_item i where i.booking_no = l.line_no)`,
  ),
  invariant(
    'V5c',
    'lines and bookings of a match are of one account and add up to the same',
    sql`
    with sides as (
      select match_no, fund_account_no, ${signed} as amount from statement_line where match_no is not null
      union all
      select m.match_no, m.fund_account_no, -coalesce(l.amount, 0) from matched_booking m
        left join journal_line l on l.line_no = m.booking_no and l.account_code = 'bank:' || m.fund_account_no where m.match_no is not null)
    select match_no, sum(amount) as left_over, count(distinct fund_account_no) as accounts from sides group by match_no having sum(amount) <> 0 or count(distinct fund_account_no) > 1
    union all
    select line_no, amount, 0 from statement_line
    where (line_status = 'matched') <> (match_no is not null) or (line_status = 'suggested') <> (suggested_booking_no is not null)`,
  ),
  invariant(
    'V5d',
    'a difference that is open or was only explained is one until its line and its booking agree',
    sql`
    select i.recon_item_no, i.gap from recon_item i left join statement_line l on l.line_no = i.line_no left join matched_booking m on m.booking_no = i.booking_no
    where (i.line_no is not null or i.booking_no is not null) and (i.gap = 0) <> (coalesce(l.line_status, '') = 'matched' or m.booking_no is not null)`,
  ),
  invariant(
    'L12',
    'statement and ledger of an account and day differ by what is in flight and open',
    sql`
    select r.fund_account_no, r.recon_date, r.closing_statement, r.closing_ledger, r.in_flight, r.open_sum, r.unexplained from recon_run r
    where r.unexplained <> 0 and not exists (
      select 1 from recon_run b where b.fund_account_no = r.fund_account_no and b.recon_date <= r.recon_date and b.recon_result in ('incomplete_file', 'no_statement'))
    union all
    select r.fund_account_no, r.recon_date, null, r.closing_ledger, null, null, null from recon_run r
    where r.recon_date < (select max(business_date) from journal) and r.closing_ledger <> coalesce((
      select sum(l.amount) from journal_line l join journal j using (journal_no) where l.account_code = 'bank:' || r.fund_account_no and j.business_date <= r.recon_date), 0)`,
  ),
]
