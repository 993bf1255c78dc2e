-- Which account carries which texts: by merchant or app, network and scene, shared by weights, with the order in which others step in.
create table sms_route_verify (
  route_no text primary key, enabled text not null, merchant_no text references merchant, app_code text,
  network text not null check (network in ('mtn', 'airtel', 'other', 'any')), scenes text[] not null default '{}', account_no text not null,
  sender_id text not null check (sender_id ~ '^([A-Za-z0-9]{3,11}|[0-9]{3,15})$'), route_weight int not null check (route_weight between 0 and 100),
  failover_order int not null check (failover_order between 1 and 9), texts_a_day int check (texts_a_day >= 0), window_start text, window_end text,
  skipped_until timestamptz, why_skipped text,
  created_time timestamptz not null, updated_by text not null, updated_time timestamptz not null, deleted_time timestamptz, version int not null default 0,
  check (window_start < window_end), check (merchant_no is null or app_code is null)
);
create index sms_route_verify_updated on sms_route_verify (updated_time, route_no) where deleted_time is null;
create trigger sms_route_verify_enabled_guard before update on sms_route_verify for each row when (old.enabled is distinct from new.enabled) execute function guard_status('enabled');

create table sms_route_marketing (like sms_route_verify including defaults including constraints, primary key (route_no));
alter table sms_route_marketing add foreign key (merchant_no) references merchant;
create index sms_route_marketing_updated on sms_route_marketing (updated_time, route_no) where deleted_time is null;
create trigger sms_route_marketing_enabled_guard before update on sms_route_marketing for each row when (old.enabled is distinct from new.enabled) execute function guard_status('enabled');

alter table message add column route_no text;
create index message_route on message (route_no, send_time) where route_no is not null;

-- Numbers that belong to another network than their prefix says.
create table sms_network (
  phone text primary key, network text not null check (network in ('mtn', 'airtel', 'other')), reason text not null, updated_by text not null, updated_time timestamptz not null
);
