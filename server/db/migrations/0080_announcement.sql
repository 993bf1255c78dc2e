-- Announcements are for some roles, departments and merchants of the staff, or for the users of some apps; none named means all.

alter table announcement
  add column audience_roles text[] not null default '{}',
  add column audience_merchants text[] not null default '{}',
  add column audience_apps text[] not null default '{}',
  add column publish_time timestamptz,
  add column remind_time timestamptz,
  add constraint announcement_audience check (
    case audience_type when 'staff' then cardinality(audience_apps) = 0
      else cardinality(audience_apps) > 0 and cardinality(audience_roles || audience_depts || audience_merchants) = 0 and not need_read end);
comment on column announcement.publish_time is 'When it was last put in front of its readers.';
comment on column announcement.remind_time is 'When those who had not confirmed it were last reminded.';
create index announcement_updated on announcement (updated_time, announcement_no);

-- Which pictures stand in which announcement; a copy shows those of its original.
create table announcement_image (
  announcement_no text not null references announcement, upload_no text not null references upload, primary key (announcement_no, upload_no)
);
create index announcement_image_upload on announcement_image (upload_no);

-- A department with all those above it.
create function dept_line(of_dept text) returns text[] language sql stable as $$
  with recursive line as (
    select dept_no, parent_dept_no from dept where dept_no = of_dept
    union select d.dept_no, d.parent_dept_no from dept d join line l on d.dept_no = l.parent_dept_no)
  select array_agg(dept_no) from line
$$;

-- A deleted draft is expired and in no list.
alter table announcement add column deleted_time timestamptz;
