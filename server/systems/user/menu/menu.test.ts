import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import type { InputOf } from '../../../../core/contract/endpoint.ts'
import type { MenuItem } from '../../../../core/contract/user/menu.ts'
import { flat } from '../../../../core/rules/tree.ts'
import { rightsOf } from '../../../rights/held-rights.ts'
import { writeMenus } from '../../../rights/write-menus.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { selfModule } from '../account/self.ts'
import { roleModule } from '../role/role.ts'
import { menuModule } from './menu.ts'

const { menu, role, user } = contract
const codes = ['menu:page', 'menu:save', 'menu:enable', 'menu:delete', 'role:page', 'role:manage']
const orders = 'mkopo-audit-order-management'
const queue = 'mkopo-audit-order-allocation'
const people = 'mkopo-user-user-management'
let kit: Kit
let admin: Person
let clerk: Person
let named = 0

beforeAll(async () => {
  kit = await openKit({ modules: [menuModule(), roleModule(), selfModule({ demo: false })] })
  await kit.db.withTx(tx => writeMenus(tx))
  admin = await kit.person({ perms: codes })
  clerk = await kit.person({ perms: [], limit: 'dept' })
  await give(`R${admin.userNo}`, ['mkopo-user-menu-management', 'mkopo-user-role-management', people])
  await give(`R${clerk.userNo}`, [orders, `${orders}.audit:manage:page`])
})
afterAll(() => kit.close())

const exec = (query: ReturnType<typeof sql>) => kit.db.withTx(tx => tx.exec(query))
const give = (roleNo: string, menuNos: readonly string[]) =>
  exec(sql`
    insert into role_menu (role_no, menu_no, limit_type)
    select ${roleNo}, menu_no, case when menu_type = 'page' then 'dept' end from menu where menu_no = any(${[...menuNos]}) on conflict do nothing`)
const tree = async (language: 'zh' | 'en' | 'sw' = 'en') =>
  (await kit.call(menu.tree, {}, { as: admin, language })).data.list
const item = async (menuNo: string) => flat(await tree()).find(one => one.menuNo === menuNo) as MenuItem
const versioned = async (menuNo: string) => ({ menuNo, version: (await item(menuNo)).version })
const save = (given: Partial<InputOf<typeof menu.save>>) =>
  kit.call(
    menu.save,
    {
      menuType: 'external',
      menuName: `外链${++named}`,
      menuNameEn: `Link ${named}`,
      menuNameSw: `Kiungo ${named}`,
      sort: 5,
      ...given,
    } as never,
    { as: admin },
  )
const link = async (given: Partial<InputOf<typeof menu.save>> = {}) =>
  (await save({ externalUrl: 'https://crm.example/today', parentNo: 'UserSystem', ...given })).data.menuNo
const turn = async (menuNo: string, enabled: boolean) =>
  kit.call(menu.state, { ...(await versioned(menuNo)), enabled }, { as: admin })
const held = async ({ userNo }: Person) => (await kit.db.read(tx => rightsOf(tx, userNo))).perms

