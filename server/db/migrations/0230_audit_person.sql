-- Auditors as their supervisor keeps them: whose orders they review is theirs as an auditor, apart from what their account may see.
alter table audit_person alter column group_no drop not null, alter column group_no drop default;
alter table audit_person
  add column principal_merchant_no text references merchant,
  add column associated_merchant_nos text[] not null default '{}',
  add column gone_time timestamptz,
  add column created_time timestamptz not null default now(),
  add column updated_by text not null default 'system',
  add column updated_time timestamptz not null default now();
update audit_person ap set principal_merchant_no = u.principal_merchant_no,
  associated_merchant_nos = array(select um.merchant_no from user_merchant um where um.user_no = u.user_no and um.merchant_no <> u.principal_merchant_no order by 1)
  from app_user u where u.user_no = ap.user_no;
create index audit_person_updated on audit_person (updated_time, user_no);
create index audit_record_auditor on audit_record (auditor_no, submit_time);
