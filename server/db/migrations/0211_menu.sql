-- The menu as people keep it: names in three languages, order, what is switched off, and which data rules a page allows.
alter table menu
  add column enabled text not null default 'enabled' check (enabled in ('enabled', 'disabled')),
  -- Names that people have given; without them it is called as the program calls it.
  add column name_zh text, add column name_en text, add column name_sw text,
  -- People have put it where it is: the program leaves it there.
  add column placed boolean not null default false,
  add column data_entity text not null default 'business' check (data_entity in ('business', 'people', 'config')),
  add column limit_types text[] not null default '{own,dept,dept_below,own_merchants,org_below,all}',
  add column default_limit_type text not null default 'own',
  add column updated_by text, add column updated_time timestamptz, add column deleted_time timestamptz,
  add column version int not null default 0,
  add check (parent_menu_no <> menu_no),
  add check (default_limit_type = any (limit_types));
create trigger menu_enabled_guard before update on menu for each row when (old.enabled is distinct from new.enabled) execute function guard_status('enabled');

-- What a version of the program brings begins its history by itself; what a person makes is noted by the command.
create function note_menus() returns trigger language plpgsql as $$
begin
  insert into state_transition (machine, object_no, event, from_state, to_state, actor, request_id, at)
  select 'M69.menu', made.menu_no, m.event, m.before, m.after, 'system', 'menu', coalesce((select at from state_transition order by transition_no desc limit 1), now())
  from made, (values (1, 'item.create', '∅', 'disabled'), (2, 'item.enable', 'disabled', 'enabled')) as m (nth, event, before, after)
  where made.updated_by is null and (m.nth = 1 or made.enabled = 'enabled') order by made.menu_no, m.nth;
  return null;
end $$;
create trigger menu_noted after insert on menu referencing new table as made for each statement execute function note_menus();
insert into state_transition (machine, object_no, event, from_state, to_state, actor, request_id, at)
  select 'M69.menu', menu_no, m.event, m.before, m.after, 'system', 'menu', coalesce((select at from state_transition order by transition_no desc limit 1), now())
  from menu, (values (1, 'item.create', '∅', 'disabled'), (2, 'item.enable', 'disabled', 'enabled')) as m (nth, event, before, after) order by menu_no, m.nth;

-- Entries that are in force: none that is gone, deleted or disabled, nor anything below one.
create view live_menu as
  with recursive live as (
    select m.* from menu m where m.parent_menu_no is null and m.enabled = 'enabled' and m.gone_time is null and m.deleted_time is null
    union all
    select m.* from menu m join live on m.parent_menu_no = live.menu_no
    where m.enabled = 'enabled' and m.gone_time is null and m.deleted_time is null)
  select * from live;
