import { expect, it } from 'vitest'
import { endpoints } from '../../core/contract/contract.ts'
import { routes } from '../../core/contract/routes.ts'
import { menuRows } from './menus.ts'

const rows = menuRows()
const row = (menuNo: string) => rows.find(one => one.menuNo === menuNo)

it('hangs every page below its system, and its codes below the page with the read code first', () => {
  expect(row('mkopo-audit-my-audit')).toMatchObject({
    parentMenuNo: 'AuditSystem',
    menuType: 'page',
    menuName: 'screens.mkopo-audit-my-audit',
    perms: '/AdminContent/AuditSystem/MyAudit',
  })
  expect(row('AuditSystem')).toMatchObject({ parentMenuNo: null, menuType: 'catalog', menuName: 'systems.AuditSystem' })
  expect(rows.filter(one => one.parentMenuNo === 'mkopo-audit-my-audit').map(one => one.perms)).toEqual([
    'audit:self:page',
    'audit:order:handle',
  ])
  expect(row('mkopo-portal-home')).toMatchObject({ parentMenuNo: null, perms: '/AdminContent/Home' })
})

it('has every parent before its children and no number twice', () => {
  const seen = new Set<string>()
  for (const { menuNo, parentMenuNo } of rows) {
    expect(parentMenuNo === null || seen.has(parentMenuNo)).toBe(true)
    expect(seen.has(menuNo)).toBe(false)
    seen.add(menuNo)
  }
})

it('knows the code of every page, and leaves sign-in out', () => {
  for (const { perm } of routes) if (perm) expect(rows.some(one => one.perms === perm)).toBe(true)
  expect(row('mkopo-portal-login')).toBeUndefined()
})

it('offers every code that a call asks for', () => {
  const codes = new Set(rows.map(one => one.perms))
  const missing = endpoints.flatMap(({ endpoint }) =>
    endpoint.perm && !codes.has(endpoint.perm) ? [endpoint.perm] : [],
  )
  expect([...new Set(missing)]).toEqual([])
})
