-- The coupon that a repayment was made with.
alter table repay_record add column coupon_no text references coupon;
create index repay_record_coupon on repay_record (coupon_no) where coupon_no is not null;
comment on column coupon.used_amount is 'What it took off a repayment; of one that raises the limit, what its order took beyond the limit of the customer.';
alter table coupon add column returned_amount numeric(18,2) not null default 0 check (returned_amount >= 0);
comment on column coupon.returned_amount is 'Of one that raises the limit: principal of its order that was repaid; the first of it closes the part beyond the limit.';
