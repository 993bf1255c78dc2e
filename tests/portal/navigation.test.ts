import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { endpoints } from '../../core/contract/contract.ts'
import { base } from '../../core/contract/endpoint.ts'
import { plannedPages } from '../../core/contract/page-table.ts'
import { home } from '../../core/contract/portal/home.ts'
import { messages } from '../../core/i18n/server.ts'
import { hashPassword } from '../../server/session/password.ts'
import { consoleForTests, welcomed } from './console.ts'

const at = consoleForTests()
const noAccess = 'You have no access to this page'

test.each(['/AdminContent/AuditSystem/MyAudit', '/nonsense'])(
  'portal 1: without a token %s ends at the sign-in, and no business call is sent',
  async address => {
    const page = await at.stranger()
    const calls: string[] = []
    page.on('request', request => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith(base) && !pathname.includes('/noAuth/')) calls.push(pathname)
    })
    await page.goto(at.url + address)
    await page.locator('input#username').waitFor()
    await page.waitForLoadState('networkidle')
    expect(new URL(page.url()).pathname).toBe('/Index/Login')
    expect(calls).toEqual([])
  },
)

test('portal 2: a page that is not on the list leads Home with one toast, a system without a word, and letters are corrected', async () => {
  const page = await at.open(await at.staff(['MyAudit']))
  await page.goto(`${at.url}/AdminContent/AfterLoanSystem/LoanManagement`)
  await welcomed(page)
  const toast = page.getByText(noAccess)
  await toast.waitFor()
  expect(await toast.count()).toBe(1)
  expect(new URL(page.url()).pathname).toBe('/AdminContent/Home')
  await page.goto(`${at.url}/AdminContent/AuditSystem`)
  await welcomed(page)
  expect(new URL(page.url()).pathname).toBe('/AdminContent/Home')
  expect(await toast.count()).toBe(0)
  await page.goto(`${at.url}/admincontent/auditsystem/myaudit`)
  await page.getByRole('heading', { level: 1, name: 'My audit' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/AdminContent/AuditSystem/MyAudit')
})

test('portal 5, B6: signing out in one tab ends the other; signing in again leads back to the same page', async () => {
  const person = await at.staff(['MyAudit', 'OrderAllocation'])
  const hash = await hashPassword('Nile-Boat-47')
  await at.fixture.exec(sql`update app_user set password_hash = ${hash} where user_no = ${person.userNo}`)
  const code = await at.authenticator(person)
  const page = await at.home(person)
  const popup = page.waitForEvent('popup')
  await page.evaluate(() => void window.open('/AdminContent/AuditSystem/MyAudit', '_blank'))
  const other = await popup
  await other.getByRole('heading', { level: 1, name: 'My audit' }).waitFor()
  await page.getByRole('button', { name: /^Person/ }).click()
  const ended = other.getByText('Your session has ended').waitFor()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await ended
  await page.getByLabel('User name').waitFor()

  await other.getByLabel('User name').waitFor()
  const kept = ['token', 'userInfo', 'userMenu', 'allowedPaths', 'passwordUpdateStatus']
  expect(await other.evaluate(names => names.map(name => sessionStorage.getItem(name)), kept)).toEqual(
    kept.map(() => null),
  )
  await other.getByLabel('User name').fill(`login.${person.userNo}`)
  await other.locator('input#password').fill('Nile-Boat-47')
  await other.getByRole('button', { name: 'Sign in' }).click()
  await other.getByLabel('Authenticator code').fill(code())
  await other.getByRole('heading', { level: 1, name: 'My audit' }).waitFor()
})

test('no call goes out without its token, neither on a new document nor right after signing in', async () => {
  const person = await at.staff(['MyAudit', 'OrderAllocation'])
  const hash = await hashPassword('Nile-Boat-47')
  await at.fixture.exec(sql`update app_user set password_hash = ${hash} where user_no = ${person.userNo}`)
  const code = await at.authenticator(person)
  const page = await at.home(person)
  const open = endpoints.filter(({ endpoint }) => endpoint.auth === 'anon').map(({ endpoint }) => base + endpoint.path)
  const calls: string[] = []
  const bare: string[] = []
  page.on('request', request => {
    const { pathname } = new URL(request.url())
    if (!pathname.startsWith(`${base}/`) || open.includes(pathname)) return
    calls.push(pathname)
    if (!request.headers().token) bare.push(pathname)
  })
  await page.reload()
  await welcomed(page)
  await expect.poll(() => calls).toContain(`${base}${home.mine.path}`)
  expect(bare).toEqual([])
  await page.getByRole('button', { name: /^Person/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByLabel('User name').fill(`login.${person.userNo}`)
  await page.locator('input#password').fill('Nile-Boat-47')
  calls.splice(0)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByLabel('Authenticator code').fill(code())
  await welcomed(page)
  await expect.poll(() => calls).toContain(`${base}${home.mine.path}`)
  expect(bare).toEqual([])
})

test('an address with a filter or an order that cannot be says so, and leads to the whole list', async () => {
  const page = await at.open(await at.staff(['OrderManagement']))
  await page.goto(`${at.url}/AdminContent/AuditSystem/OrderManagement?customerName=a`)
  const alert = page.getByRole('alert').filter({ hasText: 'Customer name: At least 2 characters' })
  await alert.waitFor()
  expect(await alert.getByRole('button').allInnerTexts()).toEqual(['Reset'])
  await alert.getByRole('button', { name: 'Reset' }).click()
  await page.getByRole('button', { name: 'Any time' }).waitFor()
  expect(new URL(page.url()).searchParams.has('customerName')).toBe(false)
  await page.goto(`${at.url}/AdminContent/AuditSystem/OrderManagement?sort=nothing`)
  await page.getByRole('alert').getByRole('button', { name: 'Reset' }).click()
  await page.getByRole('button', { name: 'Any time' }).waitFor()
})

/** The page that is built last. */
const planned = plannedPages.at(-1)!

test.each([
  ['zh', '该页面暂未开放', '返回首页'],
  ['en', 'This page is not available yet', 'Go to Home'],
  ['sw', 'Ukurasa huu bado haupatikani', 'Rudi Mwanzo'],
] as const)(
  '%s: a page that is not built says so inside the console, and the menu does not offer it',
  async (language, words, goHome) => {
    const title = messages[language][`screens.${planned.tag}`] ?? ''
    const page = await at.home(await at.staff(['MyAudit']))
    await page.evaluate(chosen => localStorage.setItem('language', chosen), language)
    await page.goto(at.url + planned.path)
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    const main = page.getByRole('main')
    await main.getByText(words, { exact: true }).waitFor()
    expect(new URL(page.url()).pathname).toBe(planned.path)
    await expect.poll(() => page.title()).toMatch(new RegExp(`^${title} · `))
    const menu = page.getByRole('navigation').first()
    await menu.getByRole('link').first().waitFor()
    expect(await menu.getByText(title).count()).toBe(0)
    await main.getByRole('button', { name: goHome }).click()
    await welcomed(page)
  },
)
