import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { consoleForTests } from './console.ts'

const at = consoleForTests()

test('what an auditor has typed is still there after the reload that a new version asks for', async () => {
  const auditor = await at.staff(['MyAudit', 'OrderDetail', 'OrderAudit'])
  const orderNo = await at.house.allotted('M1', auditor)
  const page = await at.open(auditor)
  await page.clock.install()
  await page.goto(`${at.url}/AdminContent/OrderDetailAudit/OrderAudit?orderNo=${orderNo}`)
  const face = page.getByRole('radio', { name: 'Consistent', exact: true })
  await face.waitFor()
  await page.route('**/version.json*', route => route.fulfill({ json: { version: '99' } }))
  await page.evaluate(() => void Object.assign(window, { marked: true }))
  const asked = page.getByRole('dialog', { name: 'New version' })
  await page.clock.fastForward(30_000)
  await asked.getByRole('button', { name: 'Later' }).click()
  await face.click()
  await page.getByRole('button', { name: 'Refresh now' }).click()
  await expect.poll(() => page.evaluate(() => 'marked' in window).catch(() => true)).toBe(false)
  await expect.poll(() => face.isChecked()).toBe(true)
  const kept = await at.house.rows(sql`select draft from audit_task where order_no = ${orderNo} and draft is not null`)
  expect(JSON.stringify(kept)).toContain('consistent')
})
