import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { statesOf } from '../../../../core/rules/machines/machine.ts'
import { order as orderMachine } from '../../../../core/rules/machines/order/order.ts'
import { system } from '../../../rights/actor.ts'
import type { Person } from '../../../testing/kit.ts'
import { frozen, left } from '../../../testing/people.ts'
import { type Floor, openFloor, supervisorPerms } from '../../../testing/review-floor.ts'
import { releaseTasksOf } from './allot-order.ts'

const { audit } = contract

let floor: Floor
let lead: Person
beforeAll(async () => {
  floor = await openFloor()
  lead = await floor.supervisor()
})
afterAll(() => floor.close())

const allot = (as: Person, orderNos: string[], auditors: readonly Person[], more: { force?: boolean } = {}) =>
  floor.call(audit.allot, { orderNos, auditorNos: auditors.map(one => one.userNo), ...more }, { as })

const holderOf = async (orderNo: string) =>
  (
    await floor.rows(
      sql<{
        auditorNo: string
      }>`select auditor_no from audit_task where order_no = ${orderNo} and audit_task_status in ('assigned', 'opened')`,
    )
  ).map(one => one.auditorNo)

describe('allotting', () => {
  it('gives the order to the auditor, with task, transitions and audit line', async () => {
    const who = await floor.auditor()
    const orderNo = await floor.order()
    const { code, data } = await allot(lead, [orderNo], [who])
    expect(code).toBe(0)
    expect(data).toEqual({ ok: 1, fail: 0, rows: [{ id: orderNo, code: 0, msg: 'Operation success' }] })
    expect(await floor.statusOf(orderNo)).toBe('pending_review')
    expect(await holderOf(orderNo)).toEqual([who.userNo])
    const events = await floor.rows(sql<{ machine: string; event: string; toState: string }>`
      select machine, event, to_state from state_transition where actor = ${lead.userNo} and (object_no = ${orderNo} or payload ->> 'orderNo' = ${orderNo}) order by transition_no`)
    expect(events).toEqual([
      { machine: 'M10', event: 'allot', toState: 'pending_review' },
      { machine: 'M11', event: 'task.assign', toState: 'assigned' },
    ])
    const line = await floor.one(
      sql<{
        action: string
        before: object
        after: object
        actor: string
      }>`select action, before, after, actor from audit_log where object_type = 'order' and order_no = ${orderNo}`,
    )
    expect(line).toEqual({
      action: 'order.allot',
      actor: lead.userNo,
      before: { orderStatus: 'to_be_allocated', auditorNo: null },
      after: { orderStatus: 'pending_review', auditorNo: who.userNo },
    })
  })

  it('order-audit 1: refuses the rows an auditor may not take with their reason, and lets the others go through', async () => {
    const mine = await floor.order({ merchantNo: 'M1' })
    const foreign = await floor.order({ merchantNo: 'M2' })
    const repeat = await floor.order({ loanKind: 'repeat' })
    const who = await floor.auditor({ merchants: ['M1'], acceptRepeat: false })
    const { data } = await allot(lead, [foreign, mine, repeat], [who])
    expect(data).toMatchObject({ ok: 1, fail: 2 })
    expect(data.rows.map(({ id, code, msg }) => [id, code, msg])).toEqual([
      [foreign, 40001, 'The auditor does not work for this merchant'],
      [mine, 0, 'Operation success'],
      [repeat, 40001, 'The auditor does not take repeat loans'],
    ])
    expect(await floor.statusOf(foreign)).toBe('to_be_allocated')
    expect(await floor.statusOf(mine)).toBe('pending_review')
  })

  it.each([
    ['off duty', { shift: 'off' }, {}, 40001, 'The auditor is off duty'],
    ['an AI employee', { ai: true }, {}, 40001, 'The product does not allow review by an AI employee'],
    ['not taking first loans', { acceptFirst: false }, {}, 40001, 'The auditor does not take first loans'],
    ['only for earlier steps', { stepMax: 0 }, {}, 40001, 'The auditor cannot take this review step'],
    ['at the cap', { queueCap: 0 }, {}, 41001, 'The auditor’s queue is full'],
    ['frozen', {}, { userStatus: 'frozen' }, 40001, 'The auditor’s account is frozen'],
    ['gone', {}, { employeeStatus: 'left' }, 40001, 'The auditor has left'],
  ] as const)('order-audit 1: refuses an auditor who is %s', async (_, settings, user, code, msg) => {
    const who = await floor.auditor(settings)
    if ('userStatus' in user) await floor.db.withTx(tx => frozen(tx, who.userNo))
    if ('employeeStatus' in user) await floor.db.withTx(tx => left(tx, who.userNo))
    const orderNo = await floor.order()
    const before = await floor.snapshot()
    const { data } = await allot(lead, [orderNo], [who])
    expect(data.rows).toEqual([{ id: orderNo, code, msg }])
    expect(await floor.snapshot()).toBe(before)
  })

  it('speaks the language of the caller', async () => {
    const who = await floor.auditor({ shift: 'off' })
    const orderNo = await floor.order()
    const said = async (language: 'zh' | 'sw') =>
      (await floor.call(audit.allot, { orderNos: [orderNo], auditorNos: [who.userNo] }, { as: lead, language })).data
        .rows[0]?.msg
    expect(await said('zh')).toBe('该审核员已离岗')
    expect(await said('sw')).toBe('Mkaguzi hayuko zamu')
  })

  it('passes over people on approved leave now, even when switched on', async () => {
    const who = await floor.auditor({ shift: 'on' })
    const now = floor.clock.now().getTime()
    const away = (status: string, from: number, to: number) =>
      floor.exec(sql`
        insert into leave_apply (leave_no, user_no, leave_status, leave_type, start_time, end_time, created_by, created_time)
        values (${`LV${status}${who.userNo}`}, ${who.userNo}, ${status}, 'annual', ${new Date(now + from * 60_000)}, ${new Date(now + to * 60_000)}, ${who.userNo}, ${new Date(now)})`)
    const [first, second] = (await floor.orders(2)) as [string, string]
    await away('pending', -60, 60)
    expect((await allot(lead, [first], [who])).data.ok).toBe(1)
    await away('approved', -30, 30)
    expect((await allot(lead, [second], [who])).data.rows[0]?.msg).toBe('The auditor is off duty')
    await floor.exec(sql`update leave_apply set end_time = ${new Date(now)} where user_no = ${who.userNo}`)
    expect((await allot(lead, [second], [who])).data.ok).toBe(1)
  })

  it('counts as on duty by schedule who was seen in the last 15 minutes', async () => {
    const who = await floor.auditor({ shift: 'scheduled' })
    const [first, second] = (await floor.orders(2)) as [string, string]
    expect((await allot(lead, [first], [who])).data.ok).toBe(1)
    await floor.exec(
      sql`update session set last_seen_time = ${new Date(floor.clock.now().getTime() - 16 * 60_000)} where user_no = ${who.userNo}`,
    )
    expect((await allot(lead, [second], [who])).data.rows[0]?.msg).toBe('The auditor is off duty')
  })

  it('spreads orders evenly over the chosen auditors', async () => {
    const [a, b, c] = [await floor.auditor(), await floor.auditor(), await floor.auditor()]
    await floor.allotTo(lead, c, await floor.orders(2))
    const orderNos = await floor.orders(7)
    expect((await allot(lead, orderNos, [a, b, c])).data.ok).toBe(7)
    const counts = await floor.rows(sql<{ n: number }>`
      select count(*)::int as n from audit_task where auditor_no = any(${[a, b, c].map(one => one.userNo)}) and audit_task_status = 'assigned' group by auditor_no order by auditor_no`)
    expect(counts.map(row => row.n)).toEqual([3, 3, 3])
  })

  it('names what stood in the way when none of several can take it', async () => {
    const [off, full] = [await floor.auditor({ shift: 'off' }), await floor.auditor({ queueCap: 0 })]
    const { data } = await allot(lead, [await floor.order()], [off, full])
    expect(data.rows[0]).toMatchObject({
      code: 41001,
      msg: 'No auditor can take this order: The auditor’s queue is full',
    })
  })

  it('asks for at least one auditor, and only for registered ones in reach', async () => {
    const orderNo = await floor.order()
    expect(await floor.call(audit.allot, { orderNos: [orderNo], auditorNos: [] }, { as: lead })).toMatchObject({
      code: 40001,
      msg: 'Please provide complete information',
    })
    expect(await floor.call(audit.allot, { orderNos: [orderNo], auditorNos: ['nobody'] }, { as: lead })).toMatchObject({
      code: 40001,
    })
    const gulu = await floor.supervisor({ limit: 'dept', dept: 'D2' })
    const who = await floor.auditor()
    expect(await allot(gulu, [orderNo], [who])).toMatchObject({ code: 40001 })
  })

  it('does not find orders out of reach, the same as unknown ones', async () => {
    const narrow = await floor.supervisor({ limit: 'own_merchants', merchants: ['M2'] })
    const who = await floor.auditor({ merchants: ['M2', 'M1'] })
    const [own, foreign] = [await floor.order({ merchantNo: 'M2' }), await floor.order({ merchantNo: 'M1' })]
    const { data } = await allot(narrow, [own, foreign, 'LO-none'], [who])
    expect(data.rows.map(row => [row.id, row.code, row.msg])).toEqual([
      [own, 0, 'Operation success'],
      [foreign, 40401, 'Record not found'],
      ['LO-none', 40401, 'Record not found'],
    ])
  })

  it('waits for a pending approval of the order', async () => {
    const orderNo = await floor.order()
    await floor.exec(sql`
      insert into approval (approval_no, approval_action, approval_status, object_type, object_no, order_no, perm, payload, payload_hash, target_version, summary, maker_no, maker_name, submit_time, expire_time)
      values (${`AP${orderNo}`}, 'x', 'pending', 'order', ${orderNo}, ${orderNo}, 'x', '{}', 'x', 1, '[]', 'U1', 'One', ${floor.clock.now()}, ${floor.clock.now()})`)
    const { data } = await allot(lead, [orderNo], [await floor.auditor()])
    expect(data.rows[0]).toMatchObject({
      code: 40901,
      msg: 'The order is waiting for an approval and cannot be allocated',
    })
  })

  it.each(statesOf(orderMachine).filter(status => !['to_be_allocated', 'pending_review'].includes(status)))(
    'refuses an order that is %s, naming the status',
    async status => {
      const orderNo = await floor.order()
      await floor.forceStatus(orderNo, status)
      const { data } = await allot(lead, [orderNo], [await floor.auditor()])
      expect(data.rows[0]).toMatchObject({ code: 40901 })
      expect(data.rows[0]?.msg).toContain('The status is now')
      const back = await floor.call(audit.unallot, { orderNos: [orderNo] }, { as: lead })
      expect(back.data.rows[0]).toMatchObject({ code: 40901 })
      expect(await floor.statusOf(orderNo)).toBe(status)
    },
  )

  it('repeats its answer for the same key, and does nothing twice', async () => {
    const who = await floor.auditor()
    const orderNo = await floor.order()
    const input = { orderNos: [orderNo], auditorNos: [who.userNo] }
    const first = await floor.call(audit.allot, input, { as: lead, key: `key-of-${orderNo}-allot` })
    const after = await floor.snapshot()
    expect(await floor.call(audit.allot, input, { as: lead, key: `key-of-${orderNo}-allot` })).toEqual(first)
    expect(await floor.snapshot()).toBe(after)
  })
})

