import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { ParsedOf } from '../../../../core/contract/endpoint.ts'
import { routes } from '../../../../core/contract/routes.ts'
import { menuItem } from '../../../../core/contract/user/menu.ts'
import type { Tx } from '../../../db/database.ts'
import { invalid } from '../../../http/fault.ts'
import { type Call, serve } from '../../../http/serve.ts'
import { newNo } from '../../../money/numbers.ts'
import { changes } from '../../../states/changes.ts'
import { create, transition } from '../../../states/transition.ts'
import { knownCodes, missingRows, nameIn } from './menu-drift.ts'
import { checkMaker, type Item, lockItem, notify, oneAtATime } from './menu-source.ts'

const { menu } = contract
const perm = menu.save.perm
type Save = Call<ParsedOf<typeof menu.save>>
type Input = Save['input']

/** What an entry of a kind can lie in. */
const holders: Readonly<Record<Item['menuType'], readonly (Item['menuType'] | null)[]>> = {
  catalog: [null],
  page: [null, 'catalog'],
  external: [null, 'catalog'],
  button: ['page'],
}

/** The place of an entry: its parent is of a kind that holds it. */
export const checkHolder = async (tx: Tx, menuType: Item['menuType'], parentNo: string | null): Promise<void> => {
  const above = parentNo
    ? await tx.maybe(
        sql<Item>`select menu_type from menu where menu_no = ${parentNo} and deleted_time is null for share`,
      )
    : null
  if (above === undefined) throw invalid('parentNo', 'errors.notFound')
  if (!holders[menuType].includes(above?.menuType ?? null)) throw invalid('parentNo', 'errors.menuPlace')
}

const systems = new Set(routes.map(({ system }) => `/AdminContent/${system}`))
const isKnown: Readonly<Record<'catalog' | 'page' | 'button', (perms: string) => boolean>> = {
  catalog: perms => systems.has(perms),
  page: perms => routes.some(({ path, system }) => path === perms && system !== 'Index'),
  button: perms => knownCodes.has(perms),
}

/** A route, code or address that exists, and that is the entry's own. */
const checkTarget = ({ menuType, perms, externalUrl }: Input): void => {
  if (menuType === 'external') {
    if (!externalUrl || !URL.canParse(externalUrl)) throw invalid('externalUrl', 'validation.httpsOnly')
    return
  }
  if (menuType === 'catalog' && !perms) return
  if (!perms || !isKnown[menuType](perms)) throw invalid('perms', 'errors.menuTarget')
}

/** Enabled pages have their route alone, neighbours their code or route. */
export const checkOnce = async (
  tx: Tx,
  of: Pick<Item, 'menuNo' | 'menuType' | 'perms' | 'parentMenuNo'> & { enabled: string },
): Promise<void> => {
  if (of.perms === null) return
  const twin = await tx.maybe(sql`
    select 1 from menu where perms = ${of.perms} and menu_no <> ${of.menuNo} and deleted_time is null
      and ((${of.menuType === 'page' && of.enabled === 'enabled'} and menu_type = 'page' and enabled = 'enabled')
        or (parent_menu_no is not distinct from ${of.parentMenuNo} and menu_type = ${of.menuType})) limit 1`)
  if (twin) throw invalid('perms', 'errors.dataExists')
}

