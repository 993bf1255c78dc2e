import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Kit, openKit } from '../testing/kit.ts'
import { rightsOf } from './held-rights.ts'
import { type MenuRow, menuRows } from './menus.ts'
import { writeMenus } from './write-menus.ts'

let kit: Kit
beforeAll(async () => {
  kit = await openKit({ modules: [] })
})
afterAll(() => kit.close())

const write = (rows?: readonly MenuRow[]) => kit.db.withTx(tx => writeMenus(tx, rows))
const codesOf = async (userNo: string) => [...(await kit.db.read(tx => rightsOf(tx, userNo))).perms].sort()
const menu = (menuNo: string) =>
  kit.db.read(tx =>
    tx.maybe(sql<{ menuName: string; gone: boolean }>`
    select menu_name, gone_time is not null as gone from menu where menu_no = ${menuNo}`),
  )
const page = {
  menuNo: 'Shop',
  parentMenuNo: null,
  menuName: 'shop',
  menuType: 'page',
  perms: '/Shop',
  sort: 1,
} as const
const code = (perms: string): MenuRow => ({
  menuNo: `Shop.${perms}`,
  parentMenuNo: 'Shop',
  menuName: perms,
  menuType: 'button',
  perms,
  sort: 1,
})

it('gives a database of an older version its new pages, renames, and marks what is gone', async () => {
  await write([page, code('shop:page'), code('shop:sell')])
  await write([{ ...page, menuName: 'market' }, code('shop:page'), code('shop:rent')])
  expect(await menu('Shop')).toEqual({ menuName: 'market', gone: false })
  expect(await menu('Shop.shop:rent')).toMatchObject({ gone: false })
  expect(await menu('Shop.shop:sell')).toMatchObject({ gone: true })
  await write()
  expect(await menu('Shop')).toMatchObject({ gone: true })
  const { n } = await kit.db.read(tx =>
    tx.one(sql<{ n: number }>`select count(*)::int n from menu where gone_time is null`),
  )
  expect(n).toBe(menuRows().length)
})

it('D16: grants what is gone to nobody, and again once it is back', async () => {
  const keeper = await kit.person({ perms: [] })
  const rows = [page, code('shop:page'), code('shop:sell')]
  await write(rows)
  await kit.db.withTx(tx =>
    tx.exec(
      sql`insert into role_menu (role_no, menu_no) select ${`R${keeper.userNo}`}, menu_no from menu where menu_no like 'Shop%'`,
    ),
  )
  expect(await codesOf(keeper.userNo)).toEqual(expect.arrayContaining(['shop:page', 'shop:sell']))
  await write(rows.slice(0, 2))
  expect(await codesOf(keeper.userNo)).not.toContain('shop:sell')
  await write(rows)
  expect(await codesOf(keeper.userNo)).toContain('shop:sell')
})

it('gives every new code to the roles that hold every code, and to no other', async () => {
  const [all, some] = [await kit.person({ perms: [] }), await kit.person({ perms: ['x:y'] })]
  await kit.db.withTx(tx => tx.exec(sql`update role set every_code = true where role_no = ${`R${all.userNo}`}`))
  await write()
  const codes = menuRows().flatMap(row => row.perms ?? [])
  expect(await codesOf(all.userNo)).toEqual(expect.arrayContaining([...codes]))
  expect(codes.some(one => one.endsWith(':check'))).toBe(true)
  expect((await codesOf(some.userNo)).filter(one => codes.includes(one))).toEqual([])
})

it('leaves links and pages of the installation alone', async () => {
  await kit.db.withTx(tx =>
    tx.exec(
      sql`insert into menu (menu_no, menu_name, menu_type, external_url) values ('X1', 'Wiki', 'external', 'https://wiki.example')`,
    ),
  )
  await write()
  expect(await menu('X1')).toEqual({ menuName: 'Wiki', gone: false })
})
