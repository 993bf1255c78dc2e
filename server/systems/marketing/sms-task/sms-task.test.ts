import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import type { OutputOf } from '../../../../core/contract/endpoint.ts'
import { type Fixture, openFixture } from '../../../../tests/contract/fixture.ts'
import { system } from '../../../rights/actor.ts'
import { done } from '../../../testing/acts.ts'
import { begunItems } from '../../../testing/proven.ts'
import { putBlock } from '../../merchant/contact-block/index.ts'
import { codesOf } from '../../operation/verify-code/code.ts'
import { moveTo, settled, stops } from '../unrenewed/unrenewed.facts.ts'
import { phoneOf } from '../user-group/user-group.facts.ts'
import { sendJob } from './send.ts'
import { asking, failed, groupOf, limits, ready, task, versionOf } from './sms-task.facts.ts'

const { smsTasks, userGroups } = contract
type Preview = OutputOf<typeof smsTasks.preview>

let fixture: Fixture
beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.close())

const ask = (call: Parameters<Fixture['ask']>[0], input: object) =>
  fixture.ask(call, input as never, { as: fixture.boss })
const preview = async (asked: object) => (await done(fixture, smsTasks.preview, asked as never)) as unknown as Preview
const customers = async (n: number) => {
  const orders: string[] = []
  for (let i = 0; i < n; i++) orders.push(await settled(fixture))
  return orders
}
const said = (taskNo: string) =>
  fixture.rows(sql<{ phone: string; status: string; why: string | null }>`
    select recipient as phone, message_status as status, block_reason as why from message
    where object_type = 'sms_task' and object_no = ${taskNo} order by recipient`)
const rowOf = (taskNo: string) =>
  fixture.one(sql<Record<string, unknown>>`select * from sms_task where task_no = ${taskNo}`)
const sent = async (rounds = 3) => {
  for (let n = 0; n < rounds; n++) {
    await fixture.tick('marketing.send')
    await fixture.worker.drain()
  }
}
/** How often each number was really given to a vendor. */
const given = (phones: readonly string[]) =>
  phones.map(phone => fixture.outbox.texts.filter(text => text.phone === phone).length)
const taken = async () =>
  (
    await fixture.one(
      sql<{ n: string }>`select coalesce(sum(taken_amount), 0)::numeric(18,2)::text as n from sms_budget`,
    )
  ).n

describe('a preview', () => {
  it('marketing 3: counts whom a task reaches, whom not and why, and what it costs', async () => {
    const orders = await customers(6)
    await stops(fixture, String(orders[0]))
    const other = await task(fixture, 'M1', [String(orders[1])])
    await moveTo(fixture, 1, 10)
    await sent()
    expect((await rowOf(other)).smsTaskStatus).toBe('done')
    const blocked = await phoneOf(fixture, String(orders[5]))
    const entry = { book: 'contact', blockScope: 'marketing', blockReason: 'complaint', blockSource: 'agent' } as const
    await fixture.db.withTx(tx => putBlock(tx, { ...entry, phone: blocked }, 'system', system('test')))
    const { orderNo: late } = await fixture.disbursed('M1')
    await fixture.exec(sql`update loan_order set overdue = true, version = version + 1 where order_no = ${late}`)
    const found = await preview(await asking(fixture, {}, 'M1', [...orders, late]))
    expect(found).toMatchObject({ customersMatched: 7, recipientCount: 3, needsApproval: false })
    expect(Object.fromEntries(found.blocks.map(one => [one.blockReason, one.count]))).toEqual({
      ...{ opted_out: 1, cap_reached: 1, blacklisted: 1, not_needed: 1 },
    })
    const { price } = await fixture.one(sql<{ price: string }>`
      select (sum(cost) / sum(segments))::numeric(18,2) as price from message where channel_type = 'sms' and cost is not null`)
    expect(Number(found.costEstimate)).toBeCloseTo(Number(price) * found.segmentsTotal, 2)
    expect(found.samples).toHaveLength(3)
    expect(found.samples[0]?.messageText).toMatch(/(Reply STOP to opt out|Jibu ACHA kusitisha)$/)
    for (const one of found.samples) expect(one.phone).toContain('*')
  })

  it('finds customers by what is known of them', async () => {
    await customers(1)
    const { userGroupNo: _, verifyToken: __, ...asked } = await asking(fixture)
    const all = { ...asked, audienceSource: 'filter', audienceStatuses: ['settled'] }
    const repaid = await preview(all)
    expect(repaid.customersMatched).toBeGreaterThan(1)
    expect((await preview({ ...all, settledFrom: 4_000 / 2, settledTo: 3_000 })).customersMatched).toBe(0)
    expect((await preview({ ...all, audienceStatuses: ['refused'] })).customersMatched).toBe(0)
  })
})

