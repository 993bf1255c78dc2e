-- What happens around the due date: for all, for a merchant, or for one of its products.
create table maturity_config (
  maturity_no text primary key, enabled text not null, merchant_no text references merchant, product_no text references product,
  created_time timestamptz not null, updated_by text not null, updated_time timestamptz not null, deleted_time timestamptz, version int not null default 0,
  check (product_no is null or merchant_no is not null)
);
create unique index maturity_config_of on maturity_config (coalesce(merchant_no, ''), coalesce(product_no, '')) where deleted_time is null;
create index maturity_config_updated on maturity_config (updated_time, maturity_no) where deleted_time is null;
create trigger maturity_config_enabled_guard before update on maturity_config for each row when (old.enabled is distinct from new.enabled) execute function guard_status('enabled');

-- Its dated versions. What was in force never changes, and no two are in force at one moment.
create table maturity_config_version (
  version_no text primary key, version_status text not null, maturity_no text not null references maturity_config, content jsonb not null,
  effective_time timestamptz, superseded_time timestamptz, reason text, approval_no text,
  maker_no text not null, maker_name text not null, checker_no text, checker_name text, start_fault text,
  created_time timestamptz not null, version int not null default 0,
  check (version_status not in ('scheduled', 'effective', 'superseded') or effective_time is not null),
  check ((version_status = 'superseded') = (superseded_time is not null)),
  check (superseded_time >= effective_time),
  -- A range type can be compared by any index of this kind, a text cannot: the key stands as the range of its hash alone.
  constraint maturity_config_version_in_force exclude using gist (
    int8range(hashtextextended(maturity_no, 0), hashtextextended(maturity_no, 0), '[]') with &&,
    tstzrange(effective_time, superseded_time) with &&
  ) where (version_status in ('effective', 'superseded'))
);
create unique index maturity_config_version_open on maturity_config_version (maturity_no) where version_status in ('draft', 'pending', 'rejected');
create unique index maturity_config_version_scheduled on maturity_config_version (maturity_no) where version_status = 'scheduled';
create index maturity_config_version_of on maturity_config_version (maturity_no, created_time);
create index maturity_config_version_start on maturity_config_version (effective_time) where version_status = 'scheduled';
create trigger maturity_config_version_status_guard before update on maturity_config_version for each row when (old.version_status is distinct from new.version_status) execute function guard_status('version_status');

-- Terms that people agreed to stay as they were agreed to; a draft may still change.
create function refuse_agreed_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then raise exception 'versions are never deleted'; end if;
  if old.version_status not in ('draft', 'rejected') and old.content is distinct from new.content then
    raise exception 'the content of an agreed version is never changed';
  end if;
  return new;
end $$;
create trigger maturity_config_version_agreed before update or delete on maturity_config_version for each row execute function refuse_agreed_change();
