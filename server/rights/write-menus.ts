import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { type MenuRow, menuRows } from './menus.ts'

/**
 * Writes the pages, catalogs and codes of this version into the database: new ones are added, changed ones follow as far as people have
 * not put them elsewhere, what people deleted stays deleted, and those that this version does not have are marked as gone and grant nothing. Roles that hold every code are given the new ones.
 * Servers that start together do this one after the other.
 */
export const writeMenus = async (tx: Tx, rows: readonly MenuRow[] = menuRows()): Promise<void> => {
  await tx.exec(sql`select pg_advisory_xact_lock(hashtext('write menus'))`)
  const given = sql`json_to_recordset(${JSON.stringify(rows)}::json)
    as given ("menuNo" text, "parentMenuNo" text, "menuName" text, "menuType" text, perms text, sort int)`
  await tx.exec(sql`
    insert into menu (menu_no, parent_menu_no, menu_name, menu_type, perms, sort, builtin)
    select "menuNo", "parentMenuNo", "menuName", "menuType", perms, sort, true from ${given}
    where not exists (
      select 1 from menu m where m.menu_no = "menuNo" and m.gone_time is null and m.builtin
        and (m.menu_name, m.menu_type, m.perms) is not distinct from ("menuName", "menuType", given.perms)
        and (m.placed or (m.parent_menu_no, m.sort) is not distinct from ("parentMenuNo", given.sort)))
    on conflict (menu_no) do update set menu_name = excluded.menu_name, menu_type = excluded.menu_type, perms = excluded.perms,
      parent_menu_no = case when menu.placed then menu.parent_menu_no else excluded.parent_menu_no end,
      sort = case when menu.placed then menu.sort else excluded.sort end, builtin = true, gone_time = null`)
  await tx.exec(sql`
    update menu set gone_time = ${tx.now}
    where builtin and gone_time is null and menu_no <> all(${rows.map(row => row.menuNo)})`)
  await tx.exec(sql`
    insert into role_menu (role_no, menu_no, limit_type)
    select r.role_no, m.menu_no, case m.menu_type when 'page' then 'all' end
    from role r cross join menu m where r.every_code and m.builtin and m.gone_time is null and m.deleted_time is null
      and not exists (select 1 from role_menu rm where rm.role_no = r.role_no and rm.menu_no = m.menu_no)`)
}
