import { expect, test } from 'vitest'
import type { MenuNode } from '../../../core/contract/user/user.ts'
import { isName, isNumber, matching, pagesOf } from './palette-search.ts'

const entries = [
  { id: 'allot', label: 'Order allocation', hint: 'Audit' },
  { id: 'mine', label: 'My audit', hint: 'Audit' },
  { id: 'orders', label: 'Order management', hint: 'Audit' },
  { id: 'repay', label: 'Usimamizi wa marejesho', hint: 'After loan' },
  { id: 'zh', label: '订单分配', hint: '审核' },
]
const found = (typed: string) => matching(entries, typed).map(entry => entry.id)

test('nothing typed offers everything in its order', () => {
  expect(found('  ')).toEqual(['allot', 'mine', 'orders', 'repay', 'zh'])
})

test('what begins with the words comes first, then words inside, then the catalog', () => {
  expect(found('order')).toEqual(['allot', 'orders'])
  expect(found('AUDIT')).toEqual(['mine', 'allot', 'orders'])
  expect(found('man ord')).toEqual(['orders'])
  expect(found('maréjesho')).toEqual(['repay'])
  expect(found('分配')).toEqual(['zh'])
  expect(found('nothing like it')).toEqual([])
})

test('a name in another language answers as its own does', () => {
  const pages = [
    { id: 'mine', label: 'Uamuzi wangu', also: ['My audit', '我的审核'] },
    { id: 'allot', label: 'Upangaji', also: ['Order allocation', '订单分配'] },
  ]
  expect(matching(pages, 'order').map(page => page.id)).toEqual(['allot'])
  expect(matching(pages, '审核').map(page => page.id)).toEqual(['mine'])
  expect(matching(pages, 'u').map(page => page.id)).toEqual(['mine', 'allot'])
})

test('a number is at least four letters and digits long, with a digit in it', () => {
  expect(['LO2611207K3M9Q2A', 'M1-000017', 'LO26'].map(isNumber)).toEqual([true, true, true])
  expect(['LO2', 'management', 'LO2611 207K', ''].map(isNumber)).toEqual([false, false, false, false])
})

test('a name is at least three letters long, without a digit', () => {
  expect(['Nak', 'Grace Nakato', 'Óscar O’Neill', '王小明'].map(isName)).toEqual([true, true, true, true])
  expect(['Na', 'LO26', '77 000', ' '].map(isName)).toEqual([false, false, false, false])
})

test('pages are those of the menu, external ones included, catalogs not', () => {
  const node = (menuNo: string, o: Partial<MenuNode>): MenuNode => ({
    menuNo,
    menuName: menuNo,
    menuType: 'page',
    perms: null,
    externalUrl: null,
    icon: null,
    sort: 1,
    childList: [],
    ...o,
  })
  const menu = [
    node('Credit review', {
      childList: [node('Mine', { perms: '/a/mine' }), node('Out', { externalUrl: 'https://x.example' })],
    }),
    node('Home', { perms: '/home' }),
    node('Empty', {}),
  ]
  expect(pagesOf(menu, one => one.menuName)).toEqual([
    { id: 'Mine', label: 'Mine', hint: 'Credit review', path: '/a/mine', external: false },
    { id: 'Out', label: 'Out', hint: 'Credit review', path: 'https://x.example', external: true },
    { id: 'Home', label: 'Home', path: '/home', external: false },
  ])
})
