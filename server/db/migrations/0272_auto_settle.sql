-- Small residues and money held for a customer settle orders by themselves, once a day; what became of each order is kept.
create table auto_settle_config (
  config_no text primary key, enabled text not null, merchant_no text references merchant, product_no text references product,
  residue_limit numeric(18,2) not null check (residue_limit >= 0), days_since_payment int not null check (days_since_payment between 0 and 30), use_overflow boolean not null,
  created_time timestamptz not null, updated_by text not null, updated_time timestamptz not null, deleted_time timestamptz, version int not null default 0
);
create unique index auto_settle_config_place on auto_settle_config (coalesce(merchant_no, ''), coalesce(product_no, '')) where deleted_time is null;
create index auto_settle_config_updated on auto_settle_config (updated_time, config_no) where deleted_time is null;
create trigger auto_settle_config_enabled_guard before update on auto_settle_config for each row when (old.enabled is distinct from new.enabled) execute function guard_status('enabled');

create table auto_settle_result (
  business_date date not null, order_no text not null references loan_order, config_no text not null references auto_settle_config,
  outcome text not null check (outcome in ('settled', 'paid', 'skipped')), owed_before numeric(18,2) not null, from_overflow numeric(18,2) not null default 0,
  waived numeric(18,2) not null default 0, owed_after numeric(18,2) not null, repayment_no text references repay_record, skip_reason text, run_time timestamptz not null,
  primary key (business_date, order_no)
);
create index auto_settle_result_config on auto_settle_result (config_no, business_date);
create index auto_settle_result_owed on auto_settle_result (owed_before, order_no);
create trigger auto_settle_result_fixed before update or delete on auto_settle_result for each row execute function refuse_change();
