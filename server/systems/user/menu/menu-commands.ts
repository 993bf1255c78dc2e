import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { pathOf } from '../../../../core/contract/pages.ts'
import { menuItem } from '../../../../core/contract/user/menu.ts'
import { type LimitType, limitRank } from '../../../../core/contract/user/role.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, invalid } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { requireEvent, transition } from '../../../states/transition.ts'
import { keepsAdministrator } from '../role/index.ts'
import { menuBlocks } from './menu-blocks.ts'
import { checkHolder, checkOnce } from './menu-save.ts'
import { branchOf, type Item, lockItem, notify, oneAtATime } from './menu-source.ts'

const { menu } = contract

/** Pages without which nobody could undo what was done to the menu, to roles or to people. */
const entries = ['MenuManagement', 'RoleManagement', 'UserManagement'].map(name => pathOf('UserSystem', name))

/** Refuses a change after which nobody who works here opens one of the administrators' pages. Call it when the change is written. */
const keepsEntries = async (tx: Tx, before: ReadonlySet<string>): Promise<void> => {
  const after = await openEntries(tx)
  if ([...before].some(path => !after.has(path))) throw new Fault('stateConflict', 'errors.menuLast')
  await keepsAdministrator(tx)
}

const openEntries = async (tx: Tx): Promise<ReadonlySet<string>> => {
  const rows = await tx.rows(sql<{ perms: string }>`
    select distinct m.perms from live_menu m join role_menu rm using (menu_no) join user_role ur using (role_no) join app_user u using (user_no)
    where m.perms = any(${entries}) and u.user_status = 'normal' and u.employee_status = 'on_job'`)
  return new Set(rows.map(row => row.perms))
}

const state = serve(menu.state, async ({ tx, session, actor, input, audit }) => {
  const { menuNo, version, enabled } = input
  await oneAtATime(tx)
  const item = await lockItem(tx, session, { menuNo, version, perm: menu.state.perm })
  const event = enabled ? 'item.enable' : 'item.disable'
  requireEvent(menuItem, item.enabled, event)
  if (enabled) await checkOnce(tx, { ...item, enabled: 'enabled' })
  const before = await openEntries(tx)
  const set = { updatedBy: actor.no, updatedTime: tx.now }
  const changed = await transition(tx, menuItem, item, { event, set }, actor)
  if (!enabled) await keepsEntries(tx, before)
  await notify(tx, await branchOf(tx, menuNo))
  audit({ objectType: 'menu', objectNo: menuNo, before: { enabled: !enabled }, after: { enabled } })
  return { version: changed.version }
})

const remove = serve(menu.remove, async ({ tx, session, actor, input, audit }) => {
  await oneAtATime(tx)
  const item = await lockItem(tx, session, { ...input, perm: menu.remove.perm })
  await menuBlocks.check({ tx, session }, menu.remove, item.menuNo)
  const set = { deletedTime: tx.now, updatedBy: actor.no, updatedTime: tx.now }
  await transition(tx, menuItem, item, { event: 'item.delete', set }, actor)
  audit({ objectType: 'menu', objectNo: item.menuNo, before: { menuName: item.menuName, perms: item.perms } })
  return {}
})

/** The neighbours of a place in their order, with an entry put before one of them, or behind all. */
const reordered = async (tx: Tx, item: Item, parentNo: string | null, beforeNo: string | undefined) => {
  const rows = await tx.rows(sql<{ menuNo: string }>`
    select menu_no from menu where parent_menu_no is not distinct from ${parentNo} and menu_no <> ${item.menuNo} and deleted_time is null
    order by sort, menu_no for update`)
  const order = rows.map(row => row.menuNo)
  const at = beforeNo === undefined ? order.length : order.indexOf(beforeNo)
  if (at < 0) throw invalid('beforeNo', 'errors.notFound')
  return [...order.slice(0, at), item.menuNo, ...order.slice(at)]
}

