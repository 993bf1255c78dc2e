-- Receipts that no flow came for and a customer shows proof of: who sent them, what the channel said, who decided.
create table flow_supplement (
  supplement_no text primary key, flow_no text not null unique references repay_flow, order_no text references loan_order,
  channel_answer text not null check (channel_answer in ('confirmed', 'other_amount', 'not_closed', 'unavailable', 'cannot')), remark text,
  maker_no text not null, maker_name text not null, created_time timestamptz not null,
  reviewer_no text, reviewer_name text, review_time timestamptz, review_reason text, seen_in_portal boolean not null default false,
  check ((reviewer_no is null) = (review_time is null)), check (reviewer_no is distinct from maker_no)
);
create index flow_supplement_created on flow_supplement (created_time desc, supplement_no);
create index flow_supplement_order on flow_supplement (order_no) where order_no is not null;
create trigger flow_supplement_fixed before update of flow_no, order_no, channel_answer, maker_no, maker_name, created_time on flow_supplement
  for each row execute function refuse_change();