describe('a task is refused', () => {
  it('marketing 12: for a group that was not verified, at night, and for nobody', async () => {
    const asked = await asking(fixture)
    expect((await ask(smsTasks.preview, { ...asked, userGroupNo: 'UG-other' })).code).toBe(40001)
    expect((await ask(smsTasks.preview, { ...asked, verifyToken: undefined })).code).toBe(40001)
    expect((await ask(userGroups.verify, { userGroupNo: 'UG-none', purpose: 'sms' })).code).toBe(40401)
    const night = new Date(fixture.clock.now().getTime() + 86_400_000)
    night.setUTCHours(19, 0)
    expect((await ask(smsTasks.preview, { ...asked, sendTime: night.toISOString() })).code).toBe(40001)
    const [order] = await customers(1)
    await stops(fixture, String(order))
    const nobody = await ready(fixture, await asking(fixture, {}, 'M1', [String(order)]))
    expect((await ask(smsTasks.create, nobody)).code).toBe(40901)
  })

  it('after ten minutes, or where it is not what was previewed', async () => {
    const input = await ready(fixture, await asking(fixture))
    expect((await ask(smsTasks.create, { ...input, ratePerMinute: 60 })).code).toBe(40901)
    await fixture.pass(11)
    expect((await ask(smsTasks.create, input)).code).toBe(40901)
  })

  it('beyond the budget of the month, which a cancelled task gives back', async () => {
    const [one, other] = [await ready(fixture, await asking(fixture)), await ready(fixture, await asking(fixture))]
    const before = await taken()
    const { costEstimate } = await preview(await asking(fixture))
    await limits(fixture, { monthBudget: (Number(before) + Number(costEstimate)).toFixed(2) })
    const { taskNo } = await done(fixture, smsTasks.create, one as never)
    expect((await ask(smsTasks.create, other)).code).toBe(40901)
    await fixture.worker.drain()
    await done(fixture, smsTasks.cancel, {
      taskNo: String(taskNo),
      version: await versionOf(fixture, String(taskNo)),
    })
    expect(await taken()).toBe(before)
    expect((await ask(smsTasks.create, other)).code).toBe(0)
    await limits(fixture, { monthBudget: '20000000.00' })
  })
})

