-- Departments as people keep them: their kind, who leads them, their place among their neighbours.
alter table dept
  add column dept_nature text not null default 'headquarters' check (dept_nature in ('headquarters', 'merchant', 'outsourced', 'support')),
  add column leader_no text references app_user,
  add column sort int not null default 1 check (sort > 0),
  add column updated_by text,
  add column updated_time timestamptz,
  add column version int not null default 0,
  add check (parent_dept_no <> dept_no);
update dept set dept_name = dept_name || ' ' || dept_no
  where exists (
    select 1 from dept o where coalesce(o.parent_dept_no, '') = coalesce(dept.parent_dept_no, '') and lower(o.dept_name) = lower(dept.dept_name) and o.dept_no < dept.dept_no);
create unique index dept_name_once on dept (coalesce(parent_dept_no, ''), lower(dept_name));
create index dept_parent on dept (parent_dept_no);
create index dept_updated on dept (updated_time, dept_no);
create index dept_sort on dept (sort, dept_no);
