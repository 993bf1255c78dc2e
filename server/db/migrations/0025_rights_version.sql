-- One number for everything that says what anybody may do, so that a server can keep what it read of it and still see every change in the next call.

create table rights_version (
  only_row boolean primary key default true check (only_row),
  version bigint not null
);
-- Numbers are drawn, not counted: one that was rolled back never comes again with other rights behind it.
create sequence rights_version_seq;
insert into rights_version (version) values (nextval('rights_version_seq'));

create function rights_changed() returns trigger language plpgsql as $$
begin
  update rights_version set version = nextval('rights_version_seq');
  return null;
end $$;
create trigger menu_rights after insert or update or delete or truncate on menu for each statement execute function rights_changed();
create trigger role_rights after insert or update or delete or truncate on role for each statement execute function rights_changed();
create trigger role_menu_rights after insert or update or delete or truncate on role_menu for each statement execute function rights_changed();
create trigger user_role_rights after insert or update or delete or truncate on user_role for each statement execute function rights_changed();
create trigger org_rights after insert or update or delete or truncate on org for each statement execute function rights_changed();
create trigger dept_rights after insert or update or delete or truncate on dept for each statement execute function rights_changed();
create trigger merchant_rights after insert or update or delete or truncate on merchant for each statement execute function rights_changed();