describe('an entry', () => {
  it('is made disabled, in three languages, and leads out by https alone', async () => {
    const menuNo = await link()
    expect(await item(menuNo)).toMatchObject({ enabled: 'disabled', builtin: false, parentNo: 'UserSystem' })
    for (const externalUrl of ['http://crm.example', 'javascript:alert(1)', 'crm', undefined])
      expect((await save({ externalUrl, parentNo: 'UserSystem' })).code).toBe(40001)
    expect((await save({ externalUrl: 'https://a.example', menuNameSw: ' ' })).code).toBe(40001)
    expect((await save({ externalUrl: 'https://a.example', sort: 0 })).code).toBe(40001)
  })

  it('stands for a route or code that exists, once among its neighbours', async () => {
    const page = { menuType: 'page' as const, parentNo: 'UserSystem' }
    expect((await save({ ...page, perms: '/AdminContent/UserSystem/Nowhere' })).code).toBe(40001)
    expect((await save({ menuType: 'button', parentNo: orders, perms: 'no:such:code' })).code).toBe(40001)
    expect(await save({ menuType: 'button', parentNo: orders, perms: 'audit:order:export' })).toMatchObject({
      code: 40001,
      msg: 'Data already exists',
    })
    expect((await save({ menuType: 'button', parentNo: orders, perms: 'log:audit:page' })).code).toBe(0)
    expect((await save({ menuType: 'button', parentNo: 'UserSystem', perms: 'log:audit:page' })).code).toBe(40001)
  })

  it('has a route that no other enabled page has', async () => {
    const twin = await save({
      menuType: 'page',
      perms: '/AdminContent/AuditSystem/OrderManagement',
      parentNo: 'UserSystem',
    })
    expect(twin.code).toBe(0)
    expect((await turn(twin.data.menuNo, true)).code).toBe(40001)
  })

  it('that comes with the program keeps its code, takes a name, and both stay over a start', async () => {
    const { menuName, menuNameSw, sort, perms } = await item(orders)
    const change = {
      menuType: 'page' as const,
      menuName,
      menuNameEn: 'All orders',
      menuNameSw,
      sort,
      perms: perms as string,
    }
    expect((await save({ ...(await versioned(orders)), ...change, perms: '/AdminContent/Home' })).code).toBe(40001)
    expect((await save({ ...(await versioned(orders)), ...change })).code).toBe(0)
    await kit.db.withTx(tx => writeMenus(tx))
    expect((await item(orders)).shownName).toBe('All orders')
    const menus = (await kit.call(user.self, {}, { as: clerk })).data.userMenu
    expect(JSON.stringify(menus)).toContain('All orders')
    expect((await kit.call(user.self, {}, { as: clerk, language: 'sw' })).data.userMenu).not.toEqual(menus)
  })
})

describe('switching off', () => {
  it('takes an entry and all below it from everybody at the next call, and gives it back', async () => {
    expect((await held(clerk)).has('audit:manage:page')).toBe(true)
    expect((await item('AuditSystem')).holdingPeople).toBe(1)
    expect((await turn('AuditSystem', false)).code).toBe(0)
    expect((await held(clerk)).has('audit:manage:page')).toBe(false)
    expect((await kit.call(user.self, {}, { as: clerk })).data.allowedPaths).not.toContain(
      '/admincontent/auditsystem/ordermanagement',
    )
    const events = await kit.db.read(tx =>
      tx.rows(sql`select 1 from user_event where user_no = ${clerk.userNo} and event = 'perms.changed'`),
    )
    expect(events.length).toBeGreaterThan(0)
    expect((await turn('AuditSystem', false)).code).toBe(40901)
    expect((await turn('AuditSystem', true)).code).toBe(0)
    expect((await held(clerk)).has('audit:manage:page')).toBe(true)
  })

  it('user 8: never takes the last entries of administrators, themselves or by what they lie in', async () => {
    for (const menuNo of ['mkopo-user-menu-management', 'mkopo-user-role-management', people, 'UserSystem'])
      expect(await turn(menuNo, false)).toMatchObject({
        code: 40901,
        msg: 'The last entries of administrators cannot be disabled',
      })
  })
})

describe('the order', () => {
  it('is changed among neighbours and between catalogs, and stays over a start', async () => {
    const [a, b] = [await link({ sort: 1 }), await link({ sort: 2 })]
    const move = async (menuNo: string, to: object) =>
      kit.call(menu.move, { ...(await versioned(menuNo)), ...to }, { as: admin })
    expect((await move(b, { parentNo: 'UserSystem', beforeNo: a })).code).toBe(0)
    expect((await item(b)).sort).toBeLessThan((await item(a)).sort)
    expect((await move(queue, { parentNo: 'UserSystem' })).code).toBe(0)
    await kit.db.withTx(tx => writeMenus(tx))
    expect((await item(queue)).parentNo).toBe('UserSystem')
    expect((await move(queue, { parentNo: 'AuditSystem' })).code).toBe(0)
    expect((await move('AuditSystem', { parentNo: 'AuditSystem' })).msg).toBe(
      'An entry cannot be moved to itself or below itself',
    )
    expect((await move('AuditSystem', { parentNo: 'UserSystem' })).code).toBe(40001)
    expect((await move(`${orders}.audit:order:export`, { parentNo: people })).code).toBe(40001)
  })
})

