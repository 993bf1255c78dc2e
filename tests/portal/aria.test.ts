import type { Locator, Page } from 'playwright-core'
import { beforeAll, beforeEach, test } from 'vitest'
import type { Person } from '../../server/testing/kit.ts'
import { pressInMenu } from '../browser.ts'
import { consoleForTests } from './console.ts'
import { sameAs } from './same-aria.ts'

const at = consoleForTests()
let page: Page
let lead: Person
let paid: string
let opened: string

beforeAll(async () => {
  const pages = ['OrderAllocation', 'MyAudit', 'OrderManagement', 'RepaymentManagement', 'OrderDetail', 'OrderAudit']
  lead = await at.staff(pages, { name: 'Lead' })
  paid = (await at.fixture.disbursed()).orderNo
  await at.fixture.pass(1)
  opened = (await at.fixture.opened('M1', lead)).orderNo
})
beforeEach(async () => {
  page = await at.open(lead)
})

const main = () => page.getByRole('main')
const goTo = async (path: string, ready: () => Locator) => {
  await page.goto(`${at.url}/AdminContent/${path}`)
  await ready().first().waitFor()
}
const list = () => page.getByRole('row').filter({ has: page.getByRole('cell') })

test('login', async () => {
  page = await at.stranger({ locale: 'en-GB' })
  await page.addInitScript(() => localStorage.setItem('language', 'en'))
  await page.goto(`${at.url}/Index/Login`)
  await page.locator('input#username').waitFor()
  await sameAs('login', page.locator('body'))
})

test('home', async () => {
  await goTo('Home', () => page.getByRole('heading', { name: /^Welcome/ }))
  await sameAs('home', main())
})

test('list', async () => {
  await goTo('AuditSystem/OrderManagement', () => page.getByRole('rowheader'))
  await sameAs('list', main())
})

test('tabbed list', async () => {
  await goTo('AfterLoanSystem/RepaymentManagement', list)
  await sameAs('tabbed-list', main())
})

test('record page', async () => {
  await goTo(`OrderDetailAudit/OrderDetail?orderNo=${paid}`, () => page.getByRole('tab'))
  await sameAs('record', main())
})

test('form page', async () => {
  await goTo(`OrderDetailAudit/OrderAudit?orderNo=${opened}`, () => page.getByRole('radio'))
  await sameAs('form', main())
})

test('drawer', async () => {
  await goTo(`AuditSystem/OrderManagement?open=${opened}`, () => page.getByRole('dialog', { name: opened }))
  await sameAs('drawer', page.getByRole('dialog'))
})

test('dialog', async () => {
  await goTo('AuditSystem/OrderManagement', list)
  await pressInMenu(page.getByRole('row', { name: new RegExp(opened) }), 'Cancel order')
  await page.getByRole('dialog', { name: 'Cancel order' }).waitFor()
  await sameAs('dialog', page.getByRole('dialog'))
})

test('settings', async () => {
  await goTo('Home', () => page.getByRole('heading', { name: /^Welcome/ }))
  await page.getByRole('button', { name: 'Lead' }).click()
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  const settings = page.getByRole('dialog', { name: 'Settings' })
  await settings.waitFor()
  await sameAs('settings', settings)
})

test('messages', async () => {
  await goTo('Home?messages=approvals', () => page.getByRole('tab', { name: /^Approvals/, selected: true }))
  await sameAs('messages', page.getByRole('dialog', { name: 'Message centre' }))
})
