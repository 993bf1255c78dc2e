import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { trackingPath } from '../../core/contract/portal/tracking.ts'
import { pairStays } from '../../server/systems/portal/tracking/page-stay.ts'
import type { Person } from '../../server/testing/kit.ts'
import { consoleForTests, welcomed } from './console.ts'

const at = consoleForTests()
let reader: Person
let orderNo: string

beforeEach(async () => {
  ;[reader, orderNo] = [await at.staff(['MyAudit', 'OrderDetail']), await at.fixture.queueUp()]
})

const address = (from?: string) =>
  `${at.url}/AdminContent/OrderDetailAudit/OrderDetail?orderNo=${orderNo}${from ? `&from=${from}` : ''}`
/** In a browser of its own, because one of the pages is closed. */
const show = async (from?: string): Promise<Page> => {
  const page = await at.home(reader, {})
  await page.goto(address(from))
  await page.getByText(orderNo).first().waitFor()
  return page
}
const tracked = () =>
  at.fixture.rows(
    sql<{ type: string; eventId: string }>`
      select payload ->> 'type' as type, payload ->> 'eventId' as event_id from tracking_event where payload ->> 'orderNo' = ${orderNo} order by event_no`,
  )
const [enter, exit] = (['enter', 'exit'] as const).map(type => ({ type, eventId: 'my_audit_order_no' }))

const ways: readonly [name: string, leave: (page: Page) => Promise<unknown>][] = [
  ['a link', page => page.getByRole('link', { name: /^Mkopo/ }).click()],
  ['Back', page => page.goBack()],
  [
    'closing the tab',
    async page => {
      // The browser stays open, as it does for somebody who closes one of its tabs.
      await page.context().newPage()
      await page.close({ runBeforeUnload: true })
    },
  ],
  ['a reload of another address', page => page.goto(`${at.url}/AdminContent/Home`)],
]
test.each(ways)('leaving by %s tells it once, and the stay is computed', async (_, leave) => {
  const page = await show('MyAudit')
  await expect.poll(tracked).toEqual([enter])
  await leave(page)
  await expect.poll(tracked).toEqual([enter, exit])
  await at.fixture.db.withTx(pairStays)
  const stays = await at.fixture.rows(sql`select user_no, estimated from page_stay where order_no = ${orderNo}`)
  expect(stays).toEqual([{ userNo: reader.userNo, estimated: false }])
})

test.each([
  ['the order number', 'my_audit_order_no', (page: Page) => page.getByRole('link', { name: orderNo })],
  ['Review', 'my_audit_handle', (page: Page) => page.getByRole('button', { name: 'Review', exact: true })],
] as const)('MyAudit: an order opened by %s and left by Back is one stay', async (_, eventId, way) => {
  const auditor = await at.staff(['MyAudit', 'OrderDetail', 'OrderAudit'])
  orderNo = await at.fixture.allotted('M1', auditor)
  const page = await at.home(auditor, {})
  await page.goto(`${at.url}/AdminContent/AuditSystem/MyAudit`)
  await way(page).first().click()
  await page.getByRole('main').getByText(orderNo).first().waitFor()
  expect(new URL(page.url()).searchParams.get('from')).toBe('MyAudit')
  await expect.poll(tracked).toEqual([{ type: 'enter', eventId }])
  await page.goBack()
  await expect.poll(tracked).toEqual([
    { type: 'enter', eventId },
    { type: 'exit', eventId },
  ])
  await at.fixture.db.withTx(pairStays)
  const stays = await at.fixture.rows(
    sql`select user_no, event_id, estimated from page_stay where order_no = ${orderNo}`,
  )
  expect(stays).toEqual([{ userNo: auditor.userNo, eventId, estimated: false }])
  expect(await tracked()).toHaveLength(2)
})

test('an order opened from another list says which', async () => {
  const page = await at.home(await at.staff(['OrderManagement', 'OrderDetail']))
  await page.goto(`${at.url}/AdminContent/AuditSystem/OrderManagement?orderNo=${orderNo}`)
  await page.getByRole('link', { name: orderNo }).first().click()
  await page.getByRole('main').getByText(orderNo).first().waitFor()
  expect(new URL(page.url()).searchParams.get('from')).toBe('OrderManagement')
  await page.goBack()
  await expect.poll(tracked).toEqual([{ type: 'exit', eventId: 'order_detail' }])
})

test('portal 10: without a section that it was opened from, nothing is tracked', async () => {
  const page = await show()
  await page.getByRole('link', { name: /^Mkopo/ }).click()
  await welcomed(page)
  await page.goto(address('OrderManagement'))
  await page.getByText(orderNo).first().waitFor()
  await page.getByRole('link', { name: /^Mkopo/ }).click()
  await welcomed(page)
  await expect.poll(tracked).toEqual([{ type: 'exit', eventId: 'order_detail' }])
})

test('portal 10: a dead tracking server changes nothing on screen', async () => {
  const page = await at.home(reader)
  await page.route(`**${trackingPath}`, route => route.abort())
  await page.goto(address('MyAudit'))
  await page.getByText(orderNo).first().waitFor()
  await page.getByRole('link', { name: /^Mkopo/ }).click()
  await welcomed(page)
  expect(await page.getByRole('alert').count()).toBe(0)
  expect(await tracked()).toEqual([])
})
