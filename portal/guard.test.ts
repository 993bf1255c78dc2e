import { describe, expect, test } from 'vitest'
import { routes } from '../core/contract/routes.ts'
import { guard } from './guard.ts'

const myAudit = '/AdminContent/AuditSystem/MyAudit'
const auditor = { token: 't', allowedPaths: [myAudit.toLowerCase()] }
const nobody = { token: null, allowedPaths: [] }
const home = { go: 'redirect', to: '/AdminContent/Home' }

describe('without a session', () => {
  test.each([
    '/nonsense',
    '/',
    '/adminx',
    '/AdminContent/Nothing',
    '/AdminContent/AuditSystem/Nothing',
    '/AdminContent/AuditSystem/MyAudit/deeper',
  ])('%s is unknown and leads to /Index', path => {
    expect(guard(path, nobody)).toEqual({ go: 'redirect', to: '/Index' })
  })
  test('/Index leads to the sign-in page, which is always allowed', () => {
    expect(guard('/Index', nobody)).toEqual({ go: 'redirect', to: '/Index/Login' })
    expect(guard('/Index/Login', nobody)).toMatchObject({ go: 'show', route: { name: 'Login' } })
    expect(guard('/Index/Login', auditor)).toMatchObject({ go: 'show', route: { name: 'Login' } })
  })
  test.each([
    '/AdminContent',
    '/AdminContent/Home',
    '/AdminContent/AuditSystem',
    myAudit,
    '/AdminContent/OrderDetailAudit/OrderDetail',
  ])('%s ends the session that is not there', path => {
    expect(guard(path, nobody)).toEqual({ go: 'signOut' })
  })
})

describe('with a session', () => {
  test('/AdminContent and every system lead Home, without a word', () => {
    expect(guard('/AdminContent', auditor)).toEqual(home)
    for (const system of new Set(routes.filter(route => route.path.split('/').length === 4).map(route => route.system)))
      expect(guard(`/AdminContent/${system}`, auditor)).toEqual(home)
  })
  test.each(['Home', 'OrderDetail', 'OrderAudit'])('%s is open to everybody', name => {
    const route = routes.find(one => one.name === name)!
    expect(guard(route.path, { token: 't', allowedPaths: [] })).toEqual({ go: 'show', route })
  })
  test('a page on the list is shown, one that is not leads Home with a toast', () => {
    expect(guard(myAudit, auditor)).toMatchObject({ go: 'show', route: { tag: 'mkopo-audit-my-audit' } })
    expect(guard('/AdminContent/AuditSystem/OrderAllocation', auditor)).toEqual({ ...home, toast: 'access' })
  })
  test.each([myAudit.toLowerCase(), `${myAudit}/`, '/ADMINCONTENT/auditsystem/myaudit'])(
    '%s is corrected to the letters of the route',
    path => {
      expect(guard(path, auditor)).toEqual({ go: 'redirect', to: myAudit })
    },
  )
})
