-- Tests of a version of a rule set on past orders: what was asked for, how far it is, and what it found.
create table risk_test_run (
  test_no text primary key, test_status text not null, rule_set_no text not null, version_no text not null, stage text not null, sort int not null, content jsonb not null,
  sample_from date not null, sample_to date not null check (sample_to >= sample_from), merchant_nos text[] not null default '{}', product_nos text[] not null default '{}', loan_kinds text[] not null default '{}',
  sample_most int not null check (sample_most > 0), seed int not null, sample_count int, done_count int not null default 0 check (done_count >= 0 and done_count <= coalesce(sample_count, 0)),
  result jsonb, created_by text not null, created_time timestamptz not null, finished_time timestamptz, version int not null default 0,
  check (test_status <> 'done' or (done_count = sample_count and finished_time is not null))
);
comment on column risk_test_run.content is 'What the version held when the test was asked for: a draft may change afterwards.';
comment on column risk_test_run.done_count is 'Orders of the sample that were decided again; the next part begins behind them.';
create index risk_test_run_made on risk_test_run (created_time, test_no);
create index risk_test_run_of on risk_test_run (rule_set_no, finished_time);
create index risk_test_run_open on risk_test_run (test_no) where test_status in ('queued', 'running');
create trigger risk_test_run_status_guard before update on risk_test_run for each row when (old.test_status is distinct from new.test_status) execute function guard_status('test_status');
create trigger risk_test_run_fixed before update of rule_set_no, version_no, stage, sort, content, sample_from, sample_to, merchant_nos, product_nos, loan_kinds, sample_most, seed, created_by, created_time on risk_test_run
  for each row execute function refuse_change();

-- The orders of a test that is under way, in the order that its seed gave them.
create table risk_test_sample (test_no text primary key references risk_test_run, decision_nos text[] not null);

-- Orders that the version decides otherwise.
create table risk_test_row (
  test_row_no text primary key, test_no text not null references risk_test_run, order_no text not null references loan_order, decision_no text not null,
  old_decision text not null, new_decision text not null, old_code text, new_code text, new_hits text[] not null, gone_hits text[] not null, went_bad boolean, unique (test_no, order_no)
);
create trigger risk_test_row_fixed before update or delete on risk_test_row for each row execute function refuse_change();
create index risk_test_row_order on risk_test_row (order_no, test_row_no);
