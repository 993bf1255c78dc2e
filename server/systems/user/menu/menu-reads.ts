import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { OutputOf } from '../../../../core/contract/endpoint.ts'
import { routes } from '../../../../core/contract/routes.ts'
import type { MenuItem } from '../../../../core/contract/user/menu.ts'
import type { LimitType } from '../../../../core/contract/user/role.ts'
import { isKey, text } from '../../../../core/i18n/server.ts'
import { flat, type Nested, nested } from '../../../../core/rules/tree.ts'
import { notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { callsOf, nameOf } from '../role/index.ts'
import { menuBlocks } from './menu-blocks.ts'
import { driftOf, driftsOf, knownCodes, nameIn } from './menu-drift.ts'
import type { Item } from './menu-source.ts'

const { menu } = contract

type Read = Item & { grantedRoles: number; updatedName: string | null; updatedTime: string | null; people: string[] }

/** Every entry, with the roles that have it and the active people behind them. */
const readItems = sql<Read>`
  select m.*, coalesce(h.roles, 0)::int as granted_roles, coalesce(c.real_name, m.updated_by) as updated_name,
    coalesce(h.people, '{}') as people
  from menu m
  left join (
    select rm.menu_no, count(distinct rm.role_no) as roles, array_agg(distinct u.user_no) filter (where u.user_no is not null) as people
    from role_menu rm left join user_role ur using (role_no)
    left join app_user u on u.user_no = ur.user_no and u.user_status = 'normal' and u.employee_status = 'on_job'
    group by rm.menu_no) h using (menu_no)
  left join app_user c on c.user_no = m.updated_by
  where m.deleted_time is null order by m.sort, m.menu_no`

type Known = Omit<MenuItem, 'childList' | 'belowCount' | 'holdingPeople'> & { people: string[] }

/** Counts of what lies below, and of who has any of it. */
const counted = ({ childList: below, people, ...node }: Nested<Known>): MenuItem & { people: string[] } => {
  const childList = below.map(counted)
  const all = [...new Set([...people, ...childList.flatMap(child => child.people)])]
  return { ...node, childList, belowCount: flat<MenuItem>(childList).length, holdingPeople: all.length, people: all }
}
const bare = ({ people: _, childList, ...node }: MenuItem & { people?: string[] }): MenuItem => ({
  ...node,
  childList: childList.map(bare),
})

const tree = serve(menu.tree, async ({ tx, session }) => {
  const items = await tx.rows(readItems)
  const said = await menuBlocks.of(
    { tx, session },
    items.map(item => item.menuNo),
  )
  const rows = items.map((item, at): Known => {
    const { menuNo, parentMenuNo, menuType, perms, externalUrl, icon, sort, enabled, builtin, version, people } = item
    const { dataEntity, limitTypes, defaultLimitType, grantedRoles, updatedName, updatedTime } = item
    return {
      ...{
        menuNo,
        parentNo: parentMenuNo,
        menuType,
        perms,
        externalUrl,
        icon,
        sort,
        enabled,
        builtin,
        version,
        people,
      },
      ...{ dataEntity, limitTypes, defaultLimitType, grantedRoles, updatedBy: updatedName, updatedTime },
      ...{ menuName: nameIn('zh', item), menuNameEn: nameIn('en', item), menuNameSw: nameIn('sw', item) },
      shownName: nameIn(session.language, item),
      drift: driftOf(item),
      blockedBy: said[at] ?? {},
    }
  })
  const list = nested(
    rows,
    row => row.menuNo,
    row => row.parentNo,
  )
  return { list: list.map(counted).map(bare) }
})

type Holder = { roleNo: string; roleName: string; limitType: LimitType | null; memberCount: number }

/** The calls that an entry opens: those of its code, of a page those that it is read with. */
const openedBy = ({ menuType, perms }: Pick<Item, 'menuType' | 'perms'>) => {
  const code = menuType === 'button' ? perms : routes.find(route => route.path === perms)?.perm
  return callsOf(code ?? '').map(({ method, path, audit }) => ({ method, path, audit: audit ?? null }))
}

const detail = serve(menu.detail, async ({ tx, input: { menuNo } }) => {
  const item = await tx.maybe(
    sql<Item>`select menu_type, perms from menu where menu_no = ${menuNo} and deleted_time is null`,
  )
  if (!item) throw notFound()
  const roles = await tx.rows(sql<Holder>`
    select r.role_no, r.role_name, coalesce(rm.limit_type, page.limit_type) as limit_type,
      (select count(*)::int from user_role ur where ur.role_no = r.role_no) as member_count
    from role_menu rm join role r using (role_no) join menu m using (menu_no)
    left join role_menu page on page.role_no = rm.role_no and page.menu_no = m.parent_menu_no
    where rm.menu_no = ${menuNo} order by r.role_name`)
  return { menuNo, roles, endpoints: openedBy(item) }
})

const drift = serve(menu.drift, async ({ tx, session }) => ({ list: await driftsOf(tx, session.language) }))

type Choices = OutputOf<typeof menu.choices>

const choices = serve(menu.choices, async ({ session: { language } }): Promise<Choices> => {
  const word = (key: string) => (isKey(key) ? text(language, key) : key)
  const inside = routes.filter(route => route.system !== 'Index')
  const systems = [...new Set(inside.map(route => route.system))].filter(system => system !== 'AdminContent')
  return {
    page: inside.map(route => ({ value: route.path, label: `${word(`screens.${route.tag}`)} (${route.path})` })),
    button: [...knownCodes].sort().map(code => ({ value: code, label: nameOf(language, code) })),
    catalog: systems.map(system => ({ value: `/AdminContent/${system}`, label: word(`systems.${system}`) })),
  }
})

export const menuReads = [tree, detail, drift, choices]