describe('allotting again and taking back', () => {
  it('hands an order that nobody works on to another auditor', async () => {
    const [first, second] = [await floor.auditor(), await floor.auditor()]
    const orderNo = await floor.order()
    await floor.allotTo(lead, first, [orderNo])
    expect((await allot(lead, [orderNo], [first])).data.rows[0]?.msg).toBe('This auditor already has the order')
    expect((await allot(lead, [orderNo], [second])).data.ok).toBe(1)
    expect(await holderOf(orderNo)).toEqual([second.userNo])
    expect(
      await floor.rows(sql`select audit_task_status from audit_task where order_no = ${orderNo} order by version desc`),
    ).toEqual([{ auditTaskStatus: 'released' }, { auditTaskStatus: 'assigned' }])
  })

  it('leaves a live lease alone unless forced by who may', async () => {
    const [first, second] = [await floor.auditor(), await floor.auditor()]
    const orderNo = await floor.order()
    await floor.allotTo(lead, first, [orderNo])
    await floor.open(first, orderNo)
    expect((await allot(lead, [orderNo], [second])).data.rows[0]).toMatchObject({
      code: 40901,
      msg: 'The auditor is working on this order now',
    })
    expect((await floor.call(audit.unallot, { orderNos: [orderNo] }, { as: lead })).data.rows[0]).toMatchObject({
      code: 40901,
      msg: 'The auditor is working on this order now',
    })
    expect(await allot(lead, [orderNo], [second], { force: true })).toMatchObject({ code: 40301 })
    const chief = await floor.supervisor({ perms: [...supervisorPerms, 'audit:order:forceAllot'] })
    expect((await allot(chief, [orderNo], [second], { force: true })).data.ok).toBe(1)
    expect(await holderOf(orderNo)).toEqual([second.userNo])
  })

  it('takes orders back into the queue when their lease ran out', async () => {
    const who = await floor.auditor()
    const orderNo = await floor.order()
    await floor.allotTo(lead, who, [orderNo])
    await floor.open(who, orderNo)
    await floor.exec(
      sql`update audit_task set lease_until = ${new Date(floor.clock.now().getTime() - 1)} where order_no = ${orderNo}`,
    )
    expect((await floor.call(audit.unallot, { orderNos: [orderNo] }, { as: lead })).data.ok).toBe(1)
    expect(await floor.statusOf(orderNo)).toBe('to_be_allocated')
    expect(await holderOf(orderNo)).toEqual([])
    expect(
      await floor.one(
        sql`select auditor_no, status_time = ${floor.clock.now()} as now from loan_order where order_no = ${orderNo}`,
      ),
    ).toEqual({ auditorNo: null, now: true })
  })

  it('order-audit 14: gives back everything of an auditor who leaves, and their review answers -10', async () => {
    const who = await floor.auditor()
    const orderNos = await floor.orders(2)
    await floor.allotTo(lead, who, orderNos)
    const task = await floor.open(who, orderNos[0] as string)
    const returned = await floor.db.withTx(async tx => {
      await left(tx, who.userNo)
      return releaseTasksOf(tx, who.userNo, system('test'))
    })
    expect(returned).toEqual(orderNos)
    for (const orderNo of orderNos) expect(await floor.statusOf(orderNo)).toBe('to_be_allocated')
    expect(
      (await floor.call(audit.heartbeat, { orderNo: task.orderNo, leaseToken: task.leaseToken }, { as: who })).code,
    ).toBe(-10)
    expect((await floor.call(audit.submit, floor.passing(task), { as: who })).code).toBe(-10)
  })
})

