import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { pressInMenu } from '../browser.ts'
import { consoleForTests } from './console.ts'

const at = consoleForTests()

test('portal 6: what an auditor has typed is still there after the reload that a new version asks for', async () => {
  const auditor = await at.staff(['MyAudit', 'OrderDetail', 'OrderAudit'])
  const orderNo = await at.fixture.allotted('M1', auditor)
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
  const kept = await at.fixture.rows(
    sql`select draft from audit_task where order_no = ${orderNo} and draft is not null`,
  )
  expect(JSON.stringify(kept)).toContain('consistent')
})

test('a form that is typed in when the page loads itself is open again afterwards, with what was typed', async () => {
  const [person, orderNo] = [await at.staff(['OrderManagement']), await at.fixture.queueUp()]
  const page = await at.open(person)
  await page.clock.install()
  await page.goto(`${at.url}/AdminContent/AuditSystem/OrderManagement?orderNo=${orderNo}`)
  const form = page.getByRole('dialog', { name: 'Cancel order' })
  const remark = form.getByRole('textbox', { name: /^Remark/ })
  const row = page.getByRole('row').filter({ hasText: orderNo })
  await pressInMenu(row, 'Cancel order')
  await remark.fill('asked twice')
  await page.route('**/version.json*', route => route.fulfill({ json: { version: '99' } }))
  await page.evaluate(() => void Object.assign(window, { marked: true }))
  await page.clock.fastForward(30_000)
  const asked = page.getByRole('dialog', { name: 'New version' })
  await asked.getByText('What you typed is kept and is there again after the refresh').waitFor()
  await asked.getByRole('button', { name: 'Later' }).click()
  await page.clock.fastForward(299_000)
  expect(await page.evaluate(() => 'marked' in window)).toBe(true)
  await page.clock.fastForward(3_000)
  await expect.poll(() => page.evaluate(() => 'marked' in window).catch(() => true)).toBe(false)
  await form.waitFor()
  expect(await remark.inputValue()).toBe('asked twice')
  await page.reload()
  await row.getByRole('button', { name: 'More actions' }).waitFor()
  expect(await form.count()).toBe(0)
})
