-- Whether an entry is in force stands in its row: rights are read often, the menu changes seldom. Changes come one after another, so that
-- none is computed from what another one is about to change.
alter table menu add column live boolean not null default false;
create index menu_parent on menu (parent_menu_no);
create index menu_perms on menu (perms);
create index role_menu_menu on role_menu (menu_no);
create index user_role_role on user_role (role_no);

create function menu_live_changed() returns trigger language plpgsql as $$
begin
  perform 1 from was join made using (menu_no)
  where (was.parent_menu_no, was.enabled, was.gone_time, was.deleted_time) is distinct from (made.parent_menu_no, made.enabled, made.gone_time, made.deleted_time);
  if not found then return null; end if;
  perform pg_advisory_xact_lock(hashtext('menu in force'));
  -- What was changed and all below it are in force where they are alive, and what they lie below is.
  with recursive touched as (
      select made.menu_no from was join made using (menu_no)
      where (was.parent_menu_no, was.enabled, was.gone_time, was.deleted_time) is distinct from (made.parent_menu_no, made.enabled, made.gone_time, made.deleted_time)
      union
      select m.menu_no from menu m join touched t on m.parent_menu_no = t.menu_no),
    alive as (select m.* from menu m join touched using (menu_no) where m.enabled = 'enabled' and m.gone_time is null and m.deleted_time is null),
    chain as (
      select a.menu_no from alive a left join menu p on p.menu_no = a.parent_menu_no left join touched t on t.menu_no = a.parent_menu_no
      where a.parent_menu_no is null or (t.menu_no is null and p.live)
      union
      select a.menu_no from alive a join chain c on a.parent_menu_no = c.menu_no)
  update menu m set live = c.menu_no is not null
  from touched t left join chain c on c.menu_no = t.menu_no
  where m.menu_no = t.menu_no and m.live <> (c.menu_no is not null);
  return null;
end $$;

create function menu_live_new() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('menu in force'));
  with recursive alive as (select menu_no, parent_menu_no from made where enabled = 'enabled' and gone_time is null and deleted_time is null),
    chain as (
      select n.menu_no from alive n left join menu p on p.menu_no = n.parent_menu_no where n.parent_menu_no is null or p.live
      union
      select n.menu_no from alive n join chain on n.parent_menu_no = chain.menu_no)
  update menu m set live = true from chain where m.menu_no = chain.menu_no;
  return null;
end $$;

create trigger menu_live_new after insert on menu referencing new table as made for each statement execute function menu_live_new();
create trigger menu_live_changed after update on menu referencing old table as was new table as made
  for each statement execute function menu_live_changed();
with recursive chain as (
  select menu_no from menu where parent_menu_no is null and enabled = 'enabled' and gone_time is null and deleted_time is null
  union
  select m.menu_no from menu m join chain on m.parent_menu_no = chain.menu_no
  where m.enabled = 'enabled' and m.gone_time is null and m.deleted_time is null)
update menu set live = true from chain where menu.menu_no = chain.menu_no;

create or replace view live_menu as
  select menu_no, parent_menu_no, menu_name, menu_type, perms, external_url, icon, sort, builtin, gone_time, enabled, name_zh, name_en, name_sw, placed,
    data_entity, limit_types, default_limit_type, updated_by, updated_time, deleted_time, version
  from menu where live;
