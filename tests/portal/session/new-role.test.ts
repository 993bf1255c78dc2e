import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { contract } from '../../../core/contract/contract.ts'
import { base, type Endpoint } from '../../../core/contract/endpoint.ts'
import type { Person } from '../../../server/testing/kit.ts'
import { consoleForTests, welcomed } from '../console.ts'

const { audit, common, loan, order, role } = contract
const at = consoleForTests()
const orders = 'mkopo-audit-order-management'
const allocation = 'mkopo-audit-order-allocation'
const screens = { orders: 'Order management', allocation: 'Order allocation' }

let made = 0
/** A role with two screens, one data rule and nothing sensitive, and the person who is its first member. */
const madeRole = async () => {
  const { fixture } = at
  const as = { as: fixture.boss }
  const { roleNo } = fixture.must(
    await fixture.call(role.save, { roleName: `Front desk ${++made}`, roleNature: 'headquarters' }, as),
  ) as { roleNo: string; version: number }
  const rights = {
    permissions: [orders, `${orders}.audit:manage:page`, allocation, `${allocation}.audit:allot:page`],
    dataRules: [{ menuNo: orders, limitType: 'own_merchants' as const }],
    sensitivePerms: [],
  }
  const set = async (given: Partial<typeof rights>) => {
    const { version } = (await fixture.call(role.detail, { roleNo }, as)).data
    return fixture.must(await fixture.call(role.permissions, { roleNo, version, ...rights, ...given }, as))
  }
  await set({})
  const clerk = await fixture.person({ perms: [], sensitive: [], merchants: ['M2'] })
  const { version } = (await fixture.call(role.detail, { roleNo }, as)).data
  fixture.must(await fixture.call(role.addMembers, { roleNo, version, userNos: [clerk.userNo] }, as))
  return { roleNo, clerk, set }
}

/** A request by hand, with nothing of the console around it. */
const byHand = async (endpoint: Endpoint, input: object, { token }: Person) => {
  const reads = endpoint.method === 'GET'
  const query = reads ? `?${new URLSearchParams(input as Record<string, string>)}` : ''
  const answer = await fetch(`${at.url}${base}${endpoint.path}${query}`, {
    method: endpoint.method,
    headers: {
      token,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(endpoint.audit ? { 'idempotency-key': crypto.randomUUID() } : {}),
    },
    ...(reads ? {} : { body: JSON.stringify(input) }),
  })
  const text = await answer.text()
  return { text, ...(JSON.parse(text) as { code: number; data: { list?: Record<string, unknown>[] } }) }
}

const menuOf = async (page: Page) => {
  const menu = page.getByRole('navigation', { name: 'Menu' })
  await menu.waitFor()
  for (const closed of await menu.getByRole('button', { expanded: false }).all()) await closed.click()
  return (await menu.getByRole('link').allInnerTexts()).map(text => text.replace(/\s*\d+$/, '').trim())
}

test('a new role opens its screens and nothing else, in a second browser and by hand, and what changes holds for the next call', async () => {
  const { fixture } = at
  const [foreign, own] = [await fixture.queueUp('M1'), await fixture.queueUp('M2')]
  const { roleNo, clerk, set } = await madeRole()

  const admin = await at.home(await at.staff(['RoleManagement', 'UserManagement']))
  await admin.goto(`${at.url}/AdminContent/UserSystem/RoleManagement`)
  await admin.getByRole('row').filter({ hasText: 'Front desk 1' }).getByText('Front desk 1').first().waitFor()

  const page = await at.home(clerk, {})
  await showsTheMenu(page)

  await page.goto(`${at.url}/AdminContent/AfterLoanSystem/LoanManagement`)
  await welcomed(page)
  await page.getByText('You have no access to this page').waitFor()

  await page.goto(`${at.url}/AdminContent/AuditSystem/OrderManagement`)
  const main = page.getByRole('main')
  await main.getByText(own).first().waitFor()
  expect(await main.getByText(foreign).count()).toBe(0)
  for (const name of ['Export', 'More actions']) expect(await main.getByRole('button', { name }).count()).toBe(0)
  expect(await main.getByRole('button', { name: /Show and copy/ }).count()).toBe(0)
  const { customerName, phone, idNumber } = await fixture.one(
    sql<Record<'customerName' | 'phone' | 'idNumber', string>>`
      select c.customer_name, c.phone, c.id_number from customer c join loan_order using (customer_no) where order_no = ${own}`,
  )
  expect(await main.getByText(customerName).count()).toBe(0)

  await page.goto(`${at.url}/AdminContent/AuditSystem/OrderAllocation`)
  await page.getByRole('heading', { level: 1, name: screens.allocation }).waitFor()
  expect(await main.getByRole('button', { name: /^Allocate/ }).count()).toBe(0)
  expect(await main.getByText(own).count()).toBe(0)

  const list = await byHand(audit.manageList, { pageSize: 100 }, clerk)
  expect(list.data.list?.map(row => row.orderNo)).toEqual([own])
  for (const value of [customerName, phone, idNumber]) expect(list.text).not.toContain(value)
  expect((await byHand(audit.allotList, {}, clerk)).data.list).toEqual([])
  const refused: [Endpoint, object, number][] = [
    [audit.allot as Endpoint, { orderNos: [own], auditorNos: [clerk.userNo] }, 40301],
    [
      audit.manageList.exporting as unknown as Endpoint,
      { filters: {}, columns: ['orderNo'], exportFormat: 'csv' },
      40301,
    ],
    [loan.page as unknown as Endpoint, {}, 40301],
    [role.page as unknown as Endpoint, {}, 40301],
    [order.basic as Endpoint, { orderNo: foreign }, 40301],
  ]
  for (const [endpoint, input, code] of refused)
    expect((await byHand(endpoint, input, clerk)).code, endpoint.path).toBe(code)
  const reveal = { ...common.reveal, path: '/common/reveal/phone' } as Endpoint
  expect((await byHand(reveal, { objectType: 'order', objectNo: own, field: 'phone' }, clerk)).code).toBe(40301)

  // Taken away: the open page hears of it, the next call is refused, and what is left still works.
  await set({ permissions: [orders, `${orders}.audit:manage:page`] })
  expect((await byHand(audit.allotList, {}, clerk)).code).toBe(40301)
  expect((await byHand(audit.manageList, {}, clerk)).code).toBe(0)
  await welcomed(page)
  await expect.poll(() => menuOf(page)).toEqual([screens.orders])
  // Given: it opens without another sign-in.
  await set({
    permissions: [orders, `${orders}.audit:manage:page`, `${orders}.audit:order:export`],
    dataRules: [{ menuNo: orders, limitType: 'all' as never }],
  })
  expect((await byHand(audit.manageList, {}, clerk)).data.list?.map(row => row.orderNo).sort()).toEqual(
    [foreign, own].sort(),
  )
  expect(roleNo).toBeTruthy()
})