describe('drift', () => {
  const drift = async () => (await kit.call(menu.drift, {}, { as: admin })).data.list

  it('user 11: names a page whose route is gone; nobody sees it', async () => {
    await exec(
      sql`insert into menu (menu_no, menu_name, menu_type, perms) values ('old', 'Old page', 'page', '/AdminContent/Old')`,
    )
    await exec(
      sql`insert into menu (menu_no, parent_menu_no, menu_name, menu_type, perms) values ('old.code', 'old', 'old:code', 'button', 'old:code')`,
    )
    expect((await drift()).filter(one => one.menuNo.startsWith('old'))).toMatchObject([
      { drift: 'unknown_route', menuNo: 'old' },
      { drift: 'unknown_code', menuNo: 'old.code' },
    ])
    expect((await item('old')).drift).toBe('unknown_route')
  })

  it('is deleted for good unless it is added again, and then it is off', async () => {
    const code = `${orders}.audit:order:cancel`
    const gone = async () => kit.call(menu.remove, await versioned(code), { as: admin })
    expect(await gone()).toMatchObject({ code: 40901, msg: 'Disable the entry first' })
    await turn(code, false)
    expect((await gone()).code).toBe(0)
    await kit.db.withTx(tx => writeMenus(tx))
    expect(await item(code)).toBeUndefined()
    expect(await drift()).toContainEqual(expect.objectContaining({ drift: 'missing', menuNo: code }))
    expect((await kit.call(menu.addMissing, {}, { as: admin })).data).toEqual({ added: 1 })
    expect(await item(code)).toMatchObject({ enabled: 'disabled', drift: null })
    expect((await kit.call(menu.addMissing, {}, { as: admin })).data).toEqual({ added: 0 })
    await turn(code, true)
  })

  it('keeps what still hangs together', async () => {
    await turn(orders, false)
    expect(await kit.call(menu.remove, await versioned(orders), { as: admin })).toMatchObject({ code: 40901 })
    await turn(orders, true)
  })
})

describe('data rules of a page', () => {
  const rule = async (limitTypes: string[], defaultLimitType: string, more: object = {}) =>
    kit.call(menu.dataRule, { ...(await versioned(orders)), limitTypes, defaultLimitType, ...more } as never, {
      as: admin,
    })

  it('fall back only to what is no wider, once that is confirmed', async () => {
    expect((await rule(['own'], 'all')).code).toBe(40001)
    expect(await rule(['own_merchants', 'all'], 'own_merchants')).toMatchObject({ code: 40001 })
    expect(await rule(['own', 'all'], 'own')).toMatchObject({ code: 40002, data: { confirm: ['confirmFallback'] } })
    expect((await rule(['own', 'all'], 'own', { confirmFallback: true })).data).toMatchObject({ roles: 1 })
    const { dataRules } = (await kit.call(role.detail, { roleNo: `R${clerk.userNo}` }, { as: admin })).data
    expect(dataRules).toContainEqual({ menuNo: orders, limitType: 'own' })
  })

  it('bind what roles are given, and say what a new page begins with', async () => {
    await exec(sql`update role_menu set limit_type = 'dept' where menu_no = ${orders} and limit_type = 'own'`)
    expect((await rule(['dept', 'all'], 'dept')).code).toBe(0)
    const { roleNo } = (
      await kit.call(role.save, { roleName: 'Night desk', roleNature: 'headquarters' }, { as: admin })
    ).data
    const set = (dataRules: { menuNo: string; limitType: 'own' | 'all' }[], version: number) =>
      kit.call(
        role.permissions,
        { roleNo, version, permissions: [orders], dataRules, sensitivePerms: [] },
        { as: admin },
      )
    expect(await set([{ menuNo: orders, limitType: 'own' }], 0)).toMatchObject({
      code: 40001,
      msg: 'The page does not allow this data rule',
    })
    await set([], 0)
    const detail = (await kit.call(role.detail, { roleNo }, { as: admin })).data
    expect(detail.permissions).toEqual(expect.arrayContaining([orders, `${orders}.audit:manage:page`]))
    expect((await kit.call(menu.detail, { menuNo: orders }, { as: admin })).data.endpoints).toContainEqual(
      expect.objectContaining({ path: '/loans/audit/manage/list' }),
    )
  })
})

it('is everybody’s: who is limited in rows changes nothing of it', async () => {
  const lead = await kit.person({ perms: codes, limit: 'dept' })
  const input = { ...(await versioned(orders)), enabled: false }
  expect((await kit.call(menu.state, input, { as: lead })).code).toBe(40401)
  expect((await kit.call(menu.addMissing, {}, { as: lead })).code).toBe(40301)
})
