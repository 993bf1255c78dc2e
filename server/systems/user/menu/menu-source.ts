import { sql } from 'kysely'
import type { MenuIconName } from '../../../../core/contract/user/menu.ts'
import type { LimitType } from '../../../../core/contract/user/role.ts'
import type { Tx } from '../../../db/database.ts'
import { checkVersion, Fault, notFound } from '../../../http/fault.ts'
import type { MenuNames } from '../../../rights/menus.ts'
import { limitFor } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'

/** An entry of the menu, as it is kept. */
export type Item = MenuNames & {
  menuNo: string
  parentMenuNo: string | null
  menuType: 'catalog' | 'page' | 'button' | 'external'
  perms: string | null
  externalUrl: string | null
  icon: MenuIconName | null
  sort: number
  enabled: 'enabled' | 'disabled'
  builtin: boolean
  dataEntity: 'business' | 'people' | 'config'
  limitTypes: LimitType[]
  defaultLimitType: LimitType
  goneTime: string | null
  deletedTime: string | null
  version: number
}

/** Changes of the menu wait for one another: its order is that of all entries together. */
export const oneAtATime = (tx: Tx): Promise<unknown> => tx.exec(sql`select pg_advisory_xact_lock(hashtext('menu'))`)

/** The menu is everybody's: it is changed by those whose data rule leaves nobody out. */
export const mayChange = (session: Session, perm: string | undefined): boolean => limitFor(session, perm) === 'all'

/** An entry, locked. @throws {Fault} 40401 for one that there is not, or that the caller may not change */
export const lockItem = async (
  tx: Tx,
  session: Session,
  of: { menuNo: string; version: number; perm: string | undefined },
): Promise<Item> => {
  if (!mayChange(session, of.perm)) throw notFound()
  const item = await tx.maybe(
    sql<Item>`select * from menu where menu_no = ${of.menuNo} and deleted_time is null for update`,
  )
  if (!item) throw notFound()
  checkVersion(item, of.version)
  return item
}

/** What may be made by those alone who may change everything. */
export const checkMaker = (session: Session, perm: string | undefined): void => {
  if (!mayChange(session, perm)) throw new Fault('forbidden', 'errors.forbidden')
}

/** An entry and all below it. */
export const branchOf = async (tx: Tx, menuNo: string): Promise<string[]> =>
  (
    await tx.rows(sql<{ menuNo: string }>`
      with recursive below as (
        select menu_no from menu where menu_no = ${menuNo}
        union all select m.menu_no from menu m join below b on m.parent_menu_no = b.menu_no where m.deleted_time is null)
      select menu_no from below`)
  ).map(row => row.menuNo)

/** Notifies everybody who has one of these entries that the menu is another one now. */
export const notify = (tx: Tx, menuNos: readonly string[]): Promise<unknown> =>
  tx.exec(sql`
    insert into user_event (user_no, event)
    select distinct ur.user_no, 'perms.changed' from role_menu rm join user_role ur using (role_no) where rm.menu_no = any(${[...menuNos]})`)
