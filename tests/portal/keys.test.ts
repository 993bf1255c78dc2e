import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { launch } from '../../build/browser.ts'
import { type Console, openConsole } from './console.ts'

let browser: Browser
let at: Console
let page: Page

beforeAll(async () => {
  ;[browser, at] = await Promise.all([launch(), openConsole()])
})
afterAll(async () => {
  await browser?.close()
  await at?.close()
})
beforeEach(async () => {
  page = await at.open(browser, await at.staff(['OrderManagement', 'MyAudit']))
})
afterEach(() => page.context().close())

const dialog = (name: string | RegExp) => page.getByRole('dialog', { name })
/** What has the focus, in whichever shadow tree. */
const focused = () =>
  page.evaluate(() => {
    let one = document.activeElement
    while (one?.shadowRoot?.activeElement) one = one.shadowRoot.activeElement
    return { row: (one as HTMLElement | null)?.dataset.row, name: one?.textContent?.trim() ?? '' }
  })
/** Presses Tab until what has the focus says so. */
const tabTo = async (wanted: (at: Awaited<ReturnType<typeof focused>>) => boolean) => {
  for (let n = 0; n < 120; n++) {
    if (wanted(await focused())) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`never came there; at ${JSON.stringify(await focused())}`)
}

test('an order is found, looked at and its dialog opened with the keyboard alone', async () => {
  const orderNo = await at.house.queueUp()
  await page.goto(`${at.url}/AdminContent/AuditSystem/OrderManagement`)
  await page.getByRole('row', { name: new RegExp(orderNo) }).waitFor()
  await tabTo(({ name }) => name === 'Search')
  await page.keyboard.press('f')
  await page.keyboard.type(orderNo)
  await page.keyboard.press('Enter')
  await page.getByText('1 result').first().waitFor()
  await tabTo(({ name }) => name.startsWith('Loan amount'))
  await page.keyboard.press('j')
  expect((await focused()).row).toBe(orderNo)
  await page.keyboard.press('e')
  await dialog(orderNo).waitFor()
  await tabTo(({ name }) => name === 'Cancel order')
  await page.keyboard.press('Enter')
  await dialog('Cancel order').waitFor()
})

test('g h goes Home and g m opens the messages, on every page and not while somebody types', async () => {
  await page.goto(`${at.url}/AdminContent/AuditSystem/MyAudit`)
  const filter = page.getByRole('search').getByRole('textbox').first()
  await filter.focus()
  await page.keyboard.type('ghgm')
  expect(await filter.inputValue()).toBe('ghgm')
  expect(page.url()).toContain('MyAudit')
  await page.getByRole('button', { name: 'Reload' }).focus()
  await page.keyboard.press('h')
  await page.keyboard.press('g')
  await page.keyboard.press('x')
  await page.keyboard.press('h')
  expect(page.url()).toContain('MyAudit')
  await page.keyboard.press('g')
  await page.keyboard.press('h')
  await page.getByRole('heading', { name: /^Welcome/ }).waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('m')
  await dialog('Message center').waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('h')
  expect(await dialog('Message center').count()).toBe(1)
})

test('? lists the keys of the console, and in a list those of the list with them', async () => {
  await page.goto(`${at.url}/AdminContent/Home`)
  await page.getByRole('heading', { name: /^Welcome/ }).waitFor()
  const keys = dialog('Keyboard shortcuts')
  await page.keyboard.press('?')
  await keys.getByText('Go to Home').waitFor()
  expect(await keys.getByText('Next row, previous row').count()).toBe(0)
  await page.keyboard.press('Control+Enter')
  await keys.waitFor({ state: 'detached' })
  await page.goto(`${at.url}/AdminContent/AuditSystem/OrderManagement`)
  await page.getByRole('button', { name: 'Reload' }).focus()
  await page.keyboard.press('?')
  for (const words of [
    'Go to Home',
    'Open messages',
    'Next row, previous row',
    'Previous record, next record in a drawer',
  ])
    await keys.getByText(words).waitFor()
  expect(await keys.count()).toBe(1)
})
