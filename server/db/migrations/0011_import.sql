-- Files that were taken in: who brought what, how far it is, and where its result lies until it expires.
create table import_job (
  import_no text primary key, user_no text not null references app_user, import_status text not null,
  import_list text not null, import_format text not null, upload_no text not null, file_name text not null, sha256 text not null, language text not null,
  columns text[] not null default '{}', ignored text[] not null default '{}', row_count int, rows_read int not null default 0, read_to bigint not null default 0,
  valid_count int not null default 0, wrong_count int not null default 0, duplicate_count int not null default 0, ok_count int not null default 0, fail_count int not null default 0,
  sums jsonb not null default '{}', row_cursor int not null default 0, fail_reason text, fail_params jsonb not null default '{}',
  file_id text not null unique, written jsonb, written_to int not null default 0, file_size bigint, approval_no text,
  request_time timestamptz not null, confirm_time timestamptz, finish_time timestamptz, expire_time timestamptz, version int not null default 0
);
create index import_job_user on import_job (user_no, request_time desc);
create index import_job_hash on import_job (sha256, request_time);
create index import_job_live on import_job (request_time) where import_status in ('uploaded', 'validating', 'preview', 'running');
create index import_job_expire on import_job (expire_time) where expire_time is not null;
create trigger import_job_status_guard before update on import_job for each row when (old.import_status is distinct from new.import_status) execute function guard_status('import_status');

-- The rows of a file, and what became of each: `effect_no` is the record that a row made. Their cells go when the result expires.
create table import_row (
  import_no text not null references import_job on delete cascade, row_no int not null, row_key text, row_status text not null check (row_status in ('valid', 'wrong', 'duplicate', 'done', 'failed')),
  cells text[], messages jsonb not null default '[]', effect_no text, primary key (import_no, row_no), check (row_status <> 'done' or effect_no is not null)
);
create unique index import_row_key on import_row (import_no, row_key) where row_status in ('valid', 'done', 'failed');
create index import_row_wrong on import_row (import_no, row_no) where row_status in ('wrong', 'duplicate', 'failed');

-- The file by which somebody first confirmed a payout, and what it says of a failure.
alter table loan_code_confirm add column import_no text references import_job, add column fail_reason text;
create index loan_code_confirm_import on loan_code_confirm (import_no) where import_no is not null;
