-- Coupons of customers; one order at most is bound to each, and an order holds one at most.

create table coupon (
  coupon_no text primary key, customer_no text not null references customer,
  coupon_type text not null check (coupon_type in ('increase_loan_limit_coupon', 'discount_coupon', 'interest_discount_coupon')),
  face_amount numeric(18,2) not null check (face_amount > 0), coupon_status text not null,
  start_time timestamptz not null, expire_time timestamptz not null check (expire_time > start_time),
  bound_order_no text unique references loan_order, created_time timestamptz not null, version int not null default 0,
  check (coupon_status <> 'frozen' or bound_order_no is not null)
);
create trigger coupon_status_guard before update on coupon for each row when (old.coupon_status is distinct from new.coupon_status) execute function guard_status('coupon_status');
create index coupon_customer on coupon (customer_no);
