import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { auditAllot } from '../../core/contract/audit/allotment.ts'
import { message } from '../../core/contract/portal/message.ts'
import type { Person } from '../../server/testing/kit.ts'
import { violations } from './axe.ts'
import { consoleForTests } from './console.ts'

const at = consoleForTests()

const allot = async (to: Person) => {
  const { fixture } = at
  const orderNo = await fixture.queueUp()
  fixture.must(
    await fixture.call(auditAllot.allot, { orderNos: [orderNo], auditorNos: [to.userNo] }, { as: fixture.boss }),
  )
  return orderNo
}
const bell = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

test('an order that is allotted rings the bell; its message opens the order and is read then', async () => {
  const auditor = await at.staff(['MyAudit', 'OrderDetail'])
  const page = await at.home(auditor)
  await bell(page, 'Message centre').waitFor()
  const orderNo = await allot(auditor)
  await bell(page, 'Message centre, 1 unread').click()
  const drawer = page.getByRole('dialog', { name: 'Message centre' })
  const notice = drawer.getByRole('listitem').filter({ hasText: orderNo })
  await notice.getByText('was allocated to you').waitFor()
  expect(await violations(page)).toEqual([])
  await notice.getByRole('link', { name: 'New order to review' }).click()
  await page.waitForURL(`**/OrderDetail?orderNo=${orderNo}`)
  await bell(page, /^Message centre$/).waitFor()
})

test('messages are marked read one by one or all at once', async () => {
  const auditor = await at.staff(['MyAudit'])
  for (let n = 0; n < 3; n++) await allot(auditor)
  const page = await at.home(auditor)
  await bell(page, 'Message centre, 3 unread').click()
  const drawer = page.getByRole('dialog', { name: 'Message centre' })
  await drawer
    .getByRole('button', { name: /^Mark read/ })
    .first()
    .click()
  await drawer.getByRole('switch', { name: 'Unread only' }).click()
  await expect.poll(() => drawer.getByRole('listitem').count()).toBe(2)
  await drawer.getByRole('button', { name: 'Mark all read' }).click()
  await page.getByText('2 messages marked read').waitFor()
  await drawer.getByText('No unread messages').waitFor()
  await page.keyboard.press('Escape')
  await bell(page, /^Message centre$/).waitFor()
})

test('what waits for a second person is decided in the message center, and its maker gets a message', async () => {
  const checker = await at.staff(['LoanManagement', 'OrderDetail'])
  const code = await at.authenticator(checker)
  const page = await at.home(checker)
  const { loanCode } = await at.fixture.requested()
  await bell(page, 'Message centre, 1 unread').waitFor()
  await page.getByRole('link', { name: /^Waiting for my approval/ }).click()
  const drawer = page.getByRole('dialog', { name: 'Message centre' })
  await drawer.getByRole('tab', { name: 'Approvals (1)', selected: true }).waitFor()
  const request = drawer.getByRole('region', { name: loanCode })
  await request.getByText('wrong customer').waitFor()
  expect(await violations(page)).toEqual([])
  await request.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('textbox', { name: 'Authenticator code' }).fill(code())
  await drawer.getByText('Nothing is waiting for your approval').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.url()).not.toContain('messages=')
  const { list } = at.fixture.must(await at.fixture.call(message.page, {}, { as: at.fixture.boss })) as {
    list: { title: string }[]
  }
  expect(list.map(one => one.title)).toContain('Approved: Cancel paid-out loan')
})

test('the bell opens the tab that has something, and the card of an approval leads to its record', async () => {
  const checker = await at.staff(['LoanManagement', 'OrderDetail'])
  const page = await at.home(checker)
  const { loanCode } = await at.fixture.requested()
  await bell(page, 'Message centre, 1 unread').click()
  const drawer = page.getByRole('dialog', { name: 'Message centre' })
  await drawer.getByRole('button', { name: 'Mark all read' }).click()
  await page.keyboard.press('Escape')
  await bell(page, /^Message centre$/).click()
  await drawer.getByRole('tab', { name: /^Approvals/, selected: true }).waitFor()
  const request = drawer.getByRole('region', { name: loanCode })
  await request.getByText(/UGX [\d,]+/).waitFor()
  expect(await request.textContent()).not.toMatch(/\d\.\d\d\b|[a-z]_[a-z]|dict\.|fields\./)
  await request.getByRole('link', { name: loanCode }).click()
  await page.waitForURL(`**/LoanManagement?keyword=${loanCode}&open=${loanCode}`)
  const record = page.getByRole('dialog').filter({ hasText: loanCode })
  await record.getByText('second person').first().waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('row').filter({ hasText: loanCode }).getByText('Pending approval').waitFor()
})
