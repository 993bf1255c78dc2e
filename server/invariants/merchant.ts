import { sql } from 'kysely'
import { invariant } from './check.ts'

/** Rules of what merchants pay in and use. */
export const merchantInvariants = [
  invariant(
    'V30',
    'the wallet of a merchant is what it paid in, less what it used, and what it got back',
    sql`
    with said as (
      select merchant_no, recharge_amount as amount from merchant_recharge where recharge_status = 'confirmed'
      union all select merchant_no, -consumption_amount from consumption_record where posted_time is not null
      union all select r.merchant_no, b.amount from consumption_reversal b join consumption_record r using (consumption_no)),
    summed as (select merchant_no, sum(amount) as amount from said group by 1),
    kept as (select split_part(account_code, ':', 2) as merchant_no, -balance as balance from ledger_balance where account_code like 'merchant:%')
    select merchant_no, coalesce(t.amount, 0) as amount, coalesce(k.balance, 0) as balance from summed t full join kept k using (merchant_no)
    where coalesce(t.amount, 0) <> coalesce(k.balance, 0)`,
  ),
  invariant(
    'V30a',
    'a consumption record has the quantity of its events, and gave back what its reversals say',
    sql`
    select r.consumption_no, r.quantity, e.n, r.reversed_quantity, b.n as given_back from consumption_record r
      left join lateral (select coalesce(sum(quantity), 0) as n from consumption_event where consumption_no = r.consumption_no) e on true
      left join lateral (select coalesce(sum(quantity), 0) as n, coalesce(sum(amount), 0) as amount from consumption_reversal where consumption_no = r.consumption_no) b on true
    where r.quantity <> e.n or r.reversed_quantity <> b.n or r.reversed_amount <> b.amount`,
  ),
]
