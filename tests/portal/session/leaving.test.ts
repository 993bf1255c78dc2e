import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { pressInMenu } from '../../browser.ts'
import { violations } from '../axe.ts'
import { consoleForTests, welcomed } from '../console.ts'

const at = consoleForTests()
let page: Page
let orderNo: string

beforeEach(async () => {
  ;[page, orderNo] = [await at.home(await at.staff(['OrderManagement', 'MyAudit'])), await at.fixture.queueUp()]
})

const discard = () => page.getByRole('alertdialog', { name: 'Discard what you entered?' })
const form = () => page.getByRole('dialog', { name: 'Cancel order' })
const remark = () => form().getByRole('textbox', { name: /^Remark/ })
const path = () => new URL(page.url()).pathname
const keepTyping = async () => {
  await discard().waitFor()
  await discard().getByRole('button', { name: 'Keep editing' }).click()
  await discard().waitFor({ state: 'detached' })
}
const loseIt = async () => {
  await discard().waitFor()
  await discard().getByRole('button', { name: 'Discard', exact: true }).click()
}
const list = async () => {
  await page.getByRole('link', { name: 'Order management', exact: true }).click()
  await page.getByRole('row', { name: new RegExp(orderNo) }).waitFor()
}
const typed = async () => {
  await list()
  const row = page.getByRole('row', { name: new RegExp(orderNo) })
  await pressInMenu(row, 'Cancel order')
  await remark().fill('asked twice')
}
/** What Back does of a browser, which waits for nothing. */
const back = () => page.evaluate(() => history.back())

test('Back asks before a form with typed text is lost, stays where it is, and goes once that was said', async () => {
  await typed()
  await back()
  await keepTyping()
  expect(path()).toBe('/AdminContent/AuditSystem/OrderManagement')
  expect(await remark().inputValue()).toBe('asked twice')
  await back()
  await discard().waitFor()
  expect(await violations(page)).toEqual([])
  await loseIt()
  await welcomed(page)
  expect(path()).toBe('/AdminContent/Home')
  await page.evaluate(() => history.forward())
  await page.getByRole('row', { name: new RegExp(orderNo) }).waitFor()
  expect(await form().count()).toBe(0)
})

test('without typed text Back asks nothing', async () => {
  await list()
  await back()
  await welcomed(page)
  expect(await discard().count()).toBe(0)
})

test('a way to another page asks as well: a link of the menu, and the name of the product', async () => {
  await typed()
  await page.evaluate(() => {
    const tree = document.querySelector('mkopo-portal')?.shadowRoot
    const link = [...(tree?.querySelectorAll('a') ?? [])].find(one => one.textContent?.trim() === 'My audit')
    link?.click()
  })
  await keepTyping()
  expect(path()).toBe('/AdminContent/AuditSystem/OrderManagement')
  await page.evaluate(() =>
    document.querySelector('mkopo-portal')?.shadowRoot?.querySelector<HTMLElement>('.mk-product')?.click(),
  )
  await loseIt()
  await welcomed(page)
})
