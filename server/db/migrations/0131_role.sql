-- Roles as people keep them: whose post it is, who changed it last, and a name that no other role has.
alter table role
  add column post text check (post in ('auditor', 'collector', 'collectorNew', 'telemarketer', 'customerService', 'aiEmployee', 'traffic', 'finance', 'administrator')),
  add column remark text,
  add column updated_by text,
  add column updated_time timestamptz,
  add column version int not null default 0;
update role set role_name = role_name || ' ' || role_no
  where exists (select 1 from role o where lower(o.role_name) = lower(role.role_name) and o.role_no < role.role_no);
create unique index role_name_once on role (lower(role_name));
