import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { launch } from '../../build/browser.ts'
import type { Person } from '../../server/testing/kit.ts'
import { type Console, openConsole } from './console.ts'

let browser: Browser
let at: Console
let page: Page
let lead: Person
let paid: string
let opened: string

beforeAll(async () => {
  ;[browser, at] = await Promise.all([launch(), openConsole()])
  const pages = ['OrderAllocation', 'MyAudit', 'OrderManagement', 'RepaymentManagement', 'OrderDetail', 'OrderAudit']
  lead = await at.staff(pages, { name: 'Lead' })
  paid = (await at.house.disbursed()).orderNo
  await at.house.pass(1)
  opened = (await at.house.opened('M1', lead)).orderNo
})
afterAll(async () => {
  await browser?.close()
  await at?.close()
})
beforeEach(async () => {
  page = await at.open(browser, lead)
})
afterEach(() => page.context().close())

/** Numbers are drawn anew each time, and so are the names and phones of applicants: what remains is what they are. */
const settled = (text: string): string =>
  text
    .replace(/\b(LO|LC|AT|AR|RR|B|EX|MP)\d{6}[0-9A-Z]{8}\b/g, '$1…')
    .replace(/\b\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?\b/g, 'DATE TIME')
    .replace(/\b\d{4}-\d\d-\d\d\b/g, 'DATE')
    .replace(/\b\d\d-\d\d \d\d:\d\d\b/g, 'DAY TIME')
    .replace(/\b\d+ (min|h|s)\b/g, 'N $1')
    .replace(/\b\d+:\d\d\b/g, 'CLOCK')
    .replace(/\b25\*+\d\d\b/g, 'PHONE')
    .replace(/\b\d+\.\d+\.\d+-[0-9a-f]{10}\b/g, 'VERSION')
    .replace(/\b\d{6}$/gm, 'CODE')
    .replace(/[ \t]+$/gm, '')

/** The screen as assistive technology has it is the one in its file; `UPDATE_ARIA=1` writes the files anew. */
const sameAs = async (name: string, what: Locator) => {
  const file = fileURLToPath(new URL(`./aria/${name}.txt`, import.meta.url))
  const stable = async () => settled(await what.ariaSnapshot())
  let seen = await stable()
  await expect
    .poll(
      async () => {
        const before = seen
        seen = await stable()
        return seen === before
      },
      { interval: 400 },
    )
    .toBe(true)
  if (process.env.UPDATE_ARIA) writeFileSync(file, `${seen}\n`)
  expect(existsSync(file), `${file} is missing: UPDATE_ARIA=1 writes it`).toBe(true)
  const wanted = readFileSync(file, 'utf8').trimEnd()
  await expect.poll(stable, { timeout: 8_000 }).toBe(wanted)
}

const main = () => page.getByRole('main')
const goTo = async (path: string, ready: () => Locator) => {
  await page.goto(`${at.url}/AdminContent/${path}`)
  await ready().first().waitFor()
}
const list = () => page.getByRole('row').filter({ has: page.getByRole('cell') })

test('login', async () => {
  const own = await browser.newContext({ locale: 'en-GB' })
  page = await own.newPage()
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
  await page
    .getByRole('row', { name: new RegExp(opened) })
    .getByRole('button', { name: 'Cancel order' })
    .click()
  await page.getByRole('dialog', { name: 'Cancel order' }).waitFor()
  await sameAs('dialog', page.getByRole('dialog'))
})