describe('automatic allotment', () => {
  it('gives the oldest orders to the shortest queues of those who take part', async () => {
    const own = await openFloor()
    const boss = await own.supervisor()
    const [a, b] = [await own.auditor({ auto: true, queueCap: 2 }), await own.auditor({ auto: true, queueCap: 1 })]
    await own.auditor({ auto: false })
    const old = await own.orders(3)
    own.clock.advance(60_000)
    const late = await own.order()
    const { data } = await own.call(audit.autoAllot, {}, { as: boss })
    expect(data).toMatchObject({ ok: 3, fail: 1 })
    expect(data.rows.map(row => row.id)).toEqual([...old, late])
    expect(data.rows[3]?.msg).toBe('No auditor can take this order: The auditor’s queue is full')
    expect(
      await own.rows(
        sql`select auditor_no, count(*)::int as n from audit_task group by auditor_no order by auditor_no`,
      ),
    ).toEqual([
      { auditorNo: a.userNo, n: 2 },
      { auditorNo: b.userNo, n: 1 },
    ])
    await own.close()
  })

  it('runs by the clock only when it is switched on', async () => {
    const own = await openFloor()
    const who = await own.auditor({ auto: true })
    const [orderNo, foreign] = [await own.order(), await own.order({ merchantNo: 'M2' })]
    await own.exec(sql`delete from user_merchant where user_no = ${who.userNo} and merchant_no = 'M2'`)
    expect(await own.run('audit.autoAllot')).toEqual({ allotted: 0, left: 0 })
    await own.exec(
      sql`insert into business_config (config_key, config_value) values ('AUDIT_AUTO_ALLOT', '{"enabled": true}')`,
    )
    expect(await own.run('audit.autoAllot')).toEqual({ allotted: 1, left: 1 })
    expect(await own.statusOf(orderNo)).toBe('pending_review')
    expect(await own.statusOf(foreign)).toBe('to_be_allocated')
    expect(await own.one(sql`select actor, action from audit_log where order_no = ${orderNo}`)).toEqual({
      actor: 'system',
      action: 'order.autoAllot',
    })
    const boss = await own.supervisor()
    expect((await own.call(audit.allotStat, {}, { as: boss })).data).toMatchObject({
      autoAllot: true,
      waiting: 1,
      withAuditors: 1,
      onDuty: 1,
    })
    await own.close()
  })

  it('hands out by the clock what somebody can take, past whatever nobody can, each step to another person', async () => {
    const own = await openFloor()
    const [first, second] = [await own.auditor({ auto: true }), await own.auditor({ auto: true, shift: 'off' })]
    await own.exec(sql`delete from user_merchant where merchant_no = 'M2'`)
    const foreign = await own.orders(3, { merchantNo: 'M2' })
    own.clock.advance(60_000)
    const two = await own.order({ terms: { auditStepCount: 2 } })
    await own.exec(
      sql`insert into business_config (config_key, config_value) values ('AUDIT_AUTO_ALLOT', '{"enabled": true}')`,
    )
    expect(await own.run('audit.autoAllot')).toEqual({ allotted: 1, left: 3 })
    expect((await own.call(audit.submit, own.passing(await own.open(first, two)), { as: first })).code).toBe(0)
    expect(await own.run('audit.autoAllot')).toEqual({ allotted: 0, left: 4 })
    await own.exec(sql`update audit_person set shift_override = 'on' where user_no = ${second.userNo}`)
    expect(await own.run('audit.autoAllot')).toEqual({ allotted: 1, left: 3 })
    expect(await own.one(sql`select auditor_no from loan_order where order_no = ${two}`)).toEqual({
      auditorNo: second.userNo,
    })
    expect(
      await own.rows(sql`
        select machine, event, to_state from state_transition where actor = 'system' and (object_no = ${two} or payload ->> 'orderNo' = ${two}) and event in ('allot', 'task.assign') order by transition_no`),
    ).toEqual(
      [1, 2].flatMap(() => [
        { machine: 'M10', event: 'allot', toState: 'pending_review' },
        { machine: 'M11', event: 'task.assign', toState: 'assigned' },
      ]),
    )
    expect(await Promise.all(foreign.map(own.statusOf))).toEqual(Array(3).fill('to_be_allocated'))
    await own.close()
  })

  it('releases reviews whose lease ran out over 30 minutes ago, and those of people who are gone', async () => {
    const own = await openFloor()
    const boss = await own.supervisor()
    const [busy, away, gone] = [await own.auditor(), await own.auditor(), await own.auditor()]
    const [live, stale, orphan] = (await own.orders(3)) as [string, string, string]
    await own.allotTo(boss, busy, [live])
    await own.allotTo(boss, away, [stale])
    await own.allotTo(boss, gone, [orphan])
    await own.open(busy, live)
    await own.open(away, stale)
    expect(await own.run('audit.releaseLeases')).toEqual({ released: 0 })
    await own.exec(
      sql`update audit_task set lease_until = ${new Date(own.clock.now().getTime() - 31 * 60_000)} where order_no = ${stale}`,
    )
    await own.db.withTx(tx => frozen(tx, gone.userNo))
    expect(await own.run('audit.releaseLeases')).toEqual({ released: 2 })
    expect(await Promise.all([live, stale, orphan].map(own.statusOf))).toEqual([
      'pending_review',
      'to_be_allocated',
      'to_be_allocated',
    ])
    expect(
      await own.rows(
        sql`select event from state_transition where actor = 'system' and object_no = ${stale} and event = 'unallot'`,
      ),
    ).toHaveLength(1)
    await own.close()
  })
})
