import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { consoleForTests } from './console.ts'

const at = consoleForTests()
const pages = ['OrderManagement', 'OrderAllocation', 'MyAudit', 'LoanManagement', 'RepaymentManagement']
let page: Page
let old: string
let fresh: string

beforeAll(async () => {
  ;[old, fresh] = [await at.fixture.queueUp(), await at.fixture.queueUp()]
  await at.fixture.exec(sql`update loan_order set apply_time = apply_time - interval '31 days' where order_no = ${old}`)
})

/** Opens a page, and answers what its list was asked for first. */
const asked = async (address: string, list: string) => {
  page = await at.open(await at.staff(pages))
  const request = page.waitForRequest(request => request.url().endsWith(list))
  await page.goto(`${at.url}/AdminContent/${address}`)
  return (await request).postDataJSON() as Record<string, unknown>
}
const search = () => new URL(page.url()).search
const shown = (orderNo: string) => page.locator(`tr[data-row="${orderNo}"]`)

it('OrderManagement starts with the last 30 days of the business date; an exact number is looked for at any time', async () => {
  expect(await asked('AuditSystem/OrderManagement', '/manage/list')).toMatchObject({ applyTime: 'last30' })
  await shown(fresh).waitFor()
  expect(await shown(old).count()).toBe(0)
  expect(search()).toBe('')
  const range = page.getByRole('button', { name: 'Application time Last 30 days' })
  await range.waitFor()

  const number = page.getByRole('textbox', { name: 'Order no.' })
  await number.fill(old)
  await number.press('Enter')
  await shown(old).waitFor()
  await range.waitFor({ state: 'detached' })
  await number.fill('')
  await number.press('Enter')
  await shown(fresh).waitFor()
  await range.click()
  await page.getByRole('button', { name: 'Any time' }).click()
  await shown(old).waitFor()
  await page.reload()
  await shown(old).waitFor()
})

it('OrderAllocation hides no waiting order', async () => {
  expect(await asked('AuditSystem/OrderAllocation', '/allot/list')).not.toHaveProperty('applyTime')
  await shown(old).waitFor()
})

it('MyAudit shows all that waits, and of what is done that of today', async () => {
  const first = await asked('AuditSystem/MyAudit', '/self/list')
  expect(first).toMatchObject({ box: 'todo' })
  expect(Object.keys(first)).not.toContain('applyTime')
  // Boxes with counters ask for their own numbers beside it.
  const isDone = (asked: { box?: string } | null) => asked?.box === 'done'
  const done = page.waitForRequest(request => request.url().endsWith('/self/list') && isDone(request.postDataJSON()))
  await page.getByRole('button', { name: 'Done today' }).click()
  expect((await done).postDataJSON()).toMatchObject({ box: 'done', submitTime: 'today' })
})

it.each([
  ['LoanManagement', 'loan/page', 'requestTime'],
  ['RepaymentManagement', 'rePayManage/page', 'payoutTime'],
  ['RepaymentManagement?tab=flows', 'flow/page', 'entryTime'],
])('%s starts with 30 days', async (name, list, field) => {
  expect(await asked(`AfterLoanSystem/${name}`, list)).toMatchObject({ [field]: 'last30' })
})
