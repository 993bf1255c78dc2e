-- Ways that people come to an app: what each may cost, where it leads, and what its network hears.
create table promotion_channel (
  channel_no text primary key, enabled text not null, promotion_channel text not null check (promotion_channel ~ '^[A-Za-z0-9_-]{2,32}$'),
  channel_name text not null, media text not null, merchant_no text not null references merchant, app_code text not null,
  owner_user_no text not null references app_user, cost_mode text not null check (cost_mode in ('cpa', 'cps', 'cpc', 'fixed')),
  unit_price numeric(18,2) not null check (unit_price >= 0), daily_budget numeric(18,2) not null check (daily_budget >= 0),
  daily_register_cap int not null check (daily_register_cap >= 0), landing_url text not null, start_date date, end_date date,
  postback_url text, postback_events text[] not null default '{}', postback_host text, agreed_host text,
  created_time timestamptz not null, updated_by text not null, updated_time timestamptz not null, deleted_time timestamptz, version int not null default 0,
  check (start_date <= end_date), check ((postback_url is null) = (postback_host is null))
);
-- A code is never used again, whatever its letters, even after its channel was deleted: links live on.
create unique index promotion_channel_code on promotion_channel (lower(promotion_channel));
create index promotion_channel_updated on promotion_channel (updated_time, channel_no) where deleted_time is null;
create index promotion_channel_merchant on promotion_channel (merchant_no) where deleted_time is null;
create index promotion_channel_owner on promotion_channel (owner_user_no);
create trigger promotion_channel_enabled_guard before update on promotion_channel for each row when (old.enabled is distinct from new.enabled) execute function guard_status('enabled');
create trigger promotion_channel_fixed before update of channel_no, promotion_channel, created_time on promotion_channel for each row execute function refuse_change();

-- Who followed a link, as a number alone; `led_to` says why one was led to the ordinary page.
create table channel_click (
  click_id text primary key, channel_no text not null references promotion_channel, click_time timestamptz not null,
  led_to text not null check (led_to in ('open', 'off', 'not_started', 'ended', 'at_cap', 'over_budget'))
);
create index channel_click_of on channel_click (channel_no, click_time);
create index channel_click_age on channel_click (click_time);

-- The channel that brought a customer, for ever.
create table customer_channel (
  customer_no text primary key references customer, channel_no text not null references promotion_channel,
  click_id text not null unique references channel_click, click_time timestamptz not null, register_time timestamptz not null,
  check (click_time <= register_time)
);
create index customer_channel_of on customer_channel (channel_no, register_time);
create index customer_channel_time on customer_channel (register_time);
create trigger customer_channel_fixed before update on customer_channel for each row execute function refuse_change();

-- What a channel cost on a day. An amount is never changed: another one takes its place.
create table channel_cost (
  cost_no text primary key, channel_no text not null references promotion_channel, cost_date date not null, amount numeric(18,2) not null check (amount >= 0),
  remark text, cost_source text not null check (cost_source in ('entered', 'imported')), created_by text not null, created_time timestamptz not null, replaced_time timestamptz
);
create unique index channel_cost_in_force on channel_cost (channel_no, cost_date) where replaced_time is null;
create index channel_cost_made on channel_cost (created_time, cost_no);
create index channel_cost_of on channel_cost (channel_no, created_time);
create index channel_cost_day on channel_cost (cost_date, cost_no);
create trigger channel_cost_fixed before update of cost_no, channel_no, cost_date, amount, remark, cost_source, created_by, created_time on channel_cost for each row execute function refuse_change();
create trigger channel_cost_ended before update of replaced_time on channel_cost for each row when (old.replaced_time is not null) execute function refuse_change();

-- What a channel brought and cost by business date, with the price that held on it.
create table channel_stat_daily (
  channel_no text not null references promotion_channel, stat_date date not null,
  click_count int not null, register_count int not null, incoming_count int not null, pass_count int not null, paid_out_count int not null,
  payout_amount numeric(18,2) not null, first_due_count int not null, first_bad_count int not null, first_paid_count int not null,
  cost_mode text not null, unit_price numeric(18,2) not null, cost_amount numeric(18,2) not null check (cost_amount >= 0), primary key (channel_no, stat_date)
);
create index channel_stat_daily_date on channel_stat_daily (stat_date);

-- What networks hear: that something happened to a click, once for each event.
create table channel_postback (
  postback_no text primary key, channel_no text not null references promotion_channel, click_id text not null references channel_click,
  launch_event text not null check (launch_event in ('register', 'apply', 'pass', 'payout')), event_time timestamptz not null,
  delivery text not null default 'waiting' check (delivery in ('waiting', 'delivered', 'dead')), tries int not null default 0,
  answer_code int, answer_text text, created_time timestamptz not null, last_try_time timestamptz,
  unique (click_id, launch_event)
);
create index channel_postback_made on channel_postback (created_time, postback_no);
create index channel_postback_of on channel_postback (channel_no, created_time);
create trigger channel_postback_fixed before update of channel_no, click_id, launch_event, event_time, created_time on channel_postback for each row execute function refuse_change();
