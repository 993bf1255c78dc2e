-- Products as product managers keep them: items that are on or off, whose terms are dated versions that two people agree to.
-- `terms` are those in force, none before the first version was; `track` tells single-bill products from installment ones.
alter table product alter column enabled drop default;
alter table product alter column enabled type text using case when enabled then 'enabled' else 'disabled' end;
alter table product alter column enabled set default 'enabled';
alter table product alter column terms drop not null;
alter table product
  add column track text check (track in ('case', 'stage')),
  add column created_time timestamptz not null default now(), add column updated_by text not null default 'system',
  add column updated_time timestamptz not null default now(), add column deleted_time timestamptz;
update product set track = coalesce(terms ->> 'track', 'case');
alter table product alter column track set not null;
create unique index product_name_level on product (merchant_no, lower(product_name)) where deleted_time is null;
create index product_updated on product (updated_time, product_no) where deleted_time is null;
create trigger product_enabled_guard before update on product for each row when (old.enabled is distinct from new.enabled) execute function guard_status('enabled');

-- A product that an installation writes with its terms is of the track that they say, and has its beginning in the history.
create function product_track() returns trigger language plpgsql as $$
begin
  new.track := coalesce(new.track, new.terms ->> 'track', 'case');
  return new;
end $$;
create trigger product_track before insert on product for each row execute function product_track();
create function product_machine(track text) returns text language sql immutable as $$
  select case track when 'stage' then 'M69.stage_product' else 'M69.product' end
$$;
insert into state_transition (machine, object_no, event, from_state, to_state, actor, request_id, at)
  select product_machine(track), product_no, 'item.create', '∅', 'disabled', 'system', 'migration', now() from product order by product_no;
insert into state_transition (machine, object_no, event, from_state, to_state, actor, request_id, at)
  select product_machine(track), product_no, 'item.enable', 'disabled', 'enabled', 'system', 'migration', now() from product where enabled = 'enabled' order by product_no;
create function product_begins() returns trigger language plpgsql as $$
begin
  insert into state_transition (machine, object_no, event, from_state, to_state, actor, request_id, at) values
    (product_machine(new.track), new.product_no, 'item.create', '∅', 'disabled', 'system', 'installation', new.created_time),
    (product_machine(new.track), new.product_no, 'item.enable', 'disabled', 'enabled', 'system', 'installation', new.created_time);
  return null;
end $$;
create trigger product_begins after insert on product for each row when (new.enabled = 'enabled') execute function product_begins();

create table product_version (
  version_no text primary key, version_status text not null, product_no text not null references product, track text not null check (track in ('case', 'stage')),
  content jsonb not null,
  effective_time timestamptz, superseded_time timestamptz, reason text, approval_no text,
  maker_no text not null, maker_name text not null, checker_no text, checker_name text, start_fault text,
  created_time timestamptz not null, version int not null default 0,
  check (version_status not in ('scheduled', 'effective', 'superseded') or effective_time is not null),
  check ((version_status = 'superseded') = (superseded_time is not null)),
  check (superseded_time >= effective_time),
  constraint product_version_in_force exclude using gist (
    int8range(hashtextextended(product_no, 0), hashtextextended(product_no, 0), '[]') with &&,
    tstzrange(effective_time, superseded_time) with &&
  ) where (version_status in ('effective', 'superseded'))
);
create unique index product_version_open on product_version (product_no) where version_status in ('draft', 'pending', 'rejected');
create unique index product_version_scheduled on product_version (product_no) where version_status = 'scheduled';
create index product_version_of on product_version (product_no, created_time);
create index product_version_start on product_version (effective_time) where version_status = 'scheduled';
create trigger product_version_status_guard before update on product_version for each row when (old.version_status is distinct from new.version_status) execute function guard_status('version_status');
create trigger product_version_agreed before update or delete on product_version for each row execute function refuse_agreed_change();

-- Which version an order was made with; the terms themselves are the order's own.
alter table loan_order add column product_version_no text references product_version;
create index loan_order_product_version on loan_order (product_version_no) where product_version_no is not null;
