-- Black, grey and white lists; what they hold is kept sealed, and found by a keyed hash of the whole value.
create table name_list (
  name_list_no text primary key, enabled text not null, name_list_name text not null,
  list_kind text not null check (list_kind in ('black', 'grey', 'white')), dimension text not null,
  list_effect text not null check (list_effect in ('refuse', 'review', 'flag', 'skip')),
  merchant_no text references merchant, default_months int not null check (default_months between 1 and 60), feed_key text,
  created_time timestamptz not null, updated_by text not null, updated_time timestamptz not null, deleted_time timestamptz, version int not null default 0,
  check ((list_kind = 'white') = (list_effect = 'skip')), check (list_kind <> 'grey' or list_effect in ('review', 'flag')), check (list_kind <> 'black' or list_effect in ('refuse', 'review'))
);
create unique index name_list_name on name_list (lower(name_list_name)) where deleted_time is null;
create unique index name_list_feed on name_list (feed_key) where deleted_time is null;
create index name_list_updated on name_list (updated_time, name_list_no) where deleted_time is null;
create trigger name_list_enabled_guard before update on name_list for each row when (old.enabled is distinct from new.enabled) execute function guard_status('enabled');

create table name_list_item (
  item_no text primary key, item_status text not null, name_list_no text not null references name_list,
  value_hash text not null, value_sealed text not null, display_value text not null,
  reason_code text not null, remark text, list_source text not null check (list_source in ('manual', 'import', 'feed')), evidence_no text,
  created_by text not null, created_by_name text not null, created_time timestamptz not null, expire_time timestamptz not null,
  times_hit int not null default 0, last_hit timestamptz, version int not null default 0
);
create unique index name_list_item_active on name_list_item (name_list_no, value_hash) where item_status = 'active';
create index name_list_item_hash on name_list_item (value_hash);
create index name_list_item_created on name_list_item (created_time, item_no);
create index name_list_item_expire on name_list_item (expire_time, item_no);
create index name_list_item_hits on name_list_item (times_hit, item_no);
create trigger name_list_item_status_guard before update on name_list_item for each row when (old.item_status is distinct from new.item_status) execute function guard_status('item_status');

create table name_list_hit (
  list_hit_no text primary key, item_no text not null references name_list_item, order_no text not null references loan_order, list_effect text not null, hit_at timestamptz not null,
  unique (item_no, order_no)
);
create index name_list_hit_time on name_list_hit (hit_at, list_hit_no);
create index name_list_hit_order on name_list_hit (order_no);
create trigger name_list_hit_fixed before update or delete on name_list_hit for each row execute function refuse_change();

insert into refuse_code (refuse_code, level, parent_code, name_zh, name_en, name_sw, customer_text, enabled) values
  ('MR_LIST', 2, 'MR', '命中名单', 'On a risk list', 'Yuko kwenye orodha ya hatari', 'We cannot offer you a loan at this time. You may ask for a person to look at your application again.', false);
