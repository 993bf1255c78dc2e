-- Links by which customers pay an amount, and the payments that phones were asked for by them.
create table pay_link (
  link_no text primary key, link_status text not null, order_no text not null references loan_order, merchant_no text not null, customer_no text not null,
  amount numeric(18,2) not null check (amount > 0 and amount = trunc(amount)), link_code text not null unique check (link_code ~ '^[0-9a-f]{32}$'),
  expire_time timestamptz not null, times_sent int not null default 0, flow_no text references repay_flow, paid_time timestamptz, revoke_reason text,
  created_by text not null, created_name text not null, created_time timestamptz not null, version int not null default 0,
  check (expire_time <= created_time + interval '24 hours')
);
comment on column pay_link.link_code is 'The random part of its page: 128 bits, of nothing else.';
create index pay_link_order on pay_link (order_no);
create index pay_link_created on pay_link (created_time, link_no);
create index pay_link_active on pay_link (expire_time) where link_status = 'active';
create trigger pay_link_status_guard before update on pay_link for each row when (old.link_status is distinct from new.link_status) execute function guard_status('link_status');
create trigger pay_link_fixed before update of order_no, merchant_no, customer_no, amount, link_code, expire_time, created_by, created_time on pay_link for each row execute function refuse_change();

create table pay_link_ask (
  pay_ref text primary key, link_no text not null references pay_link, channel text not null, phone text not null,
  asked_time timestamptz not null, end_time timestamptz, outcome text, check ((end_time is null) = (outcome is null))
);
comment on table pay_link_ask is 'What a network knows a payment by that it was asked for. Money that comes under it is of the order of the link, even after its end.';
create unique index pay_link_ask_open on pay_link_ask (link_no) where end_time is null;
create index pay_link_ask_link on pay_link_ask (link_no, asked_time);
