import { sql } from 'kysely'
import { endpoints } from '../../../../core/contract/contract.ts'
import { routes } from '../../../../core/contract/routes.ts'
import type { Language } from '../../../../core/i18n/language.ts'
import type { Tx } from '../../../db/database.ts'
import { type MenuRow, menuNameIn, menuRows } from '../../../rights/menus.ts'
import { nameOf } from '../role/index.ts'
import type { Item } from './menu-source.ts'

/** Every operation code that something asks for, or a second person holds. */
export const knownCodes: ReadonlySet<string> = new Set([
  ...endpoints.flatMap(({ endpoint: { perm, anyPerm } }) => [...(perm ? [perm] : []), ...(anyPerm ?? [])]),
  ...routes.flatMap(({ perm, actions }) => (perm ? [perm, ...actions] : actions)),
])
const known = new Set(routes.map(route => route.path.toLowerCase()))

/** Why an entry does not lead where it says. */
export const driftOf = ({
  menuType,
  perms,
  goneTime,
}: Pick<Item, 'menuType' | 'perms' | 'goneTime'>): 'unknown_route' | 'unknown_code' | null => {
  if (menuType === 'page' && (goneTime !== null || !known.has(perms?.toLowerCase() ?? ''))) return 'unknown_route'
  if (menuType === 'button' && (goneTime !== null || !knownCodes.has(perms ?? ''))) return 'unknown_code'
  return null
}

/** What the program brings and the menu does not have. */
export const missingRows = async (tx: Tx): Promise<MenuRow[]> => {
  const there = await tx.rows(sql<{ menuNo: string }>`select menu_no from menu where deleted_time is null`)
  const held = new Set(there.map(row => row.menuNo))
  return menuRows().filter(row => !held.has(row.menuNo))
}

/** The names of an entry in each language, by itself or by its code. */
export const nameIn = (
  language: Language,
  item: Pick<Item, 'menuType' | 'perms' | 'menuName' | 'nameZh' | 'nameEn' | 'nameSw'>,
) => menuNameIn(language, item, item.menuType === 'button' ? one => nameOf(one, item.perms ?? '') : undefined)

/** All differences between menu and program. */
export const driftsOf = async (tx: Tx, language: Language) => {
  const items = await tx.rows(sql<Item>`select * from menu where deleted_time is null order by sort, menu_no`)
  const wrong = items.flatMap(item => {
    const drift = driftOf(item)
    return drift ? [{ drift, menuNo: item.menuNo, name: nameIn(language, item), perms: item.perms }] : []
  })
  const none = { nameZh: null, nameEn: null, nameSw: null }
  const missing = (await missingRows(tx)).map(row => ({
    drift: 'missing' as const,
    menuNo: row.menuNo,
    name: nameIn(language, { ...row, ...none }),
    perms: row.perms,
  }))
  return [...wrong, ...missing]
}
