import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { auditAllot } from '../../core/contract/audit-allot.ts'
import { message } from '../../core/contract/message.ts'
import type { Person } from '../../server/testing/kit.ts'
import { violations } from './axe.ts'
import { consoleForTests } from './console.ts'

const at = consoleForTests()

const allot = async (to: Person) => {
  const { house } = at
  const orderNo = await house.queueUp()
  house.must(await house.call(auditAllot.allot, { orderNos: [orderNo], auditorNos: [to.userNo] }, { as: house.boss }))
  return orderNo
}
const bell = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

test('an order that is allotted rings the bell; its message opens the order and is read then', async () => {
  const auditor = await at.staff(['MyAudit', 'OrderDetail'])
  const page = await at.home(auditor)
  await bell(page, 'Message center').waitFor()
  const orderNo = await allot(auditor)
  await bell(page, 'Message center, 1 unread').click()
  const drawer = page.getByRole('dialog', { name: 'Message center' })
  const notice = drawer.getByRole('listitem').filter({ hasText: orderNo })
  await notice.getByText('was allotted to you').waitFor()
  expect(await violations(page)).toEqual([])
  await notice.getByRole('link', { name: 'New order to review' }).click()
  await page.waitForURL(`**/OrderDetail?orderNo=${orderNo}`)
  await bell(page, /^Message center$/).waitFor()
})

test('messages are marked read one by one or all at once', async () => {
  const auditor = await at.staff(['MyAudit'])
  for (let n = 0; n < 3; n++) await allot(auditor)
  const page = await at.home(auditor)
  await bell(page, 'Message center, 3 unread').click()
  const drawer = page.getByRole('dialog', { name: 'Message center' })
  await drawer
    .getByRole('button', { name: /^Mark read/ })
    .first()
    .click()
  await drawer.getByRole('switch', { name: 'Unread only' }).click()
  await expect.poll(() => drawer.getByRole('listitem').count()).toBe(2)
  await drawer.getByRole('button', { name: 'Mark all read' }).click()
  await page.getByText('2 messages marked read').waitFor()
  await drawer.getByText('Nothing unread').waitFor()
  await page.keyboard.press('Escape')
  await bell(page, /^Message center$/).waitFor()
})

test('what waits for a second person is decided in the message center, and its maker is told', async () => {
  const checker = await at.staff(['LoanManagement', 'OrderDetail'])
  const code = await at.authenticator(checker)
  const page = await at.home(checker)
  const { loanCode } = await at.house.requested()
  await bell(page, 'Message center, 1 unread').waitFor()
  await page.getByRole('link', { name: /^Approvals for me/ }).click()
  const drawer = page.getByRole('dialog', { name: 'Message center' })
  await drawer.getByRole('tab', { name: 'Approvals (1)', selected: true }).waitFor()
  const request = drawer.getByRole('region', { name: loanCode })
  await request.getByText('wrong customer').waitFor()
  expect(await violations(page)).toEqual([])
  await request.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('textbox', { name: 'Authenticator code' }).fill(code())
  await drawer.getByText('Nothing waits for your approval').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.url()).not.toContain('messages=')
  const { list } = at.house.must(await at.house.call(message.page, {}, { as: at.house.boss })) as {
    list: { title: string }[]
  }
  expect(list.map(one => one.title)).toContain('Approved: Cancel after successful payment')
})
