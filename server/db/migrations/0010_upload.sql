-- Files on their way from a person to a record: what was announced, what of it is there, and what was stored in the end.
create table upload (
  upload_no text primary key, user_no text not null references app_user, upload_status text not null,
  purpose text not null, file_name text not null, extension text not null, size bigint not null, sha256 text not null, chunk_bytes int not null,
  file_id text not null unique, file_type text, file_size bigint, file_sha256 text, width int, height int, refusal text,
  created_time timestamptz not null, expire_time timestamptz not null, version int not null default 0
);
create index upload_user on upload (user_no, purpose) where upload_status in ('token_issued', 'receiving', 'ready');
create index upload_expire on upload (expire_time) where upload_status in ('token_issued', 'receiving', 'ready');
create trigger upload_status_guard before update on upload for each row when (old.upload_status is distinct from new.upload_status) execute function guard_status('upload_status');

-- The pieces of a file that are stored; gone when the file is whole, or when nobody will ever need it.
create table upload_chunk (
  upload_no text not null references upload on delete cascade, chunk_no int not null, sha256 text not null, primary key (upload_no, chunk_no)
);

-- Which record a file belongs to. What was taken away stays here, with who did it.
create table attachment (
  attach_no text primary key, upload_no text not null references upload, object_type text not null, object_no text not null, attach_type text not null,
  uploaded_by text not null, uploaded_by_name text not null, uploaded_time timestamptz not null, removed_by text, removed_time timestamptz
);
create unique index attachment_live on attachment (upload_no) where removed_time is null;
create index attachment_object on attachment (object_type, object_no, uploaded_time);
