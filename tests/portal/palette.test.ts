import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { violations } from './axe.ts'
import { consoleForTests } from './console.ts'

const at = consoleForTests()
let page: Page

beforeEach(async () => {
  page = await at.home(await at.staff(['OrderAllocation', 'MyAudit', 'OrderDetail']))
})

const box = () => page.getByRole('combobox', { name: 'Find a page or an order' })
const options = () => page.getByRole('option').allInnerTexts()

test('Ctrl+K finds a page by its name, and Enter opens it', async () => {
  await page.keyboard.press('Control+k')
  await box().fill('audit')
  await page.getByRole('option', { name: /^My audit/ }).waitFor()
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('ArrowDown')
  await page.getByRole('option', { name: /^Order allocation/, selected: true }).waitFor()
  await page.keyboard.press('ArrowUp')
  await page.getByRole('option', { name: /^My audit/, selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'My audit' }).waitFor()
  expect(await box().count()).toBe(0)
})

test('pages that the menu does not have are not offered', async () => {
  await page.keyboard.press('Control+k')
  await box().fill('management')
  await page.getByText('No page or order matches').waitFor()
  expect(await options()).toEqual([])
  await page.keyboard.press('Escape')
  await expect.poll(() => box().count()).toBe(0)
})

test('the number of an order opens the order', async () => {
  const orderNo = await at.house.queueUp()
  await page.getByRole('button', { name: 'Find a page or an order' }).click()
  await box().fill(orderNo)
  await page.getByRole('option', { name: `Open order ${orderNo}` }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/OrderDetail?orderNo=${orderNo}`)
})

test('names are those of the language, also after it was changed from here', async () => {
  await page.keyboard.press('Control+k')
  await box().fill('Kiswahili')
  await page.getByRole('option', { name: /Kiswahili/ }).click()
  await page.getByRole('button', { name: 'Tafuta ukurasa au ombi' }).waitFor()
  await page.keyboard.press('Control+k')
  const swahili = page.getByRole('combobox', { name: 'Tafuta ukurasa au ombi' })
  await swahili.fill('ukaguzi')
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