const make = async ({ tx, session, actor, input, audit }: Save) => {
  checkMaker(session, perm)
  checkTarget(input)
  const parentMenuNo = input.parentNo ?? null
  await checkHolder(tx, input.menuType, parentMenuNo)
  const { menuType, menuName, menuNameEn, menuNameSw, icon = null, sort, dataEntity = 'business' } = input
  const perms = menuType === 'external' ? null : (input.perms ?? null)
  const externalUrl = menuType === 'external' ? (input.externalUrl ?? null) : null
  const menuNo = newNo('MN', tx.now)
  await checkOnce(tx, { menuNo, menuType, perms, parentMenuNo, enabled: 'disabled' })
  const row = {
    ...{ menuNo, parentMenuNo, menuName, nameZh: menuName, nameEn: menuNameEn, nameSw: menuNameSw, menuType, perms },
    ...{ externalUrl, icon, sort, dataEntity, placed: true, updatedBy: actor.no, updatedTime: tx.now },
  }
  await create(tx, menuItem, row, { event: 'item.create' }, actor)
  audit({
    objectType: 'menu',
    objectNo: menuNo,
    after: { menuName, menuNameEn, menuNameSw, menuType, perms, externalUrl, sort, parentNo: parentMenuNo },
  })
  return { menuNo, version: 0 }
}

/** Of what the program brings, kind, route and code are as the program says. */
const checkChange = ({ input }: Save, before: Item): void => {
  const same = input.menuType === before.menuType && (input.perms ?? null) === before.perms
  if (before.builtin && !same) throw invalid('perms', 'errors.menuBuiltin')
  if (input.menuType !== before.menuType) throw invalid('menuType', 'errors.menuKind')
  if (!before.builtin) checkTarget(input)
}

const edit = async (call: Save, menuNo: string, version: number) => {
  const { tx, session, actor, input, audit } = call
  const before = await lockItem(tx, session, { menuNo, version, perm })
  checkChange(call, before)
  const { menuName, menuNameEn, menuNameSw, icon = null, sort, dataEntity = before.dataEntity } = input
  const perms = before.menuType === 'external' ? null : (input.perms ?? null)
  const externalUrl = before.menuType === 'external' ? (input.externalUrl ?? null) : null
  await checkOnce(tx, { ...before, perms })
  const old = { menuName: nameIn('zh', before), menuNameEn: nameIn('en', before), menuNameSw: nameIn('sw', before) }
  /** A name that stays as the program says it follows the program. */
  const own = (now: string, was: string, kept: string | null) => (now === was ? kept : now)
  const set = {
    nameZh: own(menuName, old.menuName, before.nameZh),
    nameEn: own(menuNameEn, old.menuNameEn, before.nameEn),
    nameSw: own(menuNameSw, old.menuNameSw, before.nameSw),
    ...{ perms, externalUrl, icon, sort, dataEntity, updatedBy: actor.no, updatedTime: tx.now },
    ...(sort === before.sort ? {} : { placed: true }),
  }
  const changed = await transition(tx, menuItem, before, { event: 'item.update', set }, actor)
  await notify(tx, [menuNo])
  const values = { menuName, menuNameEn, menuNameSw, perms, externalUrl, icon, sort, dataEntity }
  audit({ objectType: 'menu', objectNo: menuNo, ...changes({ ...before, ...old } as never, values) })
  return { menuNo, version: changed.version }
}

const save = serve(menu.save, async call => {
  const { menuNo, version } = call.input
  await oneAtATime(call.tx)
  if (version === undefined) return make(call)
  if (menuNo === undefined) throw invalid('menuNo', 'validation.infoComplete')
  return edit(call, menuNo, version)
})

/** What the program brings and the menu lacks, the upper entries first; off until somebody enables it. */
const addMissing = serve(menu.addMissing, async ({ tx, session, actor, audit }) => {
  checkMaker(session, perm)
  await oneAtATime(tx)
  const missing = await missingRows(tx)
  for (const row of missing) {
    const back = await tx.exec(sql`
      update menu set deleted_time = null, updated_by = ${actor.no}, updated_time = ${tx.now}, version = version + 1 where menu_no = ${row.menuNo}`)
    if (back === 0)
      await create(
        tx,
        menuItem,
        { ...row, builtin: true, updatedBy: actor.no, updatedTime: tx.now },
        { event: 'item.create' },
        actor,
      )
    audit({ objectType: 'menu', objectNo: row.menuNo, after: { perms: row.perms } })
  }
  return { added: missing.length }
})

export const saveServed = [save, addMissing]
