-- Versions of risk models: what each is never changes, and which role it has is dated.
create table risk_model (
  model_version_no text primary key, enabled text not null, model_no text not null, model_version int not null check (model_version > 0),
  model_name text not null, model_kind text not null check (model_kind in ('scorecard', 'external')),
  score_min int not null, score_max int not null check (score_max > score_min),
  base_points int, bins jsonb, endpoint text, fact_keys text[], sha256 text not null, psi_look numeric not null check (psi_look > 0), psi_act numeric not null,
  examples jsonb not null default '[]', development jsonb, credential text,
  created_time timestamptz not null, updated_by text not null, updated_time timestamptz not null, deleted_time timestamptz, version int not null default 0,
  check (psi_act > psi_look),
  check ((model_kind = 'scorecard') = (bins is not null and base_points is not null)),
  check ((model_kind = 'external') = (endpoint is not null and fact_keys is not null))
);
comment on column risk_model.examples is 'Facts with the score that they gave when the version was tested; a version that computes others is not used.';
comment on column risk_model.development is 'How the scores of the sample lie that stability is measured against.';
comment on column risk_model.credential is 'Sealed; nobody reads it.';
create unique index risk_model_number on risk_model (model_no, model_version);
create trigger risk_model_fixed before update of model_no, model_version, model_kind, score_min, score_max, base_points, bins, endpoint, fact_keys, sha256, created_time on risk_model for each row execute function refuse_change();
create index risk_model_updated on risk_model (updated_time, model_version_no) where deleted_time is null;
create trigger risk_model_enabled_guard before update on risk_model for each row when (old.enabled is distinct from new.enabled) execute function guard_status('enabled');

create table risk_model_version (
  version_no text primary key, version_status text not null, model_version_no text not null references risk_model, content jsonb not null,
  effective_time timestamptz, superseded_time timestamptz, reason text, approval_no text,
  maker_no text not null, maker_name text not null, checker_no text, checker_name text, start_fault text,
  created_time timestamptz not null, version int not null default 0,
  emergency_until timestamptz, kept_time timestamptz, kept_by text,
  check (version_status not in ('scheduled', 'effective', 'superseded') or effective_time is not null),
  check ((version_status = 'superseded') = (superseded_time is not null)),
  check (superseded_time >= effective_time),
  constraint risk_model_version_in_force exclude using gist (
    int8range(hashtextextended(model_version_no, 0), hashtextextended(model_version_no, 0), '[]') with &&,
    tstzrange(effective_time, superseded_time) with &&
  ) where (version_status in ('effective', 'superseded'))
);
create unique index risk_model_version_open on risk_model_version (model_version_no) where version_status in ('draft', 'pending', 'rejected');
create unique index risk_model_version_scheduled on risk_model_version (model_version_no) where version_status = 'scheduled';
create index risk_model_version_of on risk_model_version (model_version_no, created_time);
create index risk_model_version_start on risk_model_version (effective_time) where version_status = 'scheduled';
create trigger risk_model_version_status_guard before update on risk_model_version for each row when (old.version_status is distinct from new.version_status) execute function guard_status('version_status');
create trigger risk_model_version_agreed before update or delete on risk_model_version for each row execute function refuse_agreed_change();
create index risk_model_version_role on risk_model_version ((content ->> 'modelRole')) where version_status = 'effective';
create index risk_model_version_emergency on risk_model_version (emergency_until) where version_status = 'effective' and emergency_until is not null and kept_time is null;

create table risk_model_test (
  model_test_no text primary key, model_version_no text not null references risk_model, model_test_result text not null check (model_test_result in ('passed', 'failed')),
  model_test_fault text, sample_count int not null check (sample_count >= 0), known_count int not null, result jsonb not null,
  tested_by text not null, tested_time timestamptz not null, check ((model_test_result = 'failed') = (model_test_fault is not null))
);
create index risk_model_test_of on risk_model_test (model_version_no, tested_time);

-- What each version said of an order, whether it decided or only looked on.
create table risk_model_score (
  score_no bigint generated always as identity primary key, order_no text not null references loan_order, eval_no int not null,
  model_version_no text not null references risk_model, model_role text not null check (model_role in ('champion', 'challenger', 'shadow')),
  model_score int, model_level text, band_decision text, reasons jsonb not null default '[]', missing_facts text[] not null default '{}',
  duration_ms int not null, scored_time timestamptz not null, unique (order_no, eval_no, model_version_no)
);
create index risk_model_score_of on risk_model_score (model_version_no, scored_time);
create index risk_model_score_time on risk_model_score (scored_time);

create table risk_model_day (
  model_version_no text not null references risk_model, day date not null, scored int not null check (scored >= 0), missing int not null,
  mean_score int, psi numeric, psi7 numeric, histogram jsonb not null, primary key (model_version_no, day)
);

-- Which scores are which level, by model and dated.
create table risk_cutoff (
  cutoff_no text primary key, enabled text not null, model_no text not null, cutoff_name text not null,
  created_time timestamptz not null, updated_by text not null, updated_time timestamptz not null, deleted_time timestamptz, version int not null default 0
);
create unique index risk_cutoff_named on risk_cutoff (model_no, cutoff_name) where deleted_time is null;
create index risk_cutoff_updated on risk_cutoff (updated_time, cutoff_no) where deleted_time is null;
create trigger risk_cutoff_enabled_guard before update on risk_cutoff for each row when (old.enabled is distinct from new.enabled) execute function guard_status('enabled');

create table risk_cutoff_version (
  version_no text primary key, version_status text not null, cutoff_no text not null references risk_cutoff, content jsonb not null,
  effective_time timestamptz, superseded_time timestamptz, reason text, approval_no text,
  maker_no text not null, maker_name text not null, checker_no text, checker_name text, start_fault text,
  created_time timestamptz not null, version int not null default 0,
  check (version_status not in ('scheduled', 'effective', 'superseded') or effective_time is not null),
  check ((version_status = 'superseded') = (superseded_time is not null)),
  check (superseded_time >= effective_time),
  constraint risk_cutoff_version_in_force exclude using gist (
    int8range(hashtextextended(cutoff_no, 0), hashtextextended(cutoff_no, 0), '[]') with &&,
    tstzrange(effective_time, superseded_time) with &&
  ) where (version_status in ('effective', 'superseded'))
);
create unique index risk_cutoff_version_open on risk_cutoff_version (cutoff_no) where version_status in ('draft', 'pending', 'rejected');
create unique index risk_cutoff_version_scheduled on risk_cutoff_version (cutoff_no) where version_status = 'scheduled';
create index risk_cutoff_version_of on risk_cutoff_version (cutoff_no, created_time);
create index risk_cutoff_version_start on risk_cutoff_version (effective_time) where version_status = 'scheduled';
create trigger risk_cutoff_version_status_guard before update on risk_cutoff_version for each row when (old.version_status is distinct from new.version_status) execute function guard_status('version_status');
create trigger risk_cutoff_version_agreed before update or delete on risk_cutoff_version for each row execute function refuse_agreed_change();
