import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { businessConfig } from '../../../core/contract/common/business-config.ts'
import { common } from '../../../core/contract/common/common.ts'
import { consoleForTests } from '../console.ts'
import { customersPhone } from '../people.ts'

const at = consoleForTests()
const detailOf = (orderNo: string) => `${at.url}/AdminContent/OrderDetailAudit/OrderDetail?orderNo=${orderNo}`

test('portal 9: a person who may not see phones is not offered it, and is refused by the server', async () => {
  const orderNo = await at.fixture.queueUp()
  const person = await at.staff(['OrderManagement', 'OrderDetail'], { sensitive: [] })
  const page = await at.home(person)
  await page.goto(detailOf(orderNo))
  await page.getByRole('main').getByText(orderNo).first().waitFor()
  await page
    .getByText(/256?\d?\*+\d\d|\d\d\*{4,}\d\d/)
    .first()
    .waitFor()
  expect(await page.getByRole('button', { name: /Show and copy/ }).count()).toBe(0)
  const input = { kind: 'phone', objectType: 'order', objectNo: orderNo, field: 'phone' } as const
  expect((await at.fixture.call(common.reveal, input, { as: person })).code).toBe(40301)
})

test('portal 9: a person with the right sees the phone in full, copies it, and is logged', async () => {
  const orderNo = await at.fixture.queueUp()
  const person = await at.staff(['OrderManagement', 'OrderDetail'], { sensitive: ['pii:reveal:phone'] })
  const page = await at.home(person)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(detailOf(orderNo))
  const main = page.getByRole('main')
  const phone = await customersPhone(at.fixture, orderNo)
  const reveal = main.getByRole('button', { name: /Show and copy/ }).first()
  expect(await reveal.innerText()).toBe('Show and copy')
  await reveal.click()
  await main.getByText(phone).first().waitFor()
  await page.getByRole('status').getByText('Copied').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(phone)
  const log = await at.fixture.rows(sql`select access_kind, field from access_log where user_no = ${person.userNo}`)
  expect(log).toEqual([{ accessKind: 'reveal', field: 'phone' }])
})

test('portal 9: a phone that is no more shows a dash, and asking for it is written down all the same', async () => {
  const orderNo = await at.fixture.queueUp()
  const person = await at.staff(['OrderManagement', 'OrderDetail'], { sensitive: ['pii:reveal:phone'] })
  const page = await at.home(person)
  await page.goto(detailOf(orderNo))
  const ask = page.getByRole('main').getByRole('button', { name: /Show and copy/ })
  await ask.first().waitFor()
  const before = await ask.count()
  await at.fixture.exec(sql`
    update merchant_customer set phone = '' where customer_no = (select customer_no from loan_order where order_no = ${orderNo})`)
  const [answer] = await Promise.all([
    page.waitForResponse(response => response.url().includes('/common/reveal/phone')),
    ask.first().click(),
  ])
  expect(await answer.json()).toMatchObject({ code: 0 })
  await expect.poll(() => ask.count()).toBe(before - 1)
  await page.getByRole('main').getByText('-', { exact: true }).first().waitFor()
  expect(await page.getByRole('status').getByText('Copied').count()).toBe(0)
  const log = await at.fixture.rows(sql`select access_kind, field from access_log where user_no = ${person.userNo}`)
  expect(log).toEqual([{ accessKind: 'reveal', field: 'phone' }])
})

test('portal 13: a right that a role loses takes its buttons away within seconds, and an open dialog is refused', async () => {
  const [orderNo, person] = [await at.fixture.queueUp(), await at.staff(['OrderAllocation'])]
  const auditor = await at.fixture.reviewer()
  const shown = async () => {
    const page = await at.home(person)
    await page.goto(`${at.url}/AdminContent/AuditSystem/OrderAllocation?orderNo=${orderNo}`)
    const button = page
      .getByRole('row')
      .filter({ hasText: orderNo })
      .getByRole('button', { name: 'Allocate', exact: true })
    await button.waitFor()
    return { page, button }
  }
  const [open, idle] = [await shown(), await shown()]
  await open.button.click()
  const dialog = open.page.getByRole('dialog', { name: 'Allocate' })
  await dialog.getByRole('checkbox', { name: new RegExp(`Person ${auditor.userNo}\\b`) }).click()
  await at.fixture.exec(sql`
    delete from role_menu rm using menu m where m.menu_no = rm.menu_no and m.perms = 'audit:order:allot' and rm.role_no = ${`R${person.userNo}`}`)
  await expect.poll(() => idle.button.count(), { timeout: 60_000 }).toBe(0)
  const answered = open.page.waitForResponse(answer => answer.url().endsWith('/allot/commit'))
  await dialog.getByRole('button', { name: /^Allocate/ }).click()
  expect((await (await answered).json()).code).toBe(40301)
  await open.page.getByRole('alert').getByText('You do not have permission for this action').waitFor()
})

test('L12: where two people said so, a page and its drawer carry the name of who looks at them, and stay usable', async () => {
  const { fixture } = at
  const person = await at.staff(['OrderManagement', 'OrderDetail', 'UserManagement'])
  const orderNo = await fixture.queueUp('M1')
  const page = await at.home(person)
  const markOf = () =>
    page.evaluate(() => {
      const shell =
        document.querySelector('mkopo-portal')?.shadowRoot?.querySelector('.mk-shell') ??
        document.querySelector('.mk-shell')
      return shell ? getComputedStyle(shell, '::after').backgroundImage : 'no shell'
    })
  const orders = async () => {
    await page.goto(`${at.url}/AdminContent/AuditSystem/OrderManagement`)
    await page.getByRole('main').getByText(orderNo).first().waitFor()
  }
  await orders()
  expect(await markOf()).toBe('none')
  const configKey = 'WATERMARK' as const
  const { version } = fixture.must(await fixture.call(businessConfig.get, { configKey }, { as: fixture.boss }))
  const asked = { configKey, version, value: { watermark: true } }
  const { approvalNo } = fixture.must(await fixture.call(businessConfig.update, asked, { as: fixture.boss }))
  await orders()
  expect(await markOf()).toBe('none')
  fixture.must(await fixture.call(common.approve, { approvalNo, version: 0 }, { as: fixture.second }))
  await orders()
  await expect.poll(markOf).toContain(encodeURIComponent(`login.${person.userNo}`))
  await page.getByRole('main').getByText(orderNo).first().click()
  await page.waitForURL(/OrderDetail\?/)
  expect(await markOf()).toContain('data:image/svg+xml')
  await page.goto(`${at.url}/AdminContent/UserSystem/UserManagement?open=${person.userNo}`)
  const drawer = page.locator('.mk-drawer')
  await drawer.waitFor()
  expect(await drawer.evaluate(one => getComputedStyle(one, '::after').backgroundImage)).toBe(await markOf())
  await page.goto(`${at.url}/AdminContent/Home`)
  await page.getByRole('heading', { name: /^Welcome/ }).waitFor()
  expect(await markOf()).toBe('none')
})
