import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { violations } from './axe.ts'
import { consoleForTests, welcomed } from './console.ts'

const at = consoleForTests()
let page: Page

beforeEach(async () => {
  page = await at.home(await at.staff(['OrderAllocation', 'MyAudit', 'OrderDetail']))
})

const box = () => page.getByRole('combobox', { name: 'Find a page or a record' })
const options = () => page.getByRole('option').allInnerTexts()

test('Ctrl+K finds a page by its name, and Enter opens it', async () => {
  await page.keyboard.press('Control+k')
  await box().fill('credit review')
  await page.getByRole('option', { name: /^Order allocation/, selected: true }).waitFor()
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('ArrowDown')
  await page.getByRole('option', { name: /^My audit/, selected: true }).waitFor()
  await page.keyboard.press('ArrowUp')
  await page.getByRole('option', { name: /^Order allocation/, selected: true }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'My audit' }).waitFor()
  expect(await box().count()).toBe(0)
})

test('pages that the menu does not have are not offered', async () => {
  await page.keyboard.press('Control+k')
  await box().fill('payout routing')
  await page.getByText('No page or record matches').waitFor()
  expect(await options()).toEqual([])
  await page.keyboard.press('Escape')
  await expect.poll(() => box().count()).toBe(0)
})

test('a page is found by its name in any language', async () => {
  await page.keyboard.press('Control+k')
  for (const typed of ['订单分配', 'upangaji', 'allocation']) {
    await box().fill(typed)
    await page.getByRole('option', { name: /^Order allocation/ }).waitFor()
  }
})

test('screens that were opened last come first, and Ctrl+Enter opens one in a new tab that is signed in', async () => {
  for (const name of ['Order allocation', 'My audit']) {
    await page.getByRole('link', { name, exact: true }).click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
  }
  await page.keyboard.press('Control+k')
  const recent = page.getByRole('group', { name: 'Recent' })
  await recent.getByRole('option', { name: 'Order allocation' }).waitFor()
  expect(await recent.getByRole('option').count()).toBe(1)
  const opened = page.waitForEvent('popup')
  await page.keyboard.press('Control+Enter')
  const tab = await opened
  await tab.getByRole('heading', { level: 1, name: 'Order allocation' }).waitFor()
  expect(page.url()).toContain('MyAudit')
})

test('theme and row height are commands', async () => {
  const theme = () => page.evaluate(() => JSON.parse(localStorage.getItem('userSettingInfo') ?? '{}'))
  for (const [typed, name] of [
    ['dark', 'Dark'],
    ['compact', 'Compact'],
  ]) {
    await page.keyboard.press('Control+k')
    await box().fill(typed as string)
    await page.getByRole('option', { name: new RegExp(`^${name}`), selected: true }).waitFor()
    await page.keyboard.press('Enter')
  }
  await expect.poll(theme).toMatchObject({ theme: 'dark', density: 'compact' })
})

test('a customer’s phone opens their order, and without auxiliary functions nothing is looked up', async () => {
  const orderNo = await at.fixture.queueUp()
  const [row] = await at.fixture.rows(
    sql<{ phone: string }>`select phone from customer join loan_order using (customer_no) where order_no = ${orderNo}`,
  )
  await page.keyboard.press('Control+k')
  await box().fill(row?.phone ?? '')
  await page.getByRole('option', { name: `Open order ${orderNo}` }).waitFor()
  await page.keyboard.press('Escape')
  await page.evaluate(() => localStorage.setItem('userSettingInfo', '{"miscellaneousFunctionIsOpenStatus":false}'))
  await page.reload()
  await welcomed(page)
  let asked = 0
  page.on('request', request => void (request.url().includes('/common/lookup') && asked++))
  await page.keyboard.press('Control+k')
  await box().fill(row?.phone ?? '')
  await page.getByText('No page or record matches').waitFor()
  expect(asked).toBe(0)
})

test('the number of an order opens the order', async () => {
  const orderNo = await at.fixture.queueUp()
  await page.getByRole('button', { name: 'Find a page or a record' }).click()
  await box().fill(orderNo)
  await page.getByRole('option', { name: `Open order ${orderNo}` }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/OrderDetail?orderNo=${orderNo}`)
})

test('the beginning of an order number or of a name finds the order', async () => {
  const orderNo = await at.fixture.queueUp()
  const [row] = await at.fixture.rows(
    sql<{
      customerName: string
    }>`select customer_name from customer join loan_order using (customer_no) where order_no = ${orderNo}`,
  )
  for (const typed of [orderNo.slice(0, -2), row?.customerName.slice(0, 5) ?? '']) {
    await page.keyboard.press('Control+k')
    await box().fill(typed)
    await page
      .getByRole('option', { name: /^Open order/ })
      .first()
      .waitFor()
    await page.keyboard.press('Escape')
  }
})

test('names are those of the language, also after it was changed from here', async () => {
  await page.keyboard.press('Control+k')
  await box().fill('Kiswahili')
  await page.getByRole('option', { name: /Kiswahili/ }).click()
  await page.getByRole('button', { name: 'Tafuta ukurasa au rekodi' }).waitFor()
  await page.keyboard.press('Control+k')
  const swahili = page.getByRole('combobox', { name: 'Tafuta ukurasa au rekodi' })
  await swahili.fill('tathmini')
  await page.getByRole('option').first().click()
  await expect.poll(() => page.url()).not.toContain('/Home')
})

test('nothing opens over a form', async () => {
  await page.getByRole('button', { name: /Person/ }).click()
  await page.getByRole('menuitem', { name: 'Change password' }).click()
  await page.getByLabel('Old password').fill('half typed')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('x')
  expect(await page.getByLabel('Old password').inputValue()).toBe('half typedx')
  expect(await box().count()).toBe(0)
})
