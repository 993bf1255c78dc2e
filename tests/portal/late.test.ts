import { expect, test } from 'vitest'
import { consoleForTests, welcomed } from './console.ts'

const at = consoleForTests()

const shell = /\/lib\/chunks\/frame-[\w-]{8}\.js/

test('the sign-in does not wait for header and menus; they come while somebody types', async () => {
  const page = await at.stranger()
  let asked = 0
  await page.route(shell, () => void asked++)
  await page.goto(`${at.url}/Index/Login`)
  await page.locator('input#username').waitFor()
  await expect.poll(() => asked, { timeout: 60_000 }).toBe(1)
})

test('header and menus that did not arrive are asked for again', async () => {
  const page = await at.open(await at.staff(['MyAudit']))
  await page.route(shell, route => route.abort())
  await page.goto(`${at.url}/AdminContent/Home`)
  const again = page.getByRole('button', { name: 'Retry' })
  await again.waitFor()
  await page.unroute(shell)
  await again.click()
  await welcomed(page)
})
