import { sql } from 'kysely'
import { invariant } from './check.ts'

/** Rules of what customers earned as rewards and take out. */
export const walletInvariants = [
  invariant(
    'L8c',
    'withdrawals in flight are those that are being paid, or failed and wait for a person',
    sql`
    select w.withdraw_no, w.withdraw_status, w.withdraw_amount, -b.balance as in_flight from wallet_withdrawal w
      left join ledger_balance b on b.account_code = 'wallet_in_flight:' || w.withdraw_no
    where -coalesce(b.balance, 0) <> case when w.withdraw_status in ('paying', 'pay_failed') then w.withdraw_amount else 0 end
    union all
    select account_code, null, null, balance from ledger_balance
    where split_part(account_code, ':', 1) = 'wallet_in_flight' and balance <> 0
      and not exists (select 1 from wallet_withdrawal w where w.withdraw_no = split_part(account_code, ':', 2))`,
  ),
  invariant(
    'L9',
    'the wallet of a customer is its last entry, and each entry goes on from the one before',
    sql`
    select customer_no, wallet_balance, balance from (
      select distinct on (e.customer_no) e.customer_no, e.wallet_balance, -coalesce(b.balance, 0) as balance
      from wallet_entry e left join ledger_balance b on b.account_code = 'wallet:' || e.customer_no order by e.customer_no, e.entry_no desc) last
    where wallet_balance <> balance
    union all
    select customer_no, wallet_balance, before + amount from (
      select customer_no, wallet_balance, amount, coalesce(lag(wallet_balance) over (partition by customer_no order by entry_no), 0) as before from wallet_entry) steps
    where wallet_balance <> before + amount
    union all
    select substr(account_code, 8), null, -balance from ledger_balance
    where split_part(account_code, ':', 1) = 'wallet' and balance <> 0
      and not exists (select 1 from wallet_entry e where e.customer_no = substr(account_code, 8))`,
  ),
  invariant(
    'V18b',
    'a withdrawal left the wallet once, and came back once where it was cancelled',
    sql`
    select w.withdraw_no, w.withdraw_status, w.withdraw_amount, x.taken, x.returned from wallet_withdrawal w left join lateral (
      select coalesce(sum(-e.amount) filter (where e.entry_kind = 'withdrawal'), 0) as taken, coalesce(sum(e.amount) filter (where e.entry_kind = 'returned'), 0) as returned
      from wallet_entry e where e.reference = w.withdraw_no) x on true
    where x.taken <> w.withdraw_amount or x.returned <> case when w.withdraw_status = 'cancelled' then w.withdraw_amount else 0 end`,
  ),
]
