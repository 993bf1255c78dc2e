-- Services that merchants are charged for. Each thing that can be counted has one of them at most.
create table consumption_type (
  type_no text primary key, enabled text not null, type_code text not null, type_name jsonb not null, meter text not null, unit text not null,
  created_time timestamptz not null, updated_by text not null, updated_time timestamptz not null, deleted_time timestamptz, version int not null default 0
);
create unique index consumption_type_code on consumption_type (lower(type_code)) where deleted_time is null;
create unique index consumption_type_meter on consumption_type (meter) where deleted_time is null;
create index consumption_type_updated on consumption_type (updated_time, type_no) where deleted_time is null;
create trigger consumption_type_enabled_guard before update on consumption_type for each row when (old.enabled is distinct from new.enabled) execute function guard_status('enabled');

-- What a unit costs: for all merchants, or for one.
create table consumption_price (
  price_no text primary key, enabled text not null, type_no text not null references consumption_type, merchant_no text references merchant on delete cascade,
  created_time timestamptz not null, updated_by text not null, updated_time timestamptz not null, deleted_time timestamptz, version int not null default 0
);
create unique index consumption_price_of on consumption_price (type_no, coalesce(merchant_no, '')) where deleted_time is null;
create index consumption_price_updated on consumption_price (updated_time, price_no) where deleted_time is null;
create trigger consumption_price_enabled_guard before update on consumption_price for each row when (old.enabled is distinct from new.enabled) execute function guard_status('enabled');

create table consumption_price_version (
  version_no text primary key, version_status text not null, price_no text not null references consumption_price, content jsonb not null,
  effective_time timestamptz, superseded_time timestamptz, reason text, approval_no text,
  maker_no text not null, maker_name text not null, checker_no text, checker_name text, start_fault text,
  created_time timestamptz not null, version int not null default 0,
  check (version_status not in ('scheduled', 'effective', 'superseded') or effective_time is not null),
  check ((version_status = 'superseded') = (superseded_time is not null)),
  check (superseded_time >= effective_time),
  constraint consumption_price_version_in_force exclude using gist (
    int8range(hashtextextended(price_no, 0), hashtextextended(price_no, 0), '[]') with &&,
    tstzrange(effective_time, superseded_time) with &&
  ) where (version_status in ('effective', 'superseded'))
);
create unique index consumption_price_version_open on consumption_price_version (price_no) where version_status in ('draft', 'pending', 'rejected');
create unique index consumption_price_version_scheduled on consumption_price_version (price_no) where version_status = 'scheduled';
create index consumption_price_version_of on consumption_price_version (price_no, created_time);
create index consumption_price_version_start on consumption_price_version (effective_time) where version_status = 'scheduled';
create trigger consumption_price_version_status_guard before update on consumption_price_version for each row when (old.version_status is distinct from new.version_status) execute function guard_status('version_status');
create trigger consumption_price_version_agreed before update or delete on consumption_price_version for each row execute function refuse_agreed_change();

-- What a merchant used of a service on a day at one price; today's grows until the day is posted.
create table consumption_record (
  consumption_no text primary key, consumption_status text not null, merchant_no text not null references merchant on delete cascade, type_no text not null references consumption_type,
  price_version_no text references consumption_price_version, unit_price numeric(14,4) not null check (unit_price >= 0), business_date date not null,
  quantity int not null check (quantity > 0), consumption_amount numeric(18,2) not null check (consumption_amount = round(quantity * unit_price, 2)),
  reversed_quantity int not null default 0, reversed_amount numeric(18,2) not null default 0,
  journal_no bigint, balance_after numeric(18,2), posted_time timestamptz, created_time timestamptz not null, version int not null default 0,
  check (reversed_quantity between 0 and quantity), check (reversed_amount between 0 and consumption_amount),
  check (price_version_no is not null or unit_price = 0)
);
create unique index consumption_record_of on consumption_record (merchant_no, type_no, coalesce(price_version_no, ''), business_date);
create index consumption_record_day on consumption_record (business_date, consumption_no);
create index consumption_record_amount on consumption_record (consumption_amount, consumption_no);
create index consumption_record_quantity on consumption_record (quantity, consumption_no);
create trigger consumption_record_guard before update on consumption_record for each row when (old.consumption_status is distinct from new.consumption_status) execute function guard_status('consumption_status');
create trigger consumption_record_fixed before update of merchant_no, type_no, price_version_no, unit_price, business_date on consumption_record for each row execute function refuse_change();
create trigger consumption_record_posted before update of quantity, consumption_amount, journal_no, balance_after on consumption_record for each row
  when (old.consumption_status <> 'accruing') execute function refuse_change();

-- One chargeable happening, written when it happens. `charge` says what became of it: it waits, counts in a record, or nothing is charged for it.
create table consumption_event (
  event_no bigint generated by default as identity primary key, meter text not null, subject_no text not null, merchant_no text not null references merchant on delete cascade,
  quantity int not null check (quantity > 0), event_time timestamptz not null, business_date date not null,
  charge text not null default 'open' check (charge in ('open', 'charged', 'off')), consumption_no text references consumption_record,
  unique (meter, subject_no), check ((charge = 'charged') = (consumption_no is not null))
);
create index consumption_event_open on consumption_event (event_no) where charge = 'open';
create index consumption_event_record on consumption_event (consumption_no, event_no) where consumption_no is not null;

-- What was given back of a record, each by a journal of its own.
create table consumption_reversal (
  reversal_no text primary key, consumption_no text not null references consumption_record on delete cascade, quantity int not null check (quantity > 0), amount numeric(18,2) not null check (amount >= 0),
  reason text not null, journal_no bigint, maker_no text not null, maker_name text not null, checker_no text not null, checker_name text not null, reversed_time timestamptz not null
);
create index consumption_reversal_of on consumption_reversal (consumption_no, reversed_time);
create trigger consumption_reversal_fixed before update on consumption_reversal for each row execute function refuse_change();
