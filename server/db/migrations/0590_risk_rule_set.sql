-- Sets of rules, each with dated versions that hold the rules themselves.
create table risk_rule_set (
  rule_set_no text primary key, enabled text not null, rule_set_name text not null, stage text not null check (stage in ('admission', 'antifraud', 'credit')), sort int not null default 1,
  created_time timestamptz not null, updated_by text not null, updated_time timestamptz not null, deleted_time timestamptz, version int not null default 0
);
comment on column risk_rule_set.sort is 'Smaller first, within a stage.';
create unique index risk_rule_set_named on risk_rule_set (rule_set_name) where deleted_time is null;
create trigger risk_rule_set_fixed before update of rule_set_no, stage, created_time on risk_rule_set for each row execute function refuse_change();
create index risk_rule_set_updated on risk_rule_set (updated_time, rule_set_no) where deleted_time is null;
create index risk_rule_set_stage on risk_rule_set (stage, sort, rule_set_no) where deleted_time is null;
create trigger risk_rule_set_enabled_guard before update on risk_rule_set for each row when (old.enabled is distinct from new.enabled) execute function guard_status('enabled');

create table risk_rule_set_version (
  version_no text primary key, version_status text not null, rule_set_no text not null references risk_rule_set, content jsonb not null,
  effective_time timestamptz, superseded_time timestamptz, reason text, approval_no text,
  maker_no text not null, maker_name text not null, checker_no text, checker_name text, start_fault text,
  created_time timestamptz not null, version int not null default 0,
  emergency_until timestamptz, kept_time timestamptz, kept_by text,
  check (version_status not in ('scheduled', 'effective', 'superseded') or effective_time is not null),
  check ((version_status = 'superseded') = (superseded_time is not null)),
  check (superseded_time >= effective_time),
  constraint risk_rule_set_version_in_force exclude using gist (
    int8range(hashtextextended(rule_set_no, 0), hashtextextended(rule_set_no, 0), '[]') with &&,
    tstzrange(effective_time, superseded_time) with &&
  ) where (version_status in ('effective', 'superseded'))
);
comment on column risk_rule_set_version.content is 'Whose orders are asked about, how, and the rules themselves.';
create unique index risk_rule_set_version_open on risk_rule_set_version (rule_set_no) where version_status in ('draft', 'pending', 'rejected');
create unique index risk_rule_set_version_scheduled on risk_rule_set_version (rule_set_no) where version_status = 'scheduled';
create index risk_rule_set_version_of on risk_rule_set_version (rule_set_no, created_time);
create index risk_rule_set_version_start on risk_rule_set_version (effective_time) where version_status = 'scheduled';
create index risk_rule_set_version_in_effect on risk_rule_set_version (rule_set_no) where version_status = 'effective';
create trigger risk_rule_set_version_status_guard before update on risk_rule_set_version for each row when (old.version_status is distinct from new.version_status) execute function guard_status('version_status');
create trigger risk_rule_set_version_agreed before update or delete on risk_rule_set_version for each row execute function refuse_agreed_change();
create index risk_rule_set_version_emergency on risk_rule_set_version (emergency_until) where version_status = 'effective' and emergency_until is not null and kept_time is null;

-- What was known of an application when it was decided; never changed.
create table risk_fact_snapshot (
  order_no text not null references loan_order, eval_no int not null check (eval_no > 0), facts jsonb not null, created_time timestamptz not null,
  primary key (order_no, eval_no)
);
create trigger risk_fact_snapshot_fixed before update or delete on risk_fact_snapshot for each row execute function refuse_change();

-- What was decided, by which versions, and why.
create table risk_decision (
  decision_no text primary key, order_no text not null references loan_order, eval_no int not null, decision text not null check (decision in ('refuse', 'review', 'approve')),
  refuse_code text, model_no text, model_version int, model_score int, model_level text, suggested_amount numeric(18,2), price_version_no text,
  rule_versions text[] not null, rule_sets jsonb not null, inputs jsonb not null, result_hash text not null, list_hits jsonb not null default '[]',
  duration_ms int not null check (duration_ms >= 0), decided_time timestamptz not null,
  unique (order_no, eval_no), foreign key (order_no, eval_no) references risk_fact_snapshot,
  check ((decision = 'refuse') = (refuse_code is not null))
);
comment on column risk_decision.inputs is 'What besides the facts the decision rests on: the limits of the product, the band and what the model said.';
comment on column risk_decision.result_hash is 'Of all that was found and decided: computing it again from facts, inputs and versions gives the same.';
create trigger risk_decision_fixed before update or delete on risk_decision for each row execute function refuse_change();
create index risk_decision_time on risk_decision (decided_time, decision_no);
create index risk_decision_kind on risk_decision (decision, decided_time, decision_no);
create index risk_decision_code on risk_decision (refuse_code, decided_time, decision_no) where refuse_code is not null;

-- What each rule found that was not a plain miss.
create table risk_decision_hit (
  decision_no text not null references risk_decision, hit_no int not null, rule_set_no text not null, version_no text not null, rule_no text not null,
  rule_action text not null, rule_mode text not null check (rule_mode in ('enforce', 'shadow')), outcome text not null check (outcome in ('hit', 'unknown')),
  refuse_code text, acts boolean not null, decided_time timestamptz not null, primary key (decision_no, hit_no)
);
comment on column risk_decision_hit.acts is 'It counted: an enforced hit, or an enforced rule that cannot tell and asks for an auditor.';
create trigger risk_decision_hit_fixed before update or delete on risk_decision_hit for each row execute function refuse_change();
create index risk_decision_hit_of on risk_decision_hit (rule_set_no, rule_no, decided_time);
create index risk_decision_hit_rule on risk_decision_hit (rule_no, decision_no);
