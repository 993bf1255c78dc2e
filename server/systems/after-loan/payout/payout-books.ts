import { sql } from 'kysely'
import type { Payouts } from './payout-fixture.ts'

/** What must hold of the books at any time. */
export const checkBooks = async ({ db }: Payouts): Promise<void> => {
  const wrong = await db.read(async tx => ({
    unbalanced: await tx.rows(sql`select journal_no from journal_line group by journal_no having sum(amount) <> 0`),
    total: await tx.rows(sql`select 1 from journal_line having coalesce(sum(amount), 0) <> 0`),
    kept: await tx.rows(sql`
      select b.account_code, b.balance, l.total from ledger_balance b left join (select account_code, sum(amount) as total from journal_line group by 1) l using (account_code)
      where b.balance <> coalesce(l.total, 0)`),
    inFlight: await tx.rows(sql`
      select lc.loan_code, lc.loan_code_status from loan_code lc left join ledger_balance b on b.account_code = 'payout_in_flight:' || lc.loan_code
      where coalesce(b.balance, 0) <> case when lc.loan_code_status in ('remitting', 'unknown') then lc.actual_loan_amount else 0 end`),
    exceptions: await tx.rows(sql`
      select b.account_code from ledger_balance b where b.account_code like 'payout_exception:%' and b.balance <> coalesce((
        select sum(r.amount) from recon_item r where r.recon_kind = 'paid_not_expected' and r.recon_status = 'open' and 'payout_exception:' || r.reference = b.account_code), 0)`),
    principal: await tx.rows(sql`
      select o.order_no, o.order_status from loan_order o left join ledger_balance b on b.account_code = 'principal:' || o.order_no
      where coalesce(b.balance, 0) <> coalesce((select sum(principal_due - principal_paid) from repay_plan p where p.order_no = o.order_no and p.bill_status in ('pending', 'partial')), 0)
        or (o.order_status = 'funds_disbursed') <> (coalesce(b.balance, 0) > 0)`),
    states: await tx.rows(sql`
      select o.order_no, o.order_status, array_agg(lc.loan_code_status) from loan_order o join loan_code lc using (order_no) group by o.order_no, o.order_status
      having o.order_status <> case
        when bool_or(lc.loan_code_status in ('success', 'reversing')) then 'funds_disbursed' when bool_or(lc.loan_code_status in ('remitting', 'unknown')) then 'remitting'
        when bool_or(lc.loan_code_status = 'created') then 'pending_disbursement'
        when bool_or(lc.loan_code_status = 'failed') then case when o.order_status = 're_withdrawal_allowed' then o.order_status else 'loan_failed' end else 'cancelled' end`),
    chains: await tx.rows(sql`
      select t.machine, t.object_no from (select *, lag(to_state) over (partition by machine, object_no order by transition_no) as earlier from state_transition) t
      where t.earlier is not null and t.earlier <> t.from_state`),
  }))
  const found = Object.entries(wrong).filter(([, rows]) => rows.length > 0)
  if (found.length) throw new Error(`the books do not hold: ${JSON.stringify(Object.fromEntries(found))}`)
}
