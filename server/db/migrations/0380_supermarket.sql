-- The loan supermarket: platforms, their products, what was shown, clicked, and reported back by partners.
create table supermarket_platform (
  platform_no text primary key, enabled text not null, platform_name text not null,
  platform_kind text not null check (platform_kind in ('own', 'partner')), legal_name text not null, licence_no text not null, licence_expiry date not null,
  contact_person text not null, contact_email text not null, allowed_hosts text not null,
  settlement_mode text not null check (settlement_mode in ('cpa', 'cps', 'free')), unit_price numeric(18,2), share_percent numeric(5,2), consent_text jsonb not null,
  key_turn int not null default 0, key_time timestamptz,
  created_time timestamptz not null, updated_by text not null, updated_time timestamptz not null, deleted_time timestamptz, version int not null default 0,
  check ((settlement_mode = 'cpa') = (unit_price is not null)), check ((settlement_mode = 'cps') = (share_percent is not null))
);
comment on column supermarket_platform.key_turn is 'Which of its keys is in use; the keys themselves follow from the secret of the installation.';
create unique index supermarket_platform_name on supermarket_platform (lower(platform_name)) where deleted_time is null;
create index supermarket_platform_updated on supermarket_platform (updated_time, platform_no) where deleted_time is null;
create trigger supermarket_platform_enabled_guard before update on supermarket_platform for each row when (old.enabled is distinct from new.enabled) execute function guard_status('enabled');

create table market_product (
  market_product_no text primary key, product_status text not null, platform_no text not null references supermarket_platform,
  draft_of text references market_product, source_product_no text references product,
  market_product_name text not null, logo text, slogan jsonb, amount_min numeric(18,2) not null, amount_max numeric(18,2) not null,
  term_min int not null, term_max int not null, term_unit text not null, rate_month_min numeric(5,2) not null, rate_month_max numeric(5,2) not null,
  all_in_month_rate numeric(5,2), fee_text jsonb, conditions jsonb, required_docs jsonb, apply_url text not null,
  app_codes text[] not null default '{}', customer_types text[] not null default '{}', vip_level_min text, badge text, sort int, online_time timestamptz, offline_time timestamptz,
  daily_click_cap int, settlement_price numeric(18,2),
  submitted_by text, operated_by text, reason text, cap_reason text, online_since timestamptz,
  link_time timestamptz, link_fault text, link_failures int not null default 0,
  created_time timestamptz not null, updated_by text not null, updated_time timestamptz not null, deleted_time timestamptz, version int not null default 0,
  check (amount_min > 0 and amount_min <= amount_max), check (term_min > 0 and term_min <= term_max), check (rate_month_min <= rate_month_max)
);
create unique index market_product_name on market_product (platform_no, lower(market_product_name)) where deleted_time is null and draft_of is null;
create unique index market_product_draft on market_product (draft_of) where deleted_time is null and draft_of is not null;
create index market_product_updated on market_product (updated_time, market_product_no) where deleted_time is null;
create index market_product_online on market_product (sort, market_product_no) where product_status = 'online' and deleted_time is null;
create trigger market_product_status_guard before update on market_product for each row when (old.product_status is distinct from new.product_status) execute function guard_status('product_status');

create table market_shown (
  business_date date not null, market_product_no text not null references market_product, app_code text not null, slot text not null, recommend_no text not null default '',
  shown_count int not null, primary key (market_product_no, business_date, app_code, slot, recommend_no)
);
create table market_click (
  click_id text primary key, market_product_no text not null references market_product, platform_no text not null references supermarket_platform,
  customer_no text not null references customer, app_code text not null, slot text not null, recommend_no text not null default '',
  click_time timestamptz not null, business_date date not null
);
create index market_click_product on market_click (market_product_no, business_date);
create index market_click_platform on market_click (platform_no, click_time);
create index market_click_time on market_click (click_time, click_id);
create index market_click_customer on market_click (customer_no, market_product_no);
-- How many were handed over today, so that a cap is never passed.
create table market_clicks_today (
  market_product_no text not null references market_product, business_date date not null, taken int not null, primary key (market_product_no, business_date)
);
create table market_postback (
  postback_no text primary key, platform_no text not null references supermarket_platform, event_id text not null, click_id text not null, market_event text not null,
  postback_result text not null, amount numeric(18,2), revenue_amount numeric(18,2) not null default 0, received_time timestamptz not null, deliveries int not null default 1
);
create unique index market_postback_event on market_postback (platform_no, event_id) where postback_result = 'accepted';
create unique index market_postback_once on market_postback (click_id, market_event) where postback_result = 'accepted';
create index market_postback_time on market_postback (received_time, postback_no);
create index market_postback_platform on market_postback (platform_no, received_time);
