import type { Page, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { violations } from './axe.ts'
import { consoleForTests, welcomed } from './console.ts'

const at = consoleForTests()
const toasts = (page: Page, text: string) => page.locator('mkopo-toast').getByText(text, { exact: true })
const answer = (route: Route, code: number, msg: string) => route.fulfill({ json: { code, msg, data: null } })

test('portal 8: the indicator stays until the last of several calls has ended, and the same words are on screen once', async () => {
  const page = await at.home(await at.staff(['OrderAllocation', 'MyAudit']))
  const bar = page.getByRole('progressbar', { name: 'Loading' })
  const held: Route[] = []
  await page.route(
    /\/api\/hc\/web\/(?!user\/|common\/approval|operation\/announcement)/,
    route => void held.push(route),
  )
  await page.getByRole('link', { name: 'Order allocation', exact: true }).click()
  await expect.poll(() => held.length).toBeGreaterThan(1)
  await bar.waitFor()
  const [first, ...others] = held.splice(0)
  await answer(first as Route, 50001, 'Something went wrong (T-1)')
  await toasts(page, 'Something went wrong (T-1)').waitFor()
  expect(await bar.count()).toBe(1)
  for (const route of others) await answer(route, 50001, 'Something went wrong (T-1)')
  expect(await toasts(page, 'Something went wrong (T-1)').count()).toBe(1)
  for (const route of held.splice(0)) await answer(route, 50001, 'Something went wrong (T-1)')
  await expect.poll(() => bar.count()).toBe(0)
  expect(await toasts(page, 'Something went wrong (T-1)').count()).toBeLessThan(2)
})

test('short calls show no indicator', async () => {
  const page = await at.home(await at.staff(['MyAudit']))
  await page.evaluate(() => {
    const bar = document.querySelector('mkopo-portal')?.shadowRoot?.querySelector('mkopo-loading')
    const seen = { shown: 0 }
    Object.assign(window, { seen })
    new MutationObserver(() => {
      if (bar?.shadowRoot?.querySelector('[role=progressbar]')) seen.shown++
    }).observe(bar?.shadowRoot as Node, { childList: true, subtree: true })
  })
  await page.route('**/api/hc/web/**', route => route.continue())
  await page.getByRole('button', { name: /^Person/ }).click()
  await page.getByRole('menuitem', { name: 'My sessions' }).click()
  await page.getByRole('row', { name: /This session/ }).waitFor()
  expect(await page.evaluate(() => (window as unknown as { seen: { shown: number } }).seen.shown)).toBe(0)
})

test('a command without an answer says to look before repeating; what was typed stays, and the repetition has the same key', async () => {
  const page = await at.home(await at.staff(['MyAudit']))
  const keys: (string | undefined)[] = []
  let broken = true
  await page.route('**/user/changePwd', route => {
    keys.push(route.request().headers()['idempotency-key'])
    return broken ? route.abort() : route.continue()
  })
  await page.getByRole('button', { name: /^Person/ }).click()
  await page.getByRole('menuitem', { name: 'Change password' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change password' })
  await dialog.getByLabel('Old password').fill('half-typed-1')
  await dialog.getByLabel('New password', { exact: true }).fill('Papyrus-Reed-9')
  await dialog.getByLabel('Confirm password').fill('Papyrus-Reed-9')
  const send = dialog.getByRole('button', { name: 'Change password' })
  await send.click()
  await page
    .getByRole('alert')
    .getByText(
      'No answer from the server; the action may have been carried out. Check the record before you decide to retry.',
    )
    .waitFor()
  expect(await dialog.getByLabel('Old password').inputValue()).toBe('half-typed-1')
  broken = false
  await send.click()
  await dialog.getByText('The original password is incorrect').waitFor()
  await send.click()
  await expect.poll(() => keys.length).toBe(3)
  expect(keys[0]).toBeTruthy()
  expect(keys[1]).toBe(keys[0])
  expect(keys[2]).not.toBe(keys[0])
})

test('a toast waits while the pointer is on it', async () => {
  const page = await at.open(await at.staff(['MyAudit']))
  await page.clock.install()
  await page.goto(`${at.url}/AdminContent/AfterLoanSystem/LoanManagement`)
  await welcomed(page)
  const toast = page.getByRole('alert').filter({ hasText: 'You have no access to this page' })
  await toast.waitFor()
  await toast.hover()
  await page.clock.runFor(10_000)
  expect(await toast.count()).toBe(1)
  await page.mouse.move(10, 600)
  await page.clock.runFor(3_100)
  await expect.poll(() => toast.count()).toBe(0)
})

const chunk = /\/lib\/(chunks\/my-audit-|mkopo-audit-my-audit)/
test.each(['fails', 'takes over two minutes'])(
  'a part that %s says so in its frame, and can be tried again',
  async how => {
    const page = await at.open(await at.staff(['MyAudit', 'OrderAllocation']))
    await page.clock.install()
    await page.goto(`${at.url}/AdminContent/Home`)
    await welcomed(page)
    await page.route(chunk, route => (how === 'fails' ? route.abort() : undefined))
    const asked = page.waitForRequest(chunk)
    await page.getByRole('link', { name: 'My audit', exact: true }).click()
    await asked
    if (how !== 'fails') await page.clock.runFor(121_000)
    const main = page.getByRole('main')
    await main.getByRole('alert').getByText('This part could not be loaded').waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole('link', { name: 'Order allocation', exact: true }).waitFor()
    await page.unroute(chunk)
    await main.getByRole('button', { name: 'Retry' }).waitFor()
    const loaded = page.waitForEvent('load')
    await main.getByRole('button', { name: 'Reload page' }).click()
    await loaded
    await page.getByRole('heading', { level: 1, name: 'My audit' }).waitFor()
    await expect.poll(() => main.getByText('This part could not be loaded').count()).toBe(0)
  },
)
