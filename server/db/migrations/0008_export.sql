-- Lists written to files: who asked for what, how far it is, and where the file lies until it expires.
create table export_job (
  export_no text primary key, user_no text not null references app_user, export_status text not null,
  export_list text not null, export_format text not null, filters jsonb not null default '{}', columns text[] not null, sort text not null, reason text, language text not null,
  row_count int not null default 0, rows_done int not null default 0, chunks_done int not null default 0, restarts int not null default 0, written jsonb,
  file_id text not null unique, file_size bigint, fail_reason text,
  request_time timestamptz not null, finish_time timestamptz, expire_time timestamptz, version int not null default 0
);
create index export_job_user on export_job (user_no, request_time desc);
create index export_job_expire on export_job (expire_time) where export_status = 'ready';
create index export_job_live on export_job (request_time) where export_status in ('queued', 'running');
create trigger export_job_status_guard before update on export_job for each row when (old.export_status is distinct from new.export_status) execute function guard_status('export_status');

-- The keys of the rows of an export, in the order of its list, as it found them when it began; gone when it ends.
create table export_chunk (
  export_no text not null references export_job on delete cascade, chunk_no int not null, row_keys text[] not null, primary key (export_no, chunk_no)
);
