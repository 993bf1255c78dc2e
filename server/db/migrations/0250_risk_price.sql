-- Caps of the law become dated versions that two people agree to; the rows that were there are written again at the start.
drop table legal_cap;
create table legal_cap (
  cap_no text primary key, enabled text not null, cap_key text not null check (cap_key in ('interest_month', 'interest_year', 'default_charges')),
  created_time timestamptz not null, updated_by text not null, updated_time timestamptz not null, deleted_time timestamptz, version int not null default 0
);
create unique index legal_cap_key on legal_cap (cap_key) where deleted_time is null;
create index legal_cap_updated on legal_cap (updated_time, cap_no) where deleted_time is null;
create trigger legal_cap_enabled_guard before update on legal_cap for each row when (old.enabled is distinct from new.enabled) execute function guard_status('enabled');

create table legal_cap_version (
  version_no text primary key, version_status text not null, cap_no text not null references legal_cap, content jsonb not null,
  effective_time timestamptz, superseded_time timestamptz, reason text, approval_no text,
  maker_no text not null, maker_name text not null, checker_no text, checker_name text, start_fault text,
  created_time timestamptz not null, version int not null default 0,
  check (version_status not in ('scheduled', 'effective', 'superseded') or effective_time is not null),
  check ((version_status = 'superseded') = (superseded_time is not null)),
  check (superseded_time >= effective_time),
  constraint legal_cap_version_in_force exclude using gist (
    int8range(hashtextextended(cap_no, 0), hashtextextended(cap_no, 0), '[]') with &&,
    tstzrange(effective_time, superseded_time) with &&
  ) where (version_status in ('effective', 'superseded'))
);
create unique index legal_cap_version_open on legal_cap_version (cap_no) where version_status in ('draft', 'pending', 'rejected');
create unique index legal_cap_version_scheduled on legal_cap_version (cap_no) where version_status = 'scheduled';
create index legal_cap_version_of on legal_cap_version (cap_no, created_time);
create index legal_cap_version_start on legal_cap_version (effective_time) where version_status = 'scheduled';
create trigger legal_cap_version_status_guard before update on legal_cap_version for each row when (old.version_status is distinct from new.version_status) execute function guard_status('version_status');
create trigger legal_cap_version_agreed before update or delete on legal_cap_version for each row execute function refuse_agreed_change();

-- Amounts, limits and prices by risk level, of the first or the later loans of a product.
create table risk_pricing (
  pricing_no text primary key, enabled text not null, product_no text not null references product, loan_kind text not null check (loan_kind in ('first', 'repeat')),
  created_time timestamptz not null, updated_by text not null, updated_time timestamptz not null, deleted_time timestamptz, version int not null default 0
);
create unique index risk_pricing_of on risk_pricing (product_no, loan_kind) where deleted_time is null;
create index risk_pricing_updated on risk_pricing (updated_time, pricing_no) where deleted_time is null;
create trigger risk_pricing_enabled_guard before update on risk_pricing for each row when (old.enabled is distinct from new.enabled) execute function guard_status('enabled');

create table risk_pricing_version (
  version_no text primary key, version_status text not null, pricing_no text not null references risk_pricing, content jsonb not null,
  effective_time timestamptz, superseded_time timestamptz, reason text, approval_no text,
  maker_no text not null, maker_name text not null, checker_no text, checker_name text, start_fault text,
  created_time timestamptz not null, version int not null default 0,
  check (version_status not in ('scheduled', 'effective', 'superseded') or effective_time is not null),
  check ((version_status = 'superseded') = (superseded_time is not null)),
  check (superseded_time >= effective_time),
  constraint risk_pricing_version_in_force exclude using gist (
    int8range(hashtextextended(pricing_no, 0), hashtextextended(pricing_no, 0), '[]') with &&,
    tstzrange(effective_time, superseded_time) with &&
  ) where (version_status in ('effective', 'superseded'))
);
create unique index risk_pricing_version_open on risk_pricing_version (pricing_no) where version_status in ('draft', 'pending', 'rejected');
create unique index risk_pricing_version_scheduled on risk_pricing_version (pricing_no) where version_status = 'scheduled';
create index risk_pricing_version_of on risk_pricing_version (pricing_no, created_time);
create index risk_pricing_version_start on risk_pricing_version (effective_time) where version_status = 'scheduled';
create trigger risk_pricing_version_status_guard before update on risk_pricing_version for each row when (old.version_status is distinct from new.version_status) execute function guard_status('version_status');
create trigger risk_pricing_version_agreed before update or delete on risk_pricing_version for each row execute function refuse_agreed_change();

-- At which price an order was decided; the price itself is in its terms.
alter table loan_order add column price_version_no text references risk_pricing_version;
