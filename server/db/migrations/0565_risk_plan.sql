-- Which rule sets and which model decide an order of a product and a kind of loan, dated.
create table risk_plan (
  plan_no text primary key, enabled text not null, product_no text not null references product, loan_kind text not null check (loan_kind in ('first', 'repeat')),
  created_time timestamptz not null, updated_by text not null, updated_time timestamptz not null, deleted_time timestamptz, version int not null default 0
);
create unique index risk_plan_of on risk_plan (product_no, loan_kind) where deleted_time is null;
create index risk_plan_updated on risk_plan (updated_time, plan_no) where deleted_time is null;
create trigger risk_plan_enabled_guard before update on risk_plan for each row when (old.enabled is distinct from new.enabled) execute function guard_status('enabled');

create table risk_plan_version (
  version_no text primary key, version_status text not null, plan_no text not null references risk_plan, content jsonb not null,
  effective_time timestamptz, superseded_time timestamptz, reason text, approval_no text,
  maker_no text not null, maker_name text not null, checker_no text, checker_name text, start_fault text,
  created_time timestamptz not null, version int not null default 0,
  check (version_status not in ('scheduled', 'effective', 'superseded') or effective_time is not null),
  check ((version_status = 'superseded') = (superseded_time is not null)),
  check (superseded_time >= effective_time),
  constraint risk_plan_version_in_force exclude using gist (
    int8range(hashtextextended(plan_no, 0), hashtextextended(plan_no, 0), '[]') with &&,
    tstzrange(effective_time, superseded_time) with &&
  ) where (version_status in ('effective', 'superseded'))
);
create unique index risk_plan_version_open on risk_plan_version (plan_no) where version_status in ('draft', 'pending', 'rejected');
create unique index risk_plan_version_scheduled on risk_plan_version (plan_no) where version_status = 'scheduled';
create index risk_plan_version_of on risk_plan_version (plan_no, created_time);
create index risk_plan_version_start on risk_plan_version (effective_time) where version_status = 'scheduled';
create trigger risk_plan_version_status_guard before update on risk_plan_version for each row when (old.version_status is distinct from new.version_status) execute function guard_status('version_status');
create trigger risk_plan_version_agreed before update or delete on risk_plan_version for each row execute function refuse_agreed_change();