const move = serve(menu.move, async ({ tx, session, actor, input, audit }) => {
  await oneAtATime(tx)
  const { menuNo, version, beforeNo } = input
  const parentNo = input.parentNo ?? null
  const item = await lockItem(tx, session, { menuNo, version, perm: menu.move.perm })
  if (parentNo !== null && (await branchOf(tx, menuNo)).includes(parentNo))
    throw invalid('parentNo', 'errors.menuCircle')
  if (item.menuType === 'button' && parentNo !== item.parentMenuNo) throw invalid('parentNo', 'errors.menuPlace')
  await checkHolder(tx, item.menuType, parentNo)
  await checkOnce(tx, { ...item, parentMenuNo: parentNo })
  const order = await reordered(tx, item, parentNo, beforeNo)
  const before = await openEntries(tx)
  const set = { parentMenuNo: parentNo, placed: true, updatedBy: actor.no, updatedTime: tx.now }
  const changed = await transition(tx, menuItem, item, { event: 'item.update', set }, actor)
  await tx.exec(sql`
    update menu m set sort = 10 * o.place, placed = true from unnest(${order}::text[]) with ordinality as o (no, place) where m.menu_no = o.no`)
  await keepsEntries(tx, before)
  await notify(tx, await branchOf(tx, menuNo))
  audit({
    objectType: 'menu',
    objectNo: menuNo,
    before: { parentNo: item.parentMenuNo, sort: item.sort },
    after: { parentNo, sort: 10 * (order.indexOf(menuNo) + 1) },
  })
  return { version: changed.version }
})

type Using = { roleNo: string; limitType: LimitType }

/** Roles whose data rule on a page is none of these. */
const outside = (tx: Tx, menuNo: string, allowed: readonly LimitType[]) =>
  tx.rows(sql<Using>`
    select role_no, coalesce(limit_type, 'own') as limit_type from role_menu
    where menu_no = ${menuNo} and coalesce(limit_type, 'own') <> all(${[...allowed]}) order by role_no for update`)

const dataRule = serve(menu.dataRule, async ({ tx, session, actor, input, audit }) => {
  await oneAtATime(tx)
  const { menuNo, version, limitTypes, defaultLimitType, confirmFallback } = input
  const item = await lockItem(tx, session, { menuNo, version, perm: menu.dataRule.perm })
  if (item.menuType !== 'page') throw invalid('menuNo', 'errors.menuPageOnly')
  if (!limitTypes.includes(defaultLimitType)) throw invalid('defaultLimitType', 'errors.menuDefault')
  const roles = await outside(tx, menuNo, limitTypes)
  if (roles.some(({ limitType }) => limitRank(defaultLimitType) > limitRank(limitType)))
    throw invalid('defaultLimitType', 'errors.menuWidens')
  if (roles.length > 0 && !confirmFallback)
    throw new Fault(
      'needsConfirmation',
      'errors.menuFallback',
      { roles: roles.length, default: `dict.LIMIT_TYPE.${defaultLimitType}` },
      { confirm: ['confirmFallback'] },
    )
  await tx.exec(sql`
    update role_menu set limit_type = ${defaultLimitType} where menu_no = ${menuNo} and role_no = any(${roles.map(role => role.roleNo)})`)
  const set = { limitTypes: [...new Set(limitTypes)], defaultLimitType, updatedBy: actor.no, updatedTime: tx.now }
  const changed = await transition(tx, menuItem, item, { event: 'item.update', set }, actor)
  audit({
    objectType: 'menu',
    objectNo: menuNo,
    before: { limitTypes: item.limitTypes, defaultLimitType: item.defaultLimitType },
    after: { limitTypes, defaultLimitType, roleNos: roles.map(role => role.roleNo) },
  })
  for (const { roleNo, limitType } of roles)
    audit({
      objectType: 'role',
      objectNo: roleNo,
      before: { menuNo, limitType },
      after: { menuNo, limitType: defaultLimitType },
    })
  return { version: changed.version, roles: roles.length }
})

export const menuCommands = [state, remove, move, dataRule]
