import { sql } from 'kysely'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { launch } from '../../build/browser.ts'
import { livePath } from '../../core/contract/live.ts'
import { type Console, openConsole } from './console.ts'

let browser: Browser
let at: Console
const pages: Page[] = []

beforeAll(async () => {
  ;[browser, at] = await Promise.all([launch(), openConsole()])
})
afterAll(async () => {
  await browser?.close()
  await at?.close()
})
afterEach(async () => {
  for (const page of pages.splice(0)) await page.context().close()
})

const opened = async (...given: Parameters<Console['staff']>) => {
  const person = await at.staff(...given)
  const page = await at.open(browser, person)
  pages.push(page)
  const listening = page.waitForResponse(answer => answer.url().endsWith(livePath))
  await page.goto(`${at.url}/AdminContent/Home`)
  await listening
  await page.getByRole('heading', { name: /^Welcome/ }).waitFor()
  return { person, page }
}

test('the figures of Home move when an order comes in, long before the page looks by itself', async () => {
  const { page } = await opened(['OrderAllocation'])
  const tile = page.getByRole('link', { name: /^Orders to allocate/ })
  const count = async () => Number(/\d+/.exec(await tile.innerText())?.[0])
  const before = await count()
  await at.house.queueUp()
  await expect.poll(count, { timeout: 5_000 }).toBe(before + 1)
})

test('a right that is taken away takes its page away, without signing out', async () => {
  const { person, page } = await opened(['OrderAllocation', 'MyAudit'])
  await page.getByRole('link', { name: 'Order allocation' }).click()
  await page.getByRole('heading', { level: 1, name: 'Order allocation' }).waitFor()
  await at.house.exec(sql`delete from role_menu where role_no = ${`R${person.userNo}`} and menu_no = 'OrderAllocation'`)
  await page.getByRole('heading', { name: /^Welcome/ }).waitFor()
  await page.getByText('You have no access to this page').waitFor()
  expect(await page.getByRole('link', { name: 'Order allocation' }).count()).toBe(0)
  await page.getByRole('link', { name: 'My audit', exact: true }).waitFor()
})

test('a session that is ended elsewhere ends here, and its stream with it', async () => {
  const { person, page } = await opened(['MyAudit'])
  await at.house.exec(
    sql`update session set ended_time = created_time, ended_reason = 'revoked' where user_no = ${person.userNo}`,
  )
  await page.getByLabel('User name').waitFor()
  await page.getByText('Your session has ended').waitFor()
  expect(await page.evaluate(() => sessionStorage.getItem('token'))).toBeNull()
})
