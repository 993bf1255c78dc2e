import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import type { InputOf } from '../../../../core/contract/endpoint.ts'
import { type Fixture, openFixture } from '../../../../tests/contract/fixture.ts'
import { moveTo, ruleOf, sentNextDay, settled, stops, textOf } from './unrenewed.facts.ts'

const { smsTemplates, unrenewed } = contract

let fixture: Fixture
beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.close())

const as = () => ({ as: fixture.boss })
type Rule = InputOf<typeof unrenewed.preview>
type Task = { taskNo: string; smsTaskStatus: string; matchedCount: number }
const tasksOf = (configNo: string) =>
  fixture.rows(sql<Task>`
    select task_no, sms_task_status, matched_count from sms_task where config_no = ${configNo} order by business_date`)
type Said = { orderNo: string; messageStatus: string; blockReason: string | null }
const saidOf = (taskNo: string | undefined) =>
  fixture.rows(sql<Said>`
    select order_no, message_status, block_reason from message where object_type = 'sms_task' and object_no = ${taskNo ?? ''}`)
const off = async (configNo: string) => {
  const { version } = await fixture.one(
    sql<{ version: number }>`select version from unrenewed_config where config_no = ${configNo}`,
  )
  fixture.must(await fixture.call(unrenewed.state, { configNo, enabled: false, version }, as()))
}

describe('a rule', () => {
  it('marketing 11: makes one task a day, of those who settled so many days ago and did not apply since', async () => {
    const configNo = await ruleOf(fixture, 'M1', true, [3, 7])
    const [stays, returns] = [await settled(fixture), await settled(fixture)]
    await sentNextDay(fixture, 3)
    const [third] = await tasksOf(configNo)
    expect(third).toMatchObject({ matchedCount: 2, smsTaskStatus: 'done' })
    expect(fixture.outbox.texts.at(-1)?.content).toMatch(/(Reply STOP to opt out|Jibu ACHA kusitisha)$/)
    await fixture.tick('marketing.unrenewed')
    expect(await tasksOf(configNo)).toHaveLength(1)
    await fixture.queueUp('M1', returns)
    await sentNextDay(fixture, 4)
    const seventh = (await tasksOf(configNo)).at(-1)
    expect((await saidOf(seventh?.taskNo)).map(one => one.orderNo)).toEqual([stays])
    await off(configNo)
  })

  it('sends nothing to who opted out or applied after its task was made, and says why', async () => {
    const configNo = await ruleOf(fixture, 'M1', true, [1])
    const [stopped, back, stays] = [await settled(fixture), await settled(fixture), await settled(fixture)]
    await moveTo(fixture, 1, 7)
    await fixture.tick('marketing.unrenewed')
    await stops(fixture, stopped)
    await fixture.queueUp('M1', back)
    await moveTo(fixture, 0, 10)
    for (let n = 0; n < 3; n++) {
      await fixture.tick('marketing.send')
      await fixture.worker.drain()
    }
    const [task] = await tasksOf(configNo)
    expect(task).toMatchObject({ matchedCount: 3, smsTaskStatus: 'partial' })
    const said = new Map((await saidOf(task?.taskNo)).map(one => [one.orderNo, one.blockReason]))
    expect([said.get(stopped), said.get(back), said.get(stays)]).toEqual(['opted_out', 'not_needed', null])
    const { list } = (await fixture.call(unrenewed.runs, { configNo }, as())).data as { list: object[] }
    expect(list).toMatchObject([{ customersMatched: 3, customersLeftOut: 2, textsTaken: 1 }])
    await off(configNo)
  })

  it('shows what it would do on each of the next seven days, with what is left out and why', async () => {
    const configNo = await ruleOf(fixture, 'M1', false, [2, 5])
    const [one, other] = [await settled(fixture), await settled(fixture)]
    await stops(fixture, other)
    expect(one).not.toBe(other)
    const rule = await fixture.one(sql<Rule>`
      select merchant_nos, loan_kind, send_days, max_overdue_days, per_customer_max from unrenewed_config where config_no = ${configNo}`)
    const answer = await fixture.call(unrenewed.preview, rule, as())
    const { list } = fixture.must(answer) as {
      list: { customersMatched: number; recipientCount: number; blocks: unknown }[]
    }
    expect(list).toHaveLength(7)
    expect(list[2]).toMatchObject({
      customersMatched: 2,
      recipientCount: 1,
      blocks: [{ blockReason: 'opted_out', count: 1 }],
    })
  })
})

describe('a rule is refused', () => {
  const form = (more: Record<string, unknown>) => ({
    ...{ configName: `Refused ${Math.random()}`, merchantNos: ['M1'], loanKind: 'repeat', maxOverdueDays: 0 },
    ...{ textTime: '10:00', perCustomerMax: 4, effectiveTime: fixture.clock.now().toISOString(), ...more },
  })
  const save = async (more: Record<string, unknown>) =>
    (await fixture.call(unrenewed.save, form(more) as never, as())).code

  it('with days that do not rise, a day without its text, a text of another merchant or hours at night', async () => {
    const [own, foreign] = [await textOf(fixture, 'M1'), await textOf(fixture, 'M2')]
    const step = (daysAfter: number, templateNo = own) => ({ daysAfter, templateNo })
    expect(await save({ sendDays: [step(7), step(3)] })).toBe(40001)
    expect(await save({ sendDays: [step(3), step(3)] })).toBe(40001)
    expect(await save({ sendDays: [{ daysAfter: 3 }] })).toBe(40001)
    expect(await save({ sendDays: [step(3, foreign)] })).toBe(40001)
    expect(await save({ sendDays: [step(3)], textTime: '21:00' })).toBe(40001)
    expect(await save({ sendDays: [step(3)], effectiveTime: '2026-01-01T00:00:00Z' })).toBe(40001)
    expect(await save({ sendDays: [step(3)] })).toBe(0)
  })

  it('to be in force beside one of the same merchant, kind and day; its text stays in force then', async () => {
    const first = await ruleOf(fixture, 'M1', true, [20])
    const second = await ruleOf(fixture, 'M1', false, [20, 40])
    const { version } = await fixture.one(
      sql<{ version: number }>`select version from unrenewed_config where config_no = ${second}`,
    )
    const answer = await fixture.call(unrenewed.state, { configNo: second, enabled: true, version }, as())
    expect(answer.code).toBe(40901)
    const { templateNo } = await fixture.one(sql<{ templateNo: string }>`
      select send_days -> 0 ->> 'templateNo' as template_no from unrenewed_config where config_no = ${first}`)
    const text = await fixture.one(
      sql<{ version: number }>`select version from sms_template where template_no = ${templateNo}`,
    )
    expect((await fixture.call(smsTemplates.disable, { templateNo, ...text }, as())).code).toBe(40901)
    await off(first)
    expect((await fixture.call(smsTemplates.disable, { templateNo, ...text }, as())).code).toBe(0)
  })
})
