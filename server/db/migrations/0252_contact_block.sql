-- Numbers that must not be contacted: the do-not-contact list, and the one that keeps telemarketing away.
create table contact_block (
  block_no text primary key, block_status text not null, book text not null check (book in ('contact', 'tele')),
  phone text not null check (phone ~ '^256[1-9][0-9]{8}$'), merchant_no text references merchant,
  block_scope text not null check (block_scope in ('collection', 'telemarketing', 'marketing', 'all')),
  block_reason text, reason text, relation text, linked_customer_no text references customer, remark text,
  block_source text not null, source_ref text,
  created_by text not null, created_by_name text not null, created_time timestamptz not null, expire_time timestamptz,
  ended_time timestamptz, ended_by_name text, end_reason text,
  blocked_count int not null default 0, last_blocked timestamptz, version int not null default 0
);
create unique index contact_block_active on contact_block (book, phone, block_scope, coalesce(merchant_no, '')) where block_status = 'active';
create index contact_block_phone on contact_block (phone);
create index contact_block_created on contact_block (created_time, block_no);
create index contact_block_expire on contact_block (expire_time, block_no);
create index contact_block_count on contact_block (blocked_count, block_no);
create trigger contact_block_status_guard before update on contact_block for each row when (old.block_status is distinct from new.block_status) execute function guard_status('block_status');

-- Contacts that were stopped, for the proof that nobody was reached after all.
create table contact_stop (
  stop_no text primary key, block_no text references contact_block, item_no text references name_list_item, phone text not null, merchant_no text references merchant,
  contact_kind text not null, medium text not null, object_type text, object_no text, stopped_by_name text not null, stopped_at timestamptz not null
);
create index contact_stop_time on contact_stop (stopped_at, stop_no);
create index contact_stop_block on contact_stop (block_no);
create trigger contact_stop_fixed before update or delete on contact_stop for each row execute function refuse_change();