const showsTheMenu = async (page: Page) =>
  expect((await menuOf(page)).sort()).toEqual([screens.allocation, screens.orders].sort())

test('B8, B9: what is edited in the storage of the browser opens a frame at most; calls and masks are the server’s', async () => {
  const { fixture } = at
  const orderNo = await fixture.queueUp('M2')
  const { clerk } = await madeRole()
  const page = await at.home(clerk)
  await page.evaluate(path => {
    const paths = JSON.parse(sessionStorage.getItem('allowedPaths') ?? '[]') as string[]
    sessionStorage.setItem('allowedPaths', JSON.stringify([...paths, path]))
    const info = JSON.parse(sessionStorage.getItem('userInfo') ?? '{}') as object
    sessionStorage.setItem('userInfo', JSON.stringify({ ...info, isDesensitization: false }))
  }, '/admincontent/afterloansystem/loanmanagement')
  const refused = page.waitForResponse(
    async answer => answer.url().includes(loan.page.path) && ((await answer.json()) as { code: number }).code === 40301,
    { timeout: 60_000 },
  )
  await page.goto(`${at.url}/AdminContent/AfterLoanSystem/LoanManagement`)
  await Promise.race([refused, page.getByRole('heading', { name: /^Welcome/ }).waitFor()])
  expect((await byHand(loan.page as unknown as Endpoint, {}, clerk)).code).toBe(40301)
  const { customerName } = await fixture.one(
    sql<{
      customerName: string
    }>`select customer_name from customer join loan_order using (customer_no) where order_no = ${orderNo}`,
  )
  await page.goto(`${at.url}/AdminContent/AuditSystem/OrderManagement`)
  await page.getByRole('main').getByText(orderNo).first().waitFor()
  expect(await page.getByRole('main').getByText(customerName).count()).toBe(0)
})

test('J1, J7: script in names is shown as text, in lists, messages and the menu', async () => {
  const { fixture } = at
  const script = '<img src=x onerror="window.hacked=1">'
  const orderNo = await fixture.queueUp('M2')
  await fixture.exec(sql`update merchant set merchant_name = ${script} where merchant_no = 'M2'`)
  await fixture.exec(sql`update dept set dept_name = ${script} where dept_no = 'D1'`)
  const person = await at.staff(['OrderManagement', 'OrderDetail'])
  const page = await at.home(person)
  const refused: string[] = []
  page.on('console', message => void (message.type() === 'error' && refused.push(message.text())))
  await page.goto(`${at.url}/AdminContent/AuditSystem/OrderManagement`)
  await page.getByRole('main').getByText(orderNo).first().click()
  await page.getByText('onerror=').first().waitFor()
  expect(await page.evaluate(() => (window as { hacked?: number }).hacked)).toBeUndefined()
  expect(await page.locator('img[src="x"]').count()).toBe(0)
  expect(refused.filter(text => /Content Security Policy|TrustedHTML/.test(text))).toEqual([])
  await fixture.exec(sql`update merchant set merchant_name = 'Market Loan' where merchant_no = 'M2'`)
})
