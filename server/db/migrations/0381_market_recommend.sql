-- Which product is put before which customers, in which place of an app.
create table market_recommend (
  recommend_no text primary key, product_status text not null, recommend_name text not null, slot text not null,
  market_product_no text not null references market_product, recommend_quota numeric(18,2), customer_statuses text[] not null default '{}', vip_level_min text,
  refused_only boolean not null default false, weight int not null check (weight between 1 and 100), start_time timestamptz not null, end_time timestamptz not null, reason_text jsonb,
  submitted_by text, operated_by text, reason text,
  created_time timestamptz not null, updated_by text not null, updated_time timestamptz not null, version int not null default 0,
  check (start_time < end_time)
);
create unique index market_recommend_name on market_recommend (slot, lower(recommend_name));
create index market_recommend_updated on market_recommend (updated_time, recommend_no);
create index market_recommend_product on market_recommend (market_product_no);
create index market_recommend_running on market_recommend (slot, end_time) where product_status = 'online';
create trigger market_recommend_status_guard before update on market_recommend for each row when (old.product_status is distinct from new.product_status) execute function guard_status('product_status');
create index market_click_recommend on market_click (recommend_no, business_date) where recommend_no <> '';
create index market_shown_recommend on market_shown (recommend_no, business_date) where recommend_no <> '';