describe('a task', () => {
  it('marketing 9: sends each number one text, whatever dies in between', async () => {
    const orders = await customers(4)
    const phones = await Promise.all(orders.map(order => phoneOf(fixture, order)))
    const taskNo = await task(fixture, 'M1', orders)
    await moveTo(fixture, 1, 10)
    const dies = fixture.db.withTx(async tx => {
      await sendJob.run(tx, { date: tx.today })
      throw new Error('killed')
    })
    await expect(dies).rejects.toThrow('killed')
    expect(await said(taskNo)).toEqual([])
    await fixture.tick('marketing.send')
    // One was being handed over when the server died: nobody knows whether it arrived.
    await fixture.exec(sql`
      update message set begun_time = ${fixture.clock.now()}, tries = 1 where message_no in (select message_no from message where object_no = ${taskNo} order by recipient limit 1)`)
    await fixture.worker.drain()
    await sent()
    const list = await said(taskNo)
    expect(list.map(one => one.status).sort()).toEqual(['submitted', 'submitted', 'submitted', 'unknown'])
    expect(given(phones).sort()).toEqual([0, 1, 1, 1])
    const row = await rowOf(taskNo)
    expect(row).toMatchObject({ smsTaskStatus: 'partial', recipientCount: 4, acceptedCount: 3, unknownCount: 1 })
  })

  it('is filled some customers at a time, and goes on where it was', async () => {
    const orders = await customers(2)
    const input = await ready(fixture, await asking(fixture, {}, 'M1', orders))
    const { taskNo } = await done(fixture, smsTasks.create, input as never)
    expect(await rowOf(String(taskNo))).toMatchObject({ filledTime: null, matchedCount: 0 })
    await moveTo(fixture, 1, 10)
    await fixture.tick('marketing.send')
    expect(await rowOf(String(taskNo))).toMatchObject({ smsTaskStatus: 'created' })
    await fixture.worker.drain()
    await fixture.worker.drain()
    expect(await rowOf(String(taskNo))).toMatchObject({ matchedCount: 2, recipientCount: 2 })
  })

  it('marketing 5: sends nothing after hours, and says that it waits', async () => {
    const orders = await customers(3)
    const asked = await asking(fixture, { ratePerMinute: 12 }, 'M1', orders)
    const { taskNo } = await done(fixture, smsTasks.create, (await ready(fixture, asked)) as never)
    await fixture.worker.drain()
    await moveTo(fixture, 1, 19)
    await fixture.pass(59.5)
    await sent(1)
    expect(await said(String(taskNo))).toHaveLength(1)
    await fixture.pass(1)
    await sent()
    expect(await said(String(taskNo))).toHaveLength(1)
    const { task: shown } = (await done(fixture, smsTasks.detail, { taskNo: String(taskNo) })) as {
      task: Record<string, unknown>
    }
    expect(shown).toMatchObject({ smsTaskStatus: 'sending', waitingReason: 'hours' })
    await moveTo(fixture, 1, 9)
    await sent(4)
    expect(await rowOf(String(taskNo))).toMatchObject({ smsTaskStatus: 'done', acceptedCount: 3 })
  })

  it('marketing 4: blocks who opted out after it was made, with the reason', async () => {
    const orders = await customers(2)
    const taskNo = await task(fixture, 'M1', orders)
    await stops(fixture, String(orders[0]))
    await moveTo(fixture, 1, 10)
    await sent()
    expect((await said(taskNo)).map(one => one.why).sort()).toEqual([null, 'opted_out'])
    const { blocks } = (await done(fixture, smsTasks.detail, { taskNo })) as { blocks: object[] }
    expect(blocks).toEqual([{ blockReason: 'opted_out', count: 1 }])
  })

  it('is stopped: what waits is cancelled, and all statuses add up', async () => {
    const orders = await customers(3)
    const asked = await asking(fixture, { ratePerMinute: 12 }, 'M1', orders)
    const { taskNo: no } = await done(fixture, smsTasks.create, (await ready(fixture, asked)) as never)
    const taskNo = String(no)
    await fixture.worker.drain()
    await moveTo(fixture, 1, 10)
    await sent(1)
    await fixture.tick('marketing.send')
    await done(fixture, smsTasks.stop, { taskNo, version: await versionOf(fixture, taskNo) })
    await sent()
    const row = await rowOf(taskNo)
    expect(row).toMatchObject({ smsTaskStatus: 'partial', acceptedCount: 1, cancelledCount: 2, recipientCount: 3 })
    expect(Number(row.takenAmount)).toBeLessThan(Number(row.costEstimate))
  })

  it('is tried again where no vendor took anything, and never what may have arrived', async () => {
    const taskNo = await failed(fixture)
    expect(await rowOf(taskNo)).toMatchObject({ smsTaskStatus: 'failed', refusedCount: 1 })
    await done(fixture, smsTasks.retry, { taskNo, version: await versionOf(fixture, taskNo) })
    await sent()
    expect(await rowOf(taskNo)).toMatchObject({ smsTaskStatus: 'done', acceptedCount: 1, refusedCount: 0, retries: 1 })
    const unknown = await task(fixture)
    await moveTo(fixture, 1, 10)
    fixture.outbox.answers.push({ is: 'unknown', reason: 'time-out' })
    await sent()
    expect(await rowOf(unknown)).toMatchObject({ smsTaskStatus: 'failed', unknownCount: 1 })
    const again = await ask(smsTasks.retry, { taskNo: unknown, version: await versionOf(fixture, unknown) })
    expect(again.code).toBe(40901)
  })

  it('waits for a second person where it is large', async () => {
    const input = await ready(fixture, await asking(fixture))
    await limits(fixture, { taskCost: '1.00' })
    const { taskNo, approvalNo } = await done(fixture, smsTasks.create, input as never)
    await limits(fixture, { taskCost: '2000000.00' })
    await fixture.worker.drain()
    await moveTo(fixture, 1, 10)
    await sent()
    expect(await rowOf(String(taskNo))).toMatchObject({ smsTaskStatus: 'created' })
    await fixture.agree(String(approvalNo))
    await sent()
    expect(await rowOf(String(taskNo))).toMatchObject({ smsTaskStatus: 'done' })
  })

  it('counts what customers did within a week of its text', async () => {
    const [order] = await customers(1)
    const taskNo = await task(fixture, 'M1', [String(order)])
    await moveTo(fixture, 1, 10)
    await sent()
    await fixture.exec(
      sql`update message set message_status = message_status, deliver_time = ${fixture.clock.now()} where object_no = ${taskNo}`,
    )
    await fixture.pass(60)
    await fixture.queueUp('M1', String(order))
    await stops(fixture, String(order))
    await moveTo(fixture, 1, 4)
    await fixture.tick('marketing.attribution')
    expect(await rowOf(taskNo)).toMatchObject({ appliedCount: 1, optOutCount: 1, paidOutCount: 0 })
  })
})

