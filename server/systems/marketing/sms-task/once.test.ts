import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { type Fixture, openFixture } from '../../../../tests/contract/fixture.ts'
import { done } from '../../../testing/acts.ts'
import { reportSecret } from '../../../testing/vendors.ts'
import { moveTo, settled, stops } from '../unrenewed/unrenewed.facts.ts'
import { asking, groupOf, ready, task } from './sms-task.facts.ts'

const { smsTasks, smsTemplates, smsReport, userGroups, optOuts } = contract

let fixture: Fixture
beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.close())

type Row = { phone: string; status: string; ref: string | null; account: string }
const texts = (taskNo: string) =>
  fixture.rows(sql<Row>`
    select recipient as phone, message_status as status, vendor_ref as ref, account_no as account from message
    where object_type = 'sms_task' and object_no = ${taskNo}`)
const report = async (of: { account: string; id: string; phone: string }, status: string) => {
  const { account: accountNo, id, phone } = of
  const said = { accountNo, secret: reportSecret, id, status, phoneNumber: `+${phone}` }
  fixture.must(await fixture.call(smsReport.receive, said as never))
  await fixture.worker.drain()
}
const sent = async (taskNo: string) => {
  await moveTo(fixture, 1, 10)
  for (let n = 0; n < 3; n++) {
    await fixture.tick('marketing.send')
    await fixture.worker.drain()
  }
  return (await texts(taskNo))[0] as Row
}
const given = (phone: string) => fixture.outbox.texts.filter(text => text.phone === phone).length

it('marketing 6: a text without an answer went once, and is delivered when its report comes', async () => {
  const taskNo = await task(fixture)
  fixture.outbox.answers.push({ is: 'unknown', reason: 'timeout' })
  const { phone, status, account } = await sent(taskNo)
  expect([status, given(phone)]).toEqual(['unknown', 1])
  await report({ account, id: 'late-6', phone }, 'Success')
  expect(await texts(taskNo)).toMatchObject([{ status: 'delivered', ref: 'late-6' }])
  expect(given(phone)).toBe(1)
})

it('marketing 7: reports that come twice and in the wrong order are all kept, and count once', async () => {
  const taskNo = await task(fixture)
  const { phone, ref, account } = await sent(taskNo)
  const id = String(ref)
  for (const status of ['Success', 'Sent', 'Success']) await report({ account, id, phone }, status)
  await fixture.tick('marketing.counts')
  expect(await texts(taskNo)).toMatchObject([{ status: 'delivered' }])
  const { task: shown } = (await done(fixture, smsTasks.detail, { taskNo })) as { task: Record<string, unknown> }
  expect(shown).toMatchObject({ textsTaken: 1, textsArrived: 1, failedCount: 0 })
  const kept = await fixture.rows(sql<{ outcome: string }>`select outcome from sms_report where vendor_ref = ${id}`)
  expect(kept).toHaveLength(3)
})

it('marketing 8: a task that is made twice, or repeated after a broken line, is one', async () => {
  const input = (await ready(fixture, await asking(fixture))) as never
  const key = randomUUID()
  const make = () => fixture.call(smsTasks.create, input, { as: fixture.boss, key })
  const answers = [await make(), await make(), await make()]
  expect(new Set(answers.map(({ data }) => data.taskNo)).size).toBe(1)
  const { n } = await fixture.one(sql<{ n: number }>`
    select count(*)::int as n from sms_task where task_no = ${answers[0]?.data.taskNo ?? ''}`)
  expect(n).toBe(1)
})

it('marketing 13: what belongs to another merchant does not exist, by number, list, count and file', async () => {
  const theirs = await task(fixture, 'M2')
  const own = await task(fixture, 'M1')
  await sent(theirs)
  const order = await settled(fixture, 'M2')
  await stops(fixture, order)
  const perms = [smsTasks.page, smsTasks.messages, smsTemplates.page, userGroups.page, optOuts.page].map(
    one => one.perm as string,
  )
  const as = await fixture.person({
    perms: [...perms, 'mkt:sms:save', 'mkt:sms:export'],
    limit: 'own_merchants',
    nature: 'merchant',
    merchants: ['M1'],
  })
  const list = async (call: Parameters<Fixture['call']>[0], input: object = {}) =>
    (
      fixture.must(await fixture.call(call, { pageNum: 1, pageSize: 100, ...input } as never, { as })) as {
        list: Record<string, unknown>[]
      }
    ).list
  expect((await list(smsTasks.page)).map(one => one.taskNo)).toContain(own)
  for (const one of await list(smsTasks.page)) expect(one.merchantNo).toBe('M1')
  for (const one of await list(smsTemplates.page)) expect(one.merchantNo).toBe('M1')
  expect((await list(smsTasks.messages)).map(one => one.taskNo)).not.toContain(theirs)
  expect(await list(smsTasks.messages, { taskNo: theirs })).toEqual([])
  expect((await fixture.call(smsTasks.detail, { taskNo: theirs }, { as })).code).toBe(40401)
  expect((await fixture.call(smsTasks.cancel, { taskNo: theirs, version: 0 }, { as })).code).toBe(40401)
  const page = fixture.must(await fixture.call(smsTasks.page, { pageNum: 1, pageSize: 100 } as never, { as })) as {
    list: unknown[]
    total: number
  }
  expect(page.total).toBe(page.list.length)
  const called = async (endpoint: Endpoint | undefined, input: object) =>
    fixture.must(await fixture.call(endpoint as Endpoint, input as never, { as }))
  const totals = async () => JSON.stringify(await called(smsTasks.page.totalling, { filters: {} }))
  const before = await totals()
  await sent(await task(fixture, 'M2'))
  expect(await totals()).toBe(before)
  expect(await list(smsTasks.messages, { messageStatus: ['submitted'], taskNo: theirs })).toEqual([])
  const file = { filters: { taskNo: theirs }, columns: ['phone'], exportFormat: 'csv' }
  expect(await called(smsTasks.messages.exporting, file)).toMatchObject({ rowCount: 0 })
  await fixture.worker.drain()
  const rows = await fixture.rows(
    sql<{ n: number | null }>`select row_count as n from export_job where user_no = ${as.userNo}`,
  )
  expect(rows.map(({ n }) => n)).toEqual([0])
  const group = await groupOf(fixture, [order])
  expect((await fixture.call(userGroups.verify, { userGroupNo: group, purpose: 'sms' }, { as })).code).not.toBe(0)
})
