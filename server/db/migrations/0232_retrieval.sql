-- Refused orders that are taken back to the queue in batches, entered or from a file, and may be returned to exactly where they were.
create table retrieval_batch (
  retrieval_batch_no text primary key, batch_status text not null,
  source text not null check (source in ('entered', 'imported')), file_name text, import_no text unique,
  total int not null default 0, ok_count int not null default 0, fail_count int not null default 0, row_cursor int not null default 0,
  created_by text not null, created_time timestamptz not null, confirm_time timestamptz, finished_time timestamptz, version int not null default 0
);
create index retrieval_batch_created on retrieval_batch (created_time, retrieval_batch_no);
create trigger retrieval_batch_status_guard before update on retrieval_batch for each row when (old.batch_status is distinct from new.batch_status) execute function guard_status('batch_status');

-- What was entered, line by line, as it stands until the batch is confirmed.
create table retrieval_entry (
  retrieval_batch_no text not null references retrieval_batch, row_no int not null, entered_no text not null,
  primary key (retrieval_batch_no, row_no)
);

create table order_retrieval (
  retrieval_no text primary key, retrieval_batch_no text not null references retrieval_batch,
  entered_no text not null,
  -- None where the number is no order that the one who entered it may see.
  order_no text references loan_order,
  retrieval_status text not null, status_before text,
  -- The order as it was, for the way back.
  before jsonb, fail_reason text,
  created_by text not null, created_time timestamptz not null, finished_time timestamptz, version int not null default 0
);
create unique index order_retrieval_open on order_retrieval (order_no) where retrieval_status = 'retrieved';
create index order_retrieval_created on order_retrieval (created_time, retrieval_no);
create index order_retrieval_batch on order_retrieval (retrieval_batch_no, retrieval_no);
create trigger order_retrieval_status_guard before update on order_retrieval for each row when (old.retrieval_status is distinct from new.retrieval_status) execute function guard_status('retrieval_status');

-- Where the order of a payout that is taken back goes once its money is here; it is cancelled where nothing is said.
alter table loan_code add column revert_to text;