it('a group says how many are out of reach, and who has none in reach is refused', async () => {
  const orders = [await settled(fixture, 'M1'), await settled(fixture, 'M2')]
  const userGroupNo = await groupOf(fixture, orders)
  const found = await done(fixture, userGroups.verify, { userGroupNo, purpose: 'sms' })
  expect(found).toMatchObject({ groupMembers: 2, outsideScope: 0 })
})

it('groups by rule hold who fits this morning', async () => {
  const order = await settled(fixture)
  await moveTo(fixture, 4, 6)
  await fixture.tick('marketing.groups')
  const found = await fixture.rows(sql`
    select 1 from user_group_member m join user_group g using (user_group_no) where g.rule_key = 'settled_3_7' and m.phone = ${await phoneOf(fixture, order)}`)
  expect(found).toHaveLength(1)
})

describe('a merchant that pays in advance', () => {
  const floor = async () => {
    await fixture.exec(sql`
      insert into consumption_type (type_no, enabled, type_code, type_name, meter, unit, prepaid_required, created_time, updated_by, updated_time)
      values ('CTP', 'enabled', 'sms', '{"en":"SMS"}', 'sms_part', 'part', true, now(), 'x', now()) on conflict do nothing`)
    await fixture.exec(sql`
      insert into merchant_config (merchant_no, enabled, contract_no, contract_start, contract_end, settlement_mode, credit_floor, low_balance, contact_email, contact_phone, environment, created_time, updated_by, updated_time)
      values ('M1', 'enabled', 'C-1', '2025-01-01', '2030-01-01', 'prepaid', 10000000, 10000000, 'a@b.ug', '256772000001', 'live', now(), 'x', now())
      on conflict do nothing`)
    await fixture.db.withTx(begunItems)
  }

  it('merchant 7: at its floor starts no task, while codes go out and an approved order is paid', async () => {
    const before = await task(fixture)
    const input = await ready(fixture, await asking(fixture))
    await floor()
    const refused = await ask(smsTasks.create, input)
    expect([refused.code, refused.msg]).toEqual([40901, 'Balance not sufficient: the merchant has to top up first'])
    await moveTo(fixture, 1, 10)
    await sent()
    expect(await rowOf(before)).toMatchObject({ smsTaskStatus: 'created', heldBack: 'wallet' })

    const code = await fixture.db.withTx(tx =>
      codesOf(fixture.secretKey).send(
        tx,
        {
          ...{
            scene: 'login',
            channel: 'phone',
            to: '256772009911',
            challengeId: null,
            userNo: null,
            merchantNo: 'M1',
          },
          ...{ appCode: 'BodaCash', language: 'en', ip: null },
        },
        { no: 'anon', name: 'anon', requestId: 'test', ip: null },
      ),
    )
    await fixture.worker.drain()
    expect(code).not.toBeInstanceOf(Error)
    expect(given(['256772009911'])).toEqual([1])
    const { loanCode } = await fixture.disbursed()
    const { status } = await fixture.one(
      sql<{ status: string }>`select loan_code_status as status from loan_code where loan_code = ${loanCode}`,
    )
    expect(status).toBe('success')

    await fixture.exec(sql`update consumption_type set prepaid_required = false where type_no = 'CTP'`)
    await sent()
    expect((await rowOf(before)).smsTaskStatus).toBe('done')
  })
})
