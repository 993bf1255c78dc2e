-- Indexes of the lists: what is asked for most, in the order in which it is shown, with the unique key behind it.
-- A list reads them forwards and backwards; rows without a value are a range of their own.

drop index loan_order_apply;
create index loan_order_apply on loan_order (apply_time, order_no) include (merchant_no, order_status, loan_amount, actual_loan_amount, overdue);
drop index loan_order_status;
create index loan_order_status on loan_order (order_status, apply_time, order_no);
drop index loan_order_merchant;
create index loan_order_merchant on loan_order (merchant_no, apply_time, order_no) include (order_status, loan_amount, actual_loan_amount, overdue);
drop index loan_order_payout;
create index loan_order_payout on loan_order (payout_time, order_no) include (merchant_no, order_status);
create index loan_order_audit on loan_order (audit_time, order_no);
create index loan_order_settled on loan_order (settled_time, order_no);
create index loan_order_amount on loan_order (loan_amount, order_no);
create index loan_order_overdue_days on loan_order (overdue_days, order_no);
create index loan_order_third on loan_order (third_order_no);
create index loan_order_auditor on loan_order (auditor_no, apply_time, order_no) where auditor_no is not null;
create index loan_order_refused on loan_order (refuse_code, apply_time, order_no) where refuse_code is not null;
create index loan_order_overdue on loan_order (apply_time, order_no) where overdue;

drop index loan_code_status;
create index loan_code_status on loan_code (loan_code_status, request_time, loan_code);
drop index loan_code_request;
create index loan_code_request on loan_code (request_time, loan_code);
create index loan_code_finish on loan_code (finish_time, loan_code);
create index loan_code_amount on loan_code (actual_loan_amount, loan_code);
create index loan_code_serial on loan_code (serial_no) where serial_no is not null;
create index gateway_attempt_serial on gateway_attempt (serial_no) where serial_no is not null;
create index loan_code_confirm_parent on loan_code_confirm (parent_kind, parent_no);

create index repay_plan_open on repay_plan (order_no, due_date) where bill_status in ('pending', 'partial');
