-- The coupon that a repayment was made with.
alter table repay_record add column coupon_no text references coupon;
create index repay_record_coupon on repay_record (coupon_no) where coupon_no is not null;
