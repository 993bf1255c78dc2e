-- People who bring customers: the channels they work on, the code of their link, and whom they brought.
create table traffic_person (
  user_no text primary key references app_user, group_no text, group_head boolean not null default false,
  principal_merchant_no text references merchant, associated_merchant_nos text[] not null default '{}',
  traffic_kind text not null default 'employee' check (traffic_kind in ('employee', 'promoter')),
  promoter_code text, ai_employee boolean not null default false, gone_time timestamptz,
  created_time timestamptz not null, updated_by text not null, updated_time timestamptz not null, version int not null default 0
);
-- Channels fall to the head of a group, of whom there is one.
create unique index traffic_person_head on traffic_person (lower(group_no)) where group_head and gone_time is null;
create index traffic_person_updated on traffic_person (updated_time, user_no);

-- A code belongs to one person for ever, whatever its letters: links are printed on paper.
create table traffic_promo_code (
  promo_code text primary key check (promo_code ~ '^[A-Za-z0-9]{4,12}$'), user_no text not null references app_user, created_time timestamptz not null
);
create unique index traffic_promo_code_one on traffic_promo_code (lower(promo_code));
create index traffic_promo_code_of on traffic_promo_code (user_no);
create trigger traffic_promo_code_fixed before update or delete on traffic_promo_code for each row execute function refuse_change();

-- Who works on which channel, and did.
create table traffic_channel (
  user_no text not null references app_user, channel_no text not null references promotion_channel,
  from_time timestamptz not null, until_time timestamptz, primary key (user_no, channel_no, from_time)
);
create unique index traffic_channel_now on traffic_channel (user_no, channel_no) where until_time is null;
create index traffic_channel_of on traffic_channel (channel_no) where until_time is null;
create trigger traffic_channel_ended before update on traffic_channel for each row when (old.until_time is not null) execute function refuse_change();

-- Whose link was followed.
alter table channel_click add column promoter_no text references app_user;

-- The person who brought a customer, for ever.
create table customer_promoter (
  customer_no text primary key references customer, promoter_no text not null references app_user,
  channel_no text not null references promotion_channel, register_time timestamptz not null
);
create index customer_promoter_of on customer_promoter (promoter_no, register_time);
create index customer_promoter_time on customer_promoter (register_time);
create trigger customer_promoter_fixed before update on customer_promoter for each row execute function refuse_change();

-- What a person brought over a channel by business date, with their part of what it cost.
create table traffic_stat_daily (
  user_no text not null references app_user, channel_no text not null references promotion_channel, stat_date date not null,
  register_count int not null, incoming_count int not null, paid_out_count int not null, payout_amount numeric(18,2) not null,
  cost_amount numeric(18,2) not null check (cost_amount >= 0), primary key (user_no, channel_no, stat_date)
);
create index traffic_stat_daily_date on traffic_stat_daily (stat_date, user_no);
