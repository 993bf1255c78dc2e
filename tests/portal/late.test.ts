import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
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
afterEach(() => page.context().close())

const shell = /\/lib\/chunks\/shell-/

test('the sign-in does not wait for header and menus; they come while somebody types', async () => {
  page = await browser.newPage()
  let asked = 0
  await page.route(shell, () => void asked++)
  await page.goto(`${at.url}/Index/Login`)
  await page.locator('input#username').waitFor()
  await expect.poll(() => asked, { timeout: 10_000 }).toBe(1)
})

test('header and menus that did not arrive are asked for again', async () => {
  page = await at.open(browser, await at.staff(['MyAudit']))
  await page.route(shell, route => route.abort())
  await page.goto(`${at.url}/AdminContent/Home`)
  const again = page.getByRole('button', { name: 'Retry' })
  await again.waitFor()
  await page.unroute(shell)
  await again.click()
  await page.getByRole('heading', { name: /^Welcome/ }).waitFor()
})
