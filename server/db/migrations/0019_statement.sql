-- What networks and banks say happened to accounts of ours, and how it agrees with the books.

-- One statement of an account and day. What comes again with another content is a statement of its own; the newest counts.
create table statement (
  statement_no text primary key, fund_account_no text not null references fund_account, statement_date date not null,
  opening numeric(18,2) not null, closing numeric(18,2) not null, line_sum numeric(18,2) not null, line_count int not null,
  source text not null check (source in ('channel', 'import')), file_hash text not null, created_by text not null, created_time timestamptz not null,
  unique (fund_account_no, statement_date, file_hash)
);
create trigger statement_fixed before update or delete on statement for each row execute function refuse_change();

-- `relates_to`: the serial number of the payment that a fee or a reversal is about. Lines and bookings of one `match_no` add up to the same.
create table statement_line (
  line_no text primary key, statement_no text not null references statement, fund_account_no text not null references fund_account, statement_date date not null,
  serial_no text not null, direction text not null check (direction in ('in', 'out')), line_kind text not null check (line_kind in ('payment', 'fee', 'reversal')),
  amount numeric(18,2) not null check (amount > 0), entry_time timestamptz not null, reference text, relates_to text, payer_name text, payer_account text, narrative text,
  line_status text not null, match_no text, suggested_booking_no bigint, version int not null default 0,
  unique (fund_account_no, serial_no, direction, line_kind)
);
create index statement_line_open on statement_line (fund_account_no, line_no) where line_status in ('new', 'suggested');
create index statement_line_day on statement_line (fund_account_no, statement_date, entry_time);
create index statement_line_time on statement_line (entry_time desc, line_no);
create index statement_line_match on statement_line (match_no) where match_no is not null;
create trigger statement_line_status_guard before update on statement_line for each row when (old.line_status is distinct from new.line_status) execute function guard_status('line_status');
create trigger statement_line_fixed before update of statement_no, fund_account_no, statement_date, serial_no, direction, line_kind, amount, entry_time, reference, relates_to on statement_line
  for each row execute function refuse_change();
create trigger statement_line_matched before update on statement_line for each row
  when (old.match_no is not null and new.match_no is distinct from old.match_no) execute function refuse_change();
create trigger statement_line_kept before delete on statement_line for each row execute function refuse_change();

-- Bookings of an own account, lines of the ledger, that a statement explains or that cancel each other out. Without a number they
-- make good what an item says by itself.
create table matched_booking (booking_no bigint primary key, fund_account_no text not null references fund_account, match_no text);
create index matched_booking_match on matched_booking (match_no) where match_no is not null;
create trigger matched_booking_fixed before update or delete on matched_booking for each row execute function refuse_change();

create table recon_run (
  recon_no text primary key, fund_account_no text not null references fund_account, recon_date date not null, statement_no text references statement,
  opening_statement numeric(18,2), closing_statement numeric(18,2), opening_ledger numeric(18,2) not null, closing_ledger numeric(18,2) not null,
  in_flight numeric(18,2) not null default 0, matched_count int not null default 0, matched_sum numeric(18,2) not null default 0, open_count int not null default 0, open_sum numeric(18,2) not null default 0,
  unexplained numeric(18,2), recon_result text not null, run_time timestamptz not null, version int not null default 0, unique (fund_account_no, recon_date),
  check (unexplained = closing_statement - closing_ledger - in_flight - open_sum)
);
create index recon_run_date on recon_run (recon_date desc, recon_no);

-- `gap` is what the statement says beyond the books from `gap_date` on, until `gap_until`; an item that the books know already has none.
alter table recon_item
  add column fund_account_no text references fund_account, add column line_no text references statement_line, add column booking_no bigint,
  add column gap numeric(18,2) not null default 0, add column gap_date date, add column gap_until date,
  add column handler_no text, add column handler_name text, add column recon_cause text;
update recon_item i set fund_account_no = a.fund_account_no from gateway_attempt a where a.external_id = i.reference;
update recon_item i set fund_account_no = f.fund_account_no from repay_flow f where i.object_type = 'flow' and f.flow_no = i.object_no and i.fund_account_no is null;
alter table recon_item drop constraint recon_item_recon_kind_reference_key;
create unique index recon_item_reference on recon_item (recon_kind, reference) where line_no is null and booking_no is null;
create unique index recon_item_line on recon_item (line_no) where line_no is not null;
create unique index recon_item_booking on recon_item (booking_no) where booking_no is not null;
create index recon_item_gap on recon_item (fund_account_no, gap_date) where gap <> 0;
create index recon_item_time on recon_item (created_time desc, recon_item_no);
