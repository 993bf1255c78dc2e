import { describe, expect, test } from 'vitest'
import { builtPages, plannedPages } from '../../core/contract/page-table.ts'
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

describe('B10: with a session', () => {
  test.each([
    '/AdminContent',
    ...'OrderDetailAudit AuditSystem AfterLoanSystem CollectionSystem CollectionSystemNew UserSystem ReportSystem'
      .concat(' RiskControlSystem OperationSystem LoanSupermarketSystem MerchantSystem ChargeToAnAccountSystem')
      .concat(' TelemarketingSystem MarketingManagement CustomerServiceSystem AppraisalSystem QualitySystem')
      .concat(' ScheduleManage')
      .split(' ')
      .map(system => `/AdminContent/${system}`),
  ])('%s leads Home, without a word', path => {
    expect(guard(path, auditor)).toEqual(home)
    expect(guard(path.toLowerCase(), auditor)).toEqual(home)
  })
  test.each(['Home', 'OrderDetail', 'OrderAudit'])('%s is open to everybody', name => {
    const route = builtPages.find(one => one.name === name)!
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

describe('pages whose screen is not built', () => {
  const perSystem = {
    ...{ Index: 1, AdminContent: 2, OrderDetailAudit: 2, AuditSystem: 9, AfterLoanSystem: 13, CollectionSystem: 13 },
    ...{ CollectionSystemNew: 11, UserSystem: 6, ReportSystem: 5, RiskControlSystem: 4, OperationSystem: 23 },
    ...{ LoanSupermarketSystem: 4, MerchantSystem: 8, ChargeToAnAccountSystem: 4, TelemarketingSystem: 11 },
    ...{ MarketingManagement: 4, CustomerServiceSystem: 11, AppraisalSystem: 1, QualitySystem: 1, ScheduleManage: 4 },
  }
  const pages = [...builtPages, ...plannedPages]

  test('the 137 addresses of the console are known, each once', () => {
    const found: Record<string, number> = {}
    for (const { system } of pages) found[system] = (found[system] ?? 0) + 1
    expect(found).toEqual(perSystem)
    for (const part of ['path', 'tag'] as const)
      expect(new Set(pages.map(page => page[part].toLowerCase())).size).toBe(137)
  })
  test.each(plannedPages.map(page => [page.path, page] as const))('%s says so inside the console', (path, route) => {
    expect(guard(path, auditor)).toEqual({ go: 'planned', route })
    expect(guard(path.toLowerCase(), auditor)).toEqual({ go: 'redirect', to: path })
    expect(guard(path, nobody)).toEqual({ go: 'signOut' })
  })
})
