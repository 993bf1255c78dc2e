-- What apps show their customers besides their loans, and the texts that customers agree to.
create table app_content (
  content_no text primary key, enabled text not null, app_code text not null,
  placement text not null check (placement in ('home_banner', 'popup', 'splash', 'repay_tip', 'refused_page', 'faq', 'about')),
  title_zh text, title_en text, title_sw text, body_zh text, body_en text, body_sw text, image text references upload,
  link_type text not null check (link_type in ('none', 'screen', 'url')), app_screen text, link_url text,
  customer_statuses text[] not null default '{}', start_time timestamptz not null, end_time timestamptz not null check (end_time >= start_time), sort int not null,
  created_time timestamptz not null, updated_by text not null, updated_time timestamptz not null, deleted_time timestamptz, version int not null default 0,
  check (coalesce(title_zh, title_en, title_sw) is not null),
  check ((link_type = 'screen') = (app_screen is not null) and (link_type = 'url') = (link_url is not null))
);
create index app_content_place on app_content (app_code, placement, sort, content_no) where deleted_time is null;
create index app_content_updated on app_content (updated_time, content_no) where deleted_time is null;
create trigger app_content_enabled_guard before update on app_content for each row when (old.enabled is distinct from new.enabled) execute function guard_status('enabled');

-- How often a content was shown and tapped on a day, as the back ends of apps report it.
create table app_content_day (
  content_no text not null references app_content, business_date date not null,
  shown_count bigint not null default 0 check (shown_count >= 0), clicked_count bigint not null default 0 check (clicked_count >= 0),
  primary key (content_no, business_date)
);
create table app_content_report (
  merchant_no text not null references merchant, report_no text not null, reported_time timestamptz not null, primary key (merchant_no, report_no)
);

create table app_contract (
  contract_no text primary key, enabled text not null, contract_type text not null check (contract_type in ('loan_agreement', 'cost_summary', 'privacy', 'data_consent', 'extension_agreement')),
  merchant_no text not null references merchant, created_time timestamptz not null, updated_by text not null, updated_time timestamptz not null, deleted_time timestamptz, version int not null default 0
);
create unique index app_contract_once on app_contract (merchant_no, contract_type) where deleted_time is null;
create trigger app_contract_enabled_guard before update on app_contract for each row when (old.enabled is distinct from new.enabled) execute function guard_status('enabled');

create table app_contract_version (
  version_no text primary key, version_status text not null, contract_no text not null references app_contract,
  content jsonb not null,
  effective_time timestamptz, superseded_time timestamptz, reason text, approval_no text,
  maker_no text not null, maker_name text not null, checker_no text, checker_name text, start_fault text,
  created_time timestamptz not null, version int not null default 0,
  check (version_status not in ('scheduled', 'effective', 'superseded') or effective_time is not null),
  check ((version_status = 'superseded') = (superseded_time is not null)),
  check (superseded_time >= effective_time),
  constraint app_contract_version_in_force exclude using gist (
    int8range(hashtextextended(contract_no, 0), hashtextextended(contract_no, 0), '[]') with &&,
    tstzrange(effective_time, superseded_time) with &&
  ) where (version_status in ('effective', 'superseded'))
);
create unique index app_contract_version_open on app_contract_version (contract_no) where version_status in ('draft', 'pending', 'rejected');
create unique index app_contract_version_scheduled on app_contract_version (contract_no) where version_status = 'scheduled';
create index app_contract_version_of on app_contract_version (contract_no, created_time);
create index app_contract_version_start on app_contract_version (effective_time) where version_status = 'scheduled';
create trigger app_contract_version_status_guard before update on app_contract_version for each row when (old.version_status is distinct from new.version_status) execute function guard_status('version_status');
create trigger app_contract_version_agreed before update or delete on app_contract_version for each row execute function refuse_agreed_change();

-- What an order was agreed to by: the text as it was filled in, and what proves that it is that text. Never changed.
create table order_contract (
  loan_code text not null references loan_code, order_no text not null references loan_order, contract_no text not null references app_contract, version_no text not null references app_contract_version,
  contract_type text not null, signed_time timestamptz not null, sha256 text not null, text_zh text not null, text_en text not null, text_sw text not null,
  primary key (loan_code, contract_no)
);
create index order_contract_order on order_contract (order_no, signed_time);
create index order_contract_version on order_contract (version_no);
create trigger order_contract_fixed before update or delete on order_contract for each row execute function refuse_change();
