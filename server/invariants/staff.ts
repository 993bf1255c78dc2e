import { sql } from 'kysely'
import { invariant } from './check.ts'

/** Rules of what the staff get. */
export const staffInvariants = [
  invariant(
    'L8d',
    'airtime in flight is that of the staff that is being recharged',
    sql`
    select p.phone_bill_no, p.phone_bill_status, p.amount, b.balance as in_flight from phone_recharge p
      left join ledger_balance b on b.account_code = 'staff_benefit_in_flight:' || p.phone_bill_no
    where coalesce(b.balance, 0) <> case when p.phone_bill_status = 'paying' then p.amount else 0 end
    union all
    select account_code, null, null, balance from ledger_balance
    where split_part(account_code, ':', 1) = 'staff_benefit_in_flight' and balance <> 0
      and not exists (select 1 from phone_recharge p where p.phone_bill_no = split_part(account_code, ':', 2))`,
  ),
]
