import { expect, test } from 'vitest'
import { homePath } from '../../../core/contract/pages.ts'
import type { MenuNode } from '../../../core/contract/user/user.ts'
import { badgesOf, waitingAt } from './badges.ts'

const queue = (route: string, count: number | null) => ({
  key: 'k',
  count,
  amount: null,
  oldestMinutes: null,
  route,
  filters: {},
})
const node = (perms: string | null, childList: MenuNode[] = []): MenuNode => ({
  menuNo: perms ?? 'top',
  menuName: 'x',
  menuType: 'page',
  perms,
  externalUrl: null,
  icon: null,
  sort: 1,
  childList,
})

test('a page shows all its queues together, a catalog those of its pages, whatever the letters', () => {
  const badges = badgesOf([queue('/A/One', 3), queue('/A/One', 4), queue('/A/Two', 5), queue('/A/Three', null)])
  const [one, two, three] = [node('/a/one'), node('/A/Two'), node('/A/Three')]
  expect([one, two, three].map(page => waitingAt(page, badges))).toEqual([7, 5, 0])
  expect(waitingAt(node('/A', [one, two, three]), badges)).toBe(12)
  expect(waitingAt(node(null, [one]), badges)).toBe(7)
})

test('what waits in the message center is not shown at Home', () => {
  expect(waitingAt(node(homePath), badgesOf([queue(homePath, 9)]))).toBe(0)
})
