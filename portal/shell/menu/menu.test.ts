import { expect, test } from 'vitest'
import type { MenuNode } from '../../../core/contract/user/user.ts'
import { keptMenu } from './menu.ts'

const node = (menuNo: string, given: Partial<MenuNode> = {}): MenuNode => ({
  menuNo,
  menuName: menuNo,
  menuType: 'page',
  perms: null,
  externalUrl: null,
  icon: null,
  sort: 0,
  childList: [],
  ...given,
})

test('pages that exist stay, whatever their letters, without their buttons', () => {
  const tree = [
    node('audit', {
      menuType: 'catalog',
      childList: [
        node('mine', {
          perms: '/admincontent/AUDITSYSTEM/MyAudit',
          childList: [node('b', { menuType: 'button', perms: 'audit:self:page' })],
        }),
        node('gone', { perms: '/AdminContent/AuditSystem/NotYet' }),
      ],
    }),
  ]
  expect(keptMenu(tree)).toEqual([
    expect.objectContaining({
      menuNo: 'audit',
      childList: [expect.objectContaining({ menuNo: 'mine', childList: [] })],
    }),
  ])
})

test('a catalog without pages is dropped, an external link stays', () => {
  expect(
    keptMenu([
      node('empty', { menuType: 'catalog', childList: [node('x')] }),
      node('link', { menuType: 'external', externalUrl: 'https://partner.example' }),
    ]).map(one => one.menuNo),
  ).toEqual(['link'])
})

test('nodes stand in their order', () => {
  expect(
    keptMenu([node('b', { sort: 2, externalUrl: 'x' }), node('a', { sort: 1, externalUrl: 'x' })]).map(
      one => one.menuNo,
    ),
  ).toEqual(['a', 'b'])
})
