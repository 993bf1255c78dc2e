-- The questionnaire of reviewers as a configuration list; what was answered, question by question; the questions a review was opened with.
alter table audit_question alter column enabled drop default;
alter table audit_question alter column enabled type text using case when enabled then 'enabled' else 'disabled' end;
alter table audit_question alter column enabled set default 'enabled';
alter table audit_question
  add column merchant_nos text[] not null default '{}',
  add column created_time timestamptz not null default now(),
  add column updated_by text not null default 'system',
  add column updated_time timestamptz not null default now(),
  add column deleted_time timestamptz;
create unique index audit_question_text on audit_question (lower(question_zh), loan_kind_scope, merchant_nos) where deleted_time is null;
create index audit_question_updated on audit_question (updated_time, question_no) where deleted_time is null;
create trigger audit_question_enabled_guard before update on audit_question for each row when (old.enabled is distinct from new.enabled) execute function guard_status('enabled');

create table audit_answer (
  audit_record_no text not null references audit_record, question_no text not null, question_version int not null,
  option_nos text[] not null, answer_text text, submit_time timestamptz not null,
  primary key (audit_record_no, question_no)
);
create index audit_answer_question on audit_answer (question_no, submit_time);
create trigger audit_answer_fixed before update or delete on audit_answer for each row execute function refuse_change();

alter table audit_task add column questions jsonb;
