import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Person } from '../../server/testing/kit.ts'
import { consoleForTests, welcomed } from './console.ts'

const at = consoleForTests()
let lead: Person
let page: Page

beforeAll(async () => {
  lead = await at.staff(['OrderAllocation', 'MyAudit', 'OrderManagement', 'RepaymentManagement'])
})
beforeEach(async () => {
  page = await at.open(lead)
})

const home = () => page.goto(`${at.url}/AdminContent/Home`)
const button = (name: string | RegExp) => page.getByRole('button', { name })

/** From now on the server has another version than the page was built with. */
const publish = (version: string | null) =>
  page.route('**/version.json*', route => (version === null ? route.abort() : route.fulfill({ json: { version } })))
/** Lives until the page reloads. */
const mark = () => page.evaluate(() => void Object.assign(window, { marked: true }))
const marked = () => page.evaluate(() => 'marked' in window)
/** Jumps the clock of the page forward; timers that are due fire. */
const pass = (seconds: number) => page.clock.runFor(seconds * 1000)

test('portal 6: a new version is announced within half a minute; refreshing loads the page at once', async () => {
  await page.clock.install()
  await home()
  await welcomed(page)
  await publish('99')
  await mark()
  await pass(30)
  const dialog = page.getByRole('dialog', { name: 'New version' })
  await dialog.waitFor()
  await dialog.getByRole('button', { name: 'Refresh now' }).click()
  await expect.poll(marked).toBe(false)
})

test('portal 6: later means in five minutes, counted down, whatever is typed; a password is kept nowhere', async () => {
  await page.clock.install()
  await home()
  await welcomed(page)
  await publish('99')
  await mark()
  await pass(31)
  await button('Later').click()
  await page.getByRole('status').getByText('refreshing in 5 min').waitFor()
  await pass(61)
  await page.getByText('refreshing in 4 min').waitFor()

  await button(/Person/).click()
  await page.getByRole('menuitem', { name: 'Change password' }).click()
  await page.getByLabel('Old password').fill('something')
  await pass(180)
  await page.getByText('refreshing in 1 min').waitFor()
  expect(await page.getByLabel('Old password').inputValue()).toBe('something')
  await pass(61)
  await expect.poll(marked).toBe(false)
  await expect.poll(() => page.getByLabel('Old password').inputValue()).toBe('')
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toContain('something')
})

test('nothing is said when the version cannot be read', async () => {
  await page.clock.install()
  await home()
  await welcomed(page)
  await publish(null)
  await pass(95)
  expect(await page.getByRole('dialog').count()).toBe(0)
  await publish('99')
  await pass(30)
  await page.getByRole('dialog', { name: 'New version' }).waitFor()
})

test('portal 7: at 1260 px the menu lies across; below that a strip says why tables scroll, once; above it the stored menu is back', async () => {
  await home()
  const strip = page.getByText(/made for wider screens/)
  await page.getByRole('link', { name: 'My audit', exact: true }).waitFor()
  const menu = page.getByRole('navigation', { name: 'Menu' })
  const isAcross = () => menu.evaluate(one => one.closest('header') !== null)
  await page.setViewportSize({ width: 1260, height: 800 })
  await button(/Credit review/).click()
  await page.getByRole('menuitem', { name: 'My audit', exact: true }).waitFor()
  await page.keyboard.press('Escape')
  expect(await isAcross()).toBe(true)
  expect(await strip.count()).toBe(0)
  await page.setViewportSize({ width: 1261, height: 800 })
  await expect.poll(isAcross).toBe(false)
  await page.setViewportSize({ width: 1259, height: 800 })
  await strip.waitFor()
  await button('Dismiss').click()
  await expect.poll(() => strip.count()).toBe(0)
  await page.reload()
  await welcomed(page)
  expect(await strip.count()).toBe(0)
})

test('dark is chosen in the settings, reaches every element and stays; as the system follows it', async () => {
  const dark = () =>
    page.evaluate(() => {
      const portal = document.querySelector('mkopo-portal')
      const screen = portal?.shadowRoot?.querySelector('.mk-screen')
      return [portal, screen].map(one => one?.shadowRoot?.querySelector('.radix-themes')?.classList.contains('dark'))
    })
  const choose = async (name: string) => {
    await button(/Person/).click()
    await page.getByRole('menuitem', { name: 'Settings' }).click()
    await page.getByRole('radio', { name }).click()
    await button('Save').click()
  }
  await home()
  await welcomed(page)
  expect(await dark()).toEqual([false, false])
  await choose('Dark')
  await expect.poll(dark).toEqual([true, true])
  await page.reload()
  await welcomed(page)
  expect(await dark()).toEqual([true, true])
  await choose('Same as the system')
  await expect.poll(dark).toEqual([false, false])
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(dark).toEqual([true, true])
})
