-- Versions of the apps, which devices have them, and how many each day.
create table app_version (
  version_no text primary key, version_status text not null, app_code text not null, os text not null check (os in ('android', 'ios', 'h5', 'console')),
  version_name text not null, version_code int not null check (version_code > 0),
  package_file_no text unique references upload, package_size bigint, sha256 text, store_url text,
  min_version_code int check (min_version_code <= version_code), release_notes jsonb not null,
  force_update boolean not null default false, gray_percent int check (gray_percent between 1 and 100), release_time timestamptz, withdraw_reason text,
  created_by text not null, created_name text not null, created_time timestamptz not null, version int not null default 0,
  unique (app_code, os, version_name), unique (app_code, os, version_code),
  check ((package_file_no is null) = (sha256 is null) and (package_file_no is null) = (package_size is null))
);
create index app_version_code on app_version (version_code, version_no);
create index app_version_released on app_version (release_time, version_no);
create trigger app_version_status_guard before update on app_version for each row when (old.version_status is distinct from new.version_status) execute function guard_status('version_status');
create trigger app_version_fixed before update of app_code, os, version_name, version_code, package_file_no, package_size, sha256, store_url, min_version_code, created_by, created_time on app_version for each row execute function refuse_change();
-- The device bucket only grows: whoever was offered a version is not left without it.
create function refuse_narrower() returns trigger language plpgsql as $$
begin
  if new.gray_percent < old.gray_percent then raise exception 'a release only widens' using errcode = 'check_violation'; end if;
  return new;
end $$;
create trigger app_version_widens before update of gray_percent on app_version for each row execute function refuse_narrower();

-- A device by the hash of its number, with the version that it had when it last asked.
create table app_device (
  app_code text not null, os text not null, device_hash text not null, version_code int not null, seen_date date not null, primary key (app_code, os, device_hash)
);
create index app_device_version on app_device (app_code, os, version_code, seen_date);

-- Devices that asked on a day with a version.
create table app_version_day (
  app_code text not null, os text not null, version_code int not null, business_date date not null, device_count int not null check (device_count >= 0),
  primary key (app_code, os, version_code, business_date)
);
