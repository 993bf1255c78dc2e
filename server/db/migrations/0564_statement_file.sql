-- Files in which people brought statements of our accounts. A row is evidence: it stays as it is.
create table statement_file (
  file_no text primary key, fund_account_no text not null references fund_account, sha256 text not null, upload_no text not null references upload,
  statement_format text not null check (statement_format in ('template', 'mt940', 'camt053')), from_date date not null, to_date date not null check (to_date >= from_date),
  line_count int not null, added_count int not null, known_count int not null, brought_by text not null, brought_time timestamptz not null
);
create index statement_file_same on statement_file (fund_account_no, sha256);
create trigger statement_file_fixed before update or delete on statement_file for each row execute function refuse_change();
