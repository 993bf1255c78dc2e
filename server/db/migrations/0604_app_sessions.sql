-- What apps report of how often they were used and how often they closed by a fault, by version and day.
alter table app_version_day
  add column session_count int not null default 0 check (session_count >= 0),
  add column crash_count int not null default 0 check (crash_count between 0 and session_count);
create index app_device_seen on app_device (seen_date);
