import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { consoleForTests } from './console.ts'

const at = consoleForTests()
let page: Page
let orders: string[]

beforeAll(async () => {
  for (let n = 0; n < 3; n++) {
    await at.fixture.queueUp()
    at.fixture.clock.advance(60_000)
  }
})
beforeEach(async () => {
  page = await at.open(await at.staff(['OrderManagement']))
  await page.goto(`${at.url}/AdminContent/Home`)
  await page.goto(`${at.url}/AdminContent/AuditSystem/OrderManagement`)
  await rows().first().waitFor()
  orders = await rows().evaluateAll(all => all.map(row => (row as HTMLElement).dataset.row as string))
})

const rows = () => page.locator('tr[data-row]')
const drawer = (name?: string) => page.getByRole('dialog', name ? { name } : {})
const openOf = () => new URL(page.url()).searchParams.get('open')
const openFirst = async () => {
  await rows().first().focus()
  await page.keyboard.press('Enter')
  await drawer(orders[0]).waitFor()
}
const closed = () => drawer().waitFor({ state: 'detached' })

test('the record is in the address, and Back closes the drawer whichever record it shows by then', async () => {
  await openFirst()
  expect(openOf()).toBe(orders[0])
  await page.getByRole('button', { name: 'Next record' }).click()
  await drawer(orders[1]).waitFor()
  await page.keyboard.press(']')
  await drawer(orders[2]).waitFor()
  expect(openOf()).toBe(orders[2])
  await page.goBack()
  await closed()
  expect(openOf()).toBeNull()
  await page.goForward()
  await drawer(orders[2]).waitFor()
  await page.reload()
  await drawer(orders[2]).waitFor()
})

test('Esc closes it and is no step of its own: Back leaves the list then', async () => {
  await openFirst()
  await page.keyboard.press('Escape')
  await closed()
  expect(openOf()).toBeNull()
  await page.goBack()
  await page.getByRole('heading', { name: /^Welcome/ }).waitFor()
})

test('an address with a record opens it, and closing it stays on the list', async () => {
  await page.goto(`${at.url}/AdminContent/AuditSystem/OrderManagement?open=${orders[1]}`)
  await drawer(orders[1]).waitFor()
  await page.keyboard.press('Escape')
  await closed()
  await expect.poll(openOf).toBeNull()
  await rows().first().waitFor()
})

test('at the first and the last row of the page there is no record before and behind', async () => {
  await openFirst()
  expect(await page.getByRole('button', { name: 'Previous record' }).isDisabled()).toBe(true)
  await page.keyboard.press('[')
  await page.keyboard.press(']')
  await drawer(orders[1]).waitFor()
  await page.keyboard.press(']')
  await drawer(orders[2]).waitFor()
  expect(await page.getByRole('button', { name: 'Next record' }).isDisabled()).toBe(true)
})
