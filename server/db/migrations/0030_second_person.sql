-- Who else made what waits for a second person, such as those who changed the account that is to be accepted: none of them decides it.
alter table approval add column also_made_by text[] not null default '{}';
alter table approval add constraint approval_also_made_by_check check (checker_no is null or checker_no <> all (also_made_by));

-- The browser that somebody signed in with, as a hash of the mark that it keeps: two accounts on one device may be one person's.
alter table session add column device text;
create index session_device on session (device, user_no) where device is not null;

-- Accounts were compared with the name that staff had typed, or marked as checked by one person alone: they are asked about again before
-- money leaves. Of a number that is not the customer's own no holder is kept.
update loan_order o set payout_verify = 'not_verified', payout_holder_name = null
from customer c
where c.customer_no = o.customer_no and o.payout_verify = 'passed'
  and (o.payout_holder_name is null or o.wallet_account is distinct from c.phone or upper(o.cardholder_name) <> upper(c.customer_name))
  and o.order_status in ('to_be_allocated', 'pending_review', 'pending_disbursement', 'loan_failed', 're_withdrawal_allowed');
update loan_code lc set verify_result = 'not_verified', holder_name = null
from loan_order o join customer c using (customer_no)
where o.order_no = lc.order_no and lc.verify_result = 'passed' and lc.loan_code_status in ('created', 'failed')
  and (lc.holder_name is null or lc.wallet_account is distinct from c.phone or upper(lc.cardholder_name) <> upper(c.customer_name));
update loan_order o set payout_holder_name = null from customer c
where c.customer_no = o.customer_no and o.payout_holder_name is not null and o.wallet_account is distinct from c.phone;
update loan_code lc set holder_name = null from loan_order o join customer c using (customer_no)
where o.order_no = lc.order_no and lc.holder_name is not null and lc.wallet_account is distinct from c.phone;
