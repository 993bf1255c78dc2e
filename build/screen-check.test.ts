import { describe, expect, it } from 'vitest'
import { audit } from '../core/contract/audit/audit.ts'
import { routes } from '../core/contract/routes.ts'
import { all } from '../server/testing/all-facts.ts'
import { kinds } from '../server/testing/served.ts'
import { missingFor } from './screen-check.ts'

describe.each(routes)('$tag', ({ tag }) => {
  it('lacks nothing', () => {
    expect(missingFor(tag)).toEqual([])
  })
})

it('says that there is no such page', () => {
  expect(missingFor('mkopo-no-such')).toEqual(['no route: one line in core/contract/routes.ts'])
})

it('names each call without a handler, and each list, command and machine without facts', () => {
  const orders = 'mkopo-audit-order-management'
  const [kind, kept] = [kinds.get(audit.manageList)!, { ...all }]
  kinds.delete(audit.manageList)
  Object.assign(all, { commands: [], lists: [], machines: {} })
  const lines = missingFor(orders)
  Object.assign(all, kept)
  kinds.set(audit.manageList, kind)
  expect(lines).toContain('audit.manageList has no handler')
  expect(lines).toContain('audit.manageList: no facts of the list: its key, and how it is filled')
  expect(lines).toContain('audit.cancel: no facts of a record from which it succeeds (commands)')
  expect(lines).toContain('no facts of the machine order: the row that its table takes')
  expect(missingFor(orders)).toEqual([])
})
