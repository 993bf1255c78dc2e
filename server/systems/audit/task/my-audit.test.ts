import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import type { Person } from '../../../testing/kit.ts'
import { type Floor, openFloor } from '../../../testing/review-floor.ts'

const { audit } = contract

let floor: Floor
let lead: Person
beforeAll(async () => {
  floor = await openFloor()
  lead = await floor.supervisor()
})
afterAll(() => floor.close())

/** Orders of one auditor, allotted a minute apart. */
const queue = async (who: Person, n: number): Promise<string[]> => {
  const made = []
  for (let i = 0; i < n; i++) {
    const orderNo = await floor.order()
    await floor.allotTo(lead, who, [orderNo])
    floor.clock.advance(60_000)
    await floor.exec(sql`update session set last_seen_time = ${floor.clock.now()}, created_time = ${floor.clock.now()}`)
    made.push(orderNo)
  }
  return made
}

describe('my queue', () => {
  it('holds my own tasks only, oldest first, in three boxes', async () => {
    const [who, other] = [await floor.auditor(), await floor.auditor({ limit: 'all' })]
    const [a, b, c] = (await queue(who, 3)) as [string, string, string]
    const [foreign] = (await queue(other, 1)) as [string]
    const task = await floor.open(who, b)
    const box = async (name: 'todo' | 'opened' | 'done', as = who) =>
      (await floor.call(audit.selfList, { box: name }, { as })).data.list
    expect((await box('todo')).map(row => row.orderNo)).toEqual([a, c])
    expect(await box('opened')).toMatchObject([
      { orderNo: b, leaseLive: true, hasDraft: false, auditTaskStatus: 'opened' },
    ])
    expect(await box('done')).toEqual([])
    expect((await box('todo', other)).map(row => row.orderNo)).toEqual([foreign])
    expect((await box('todo'))[0]).toMatchObject({
      waitingMinutes: 4,
      phone: expect.stringContaining('*'),
      auditStep: 1,
    })

    await floor.call(audit.draft, { orderNo: b, leaseToken: task.leaseToken, draft: { remark: 'half' } }, { as: who })
    expect(await box('opened')).toMatchObject([{ hasDraft: true }])
    floor.clock.advance(30_000)
    expect((await floor.call(audit.submit, floor.passing(task), { as: who })).code).toBe(0)
    expect(await box('opened')).toEqual([])
    expect(await box('done')).toMatchObject([
      {
        orderNo: b,
        auditResult: 'pass',
        approvalAmount: '200000.00',
        handleSeconds: 30,
        submitTime: floor.clock.now().toISOString(),
      },
    ])
    expect((await floor.call(audit.selfList, { box: 'done', auditResult: 'refuse' }, { as: who })).data.total).toBe(0)
    expect((await floor.call(audit.selfList, { orderNo: c }, { as: who })).data.list.map(row => row.orderNo)).toEqual([
      c,
    ])
  })

  it('counts the day', async () => {
    const who = await floor.auditor({ queueCap: 7 })
    const [a, b] = (await queue(who, 3)) as [string, string, string]
    expect((await floor.call(audit.selfStat, {}, { as: who })).data).toEqual({
      registered: true,
      todo: 3,
      opened: 0,
      doneToday: 0,
      passToday: 0,
      refuseToday: 0,
      averageSeconds: 0,
      approvedToday: '0.00',
      queueCap: 7,
      onDuty: true,
    })
    const first = await floor.open(who, a)
    floor.clock.advance(40_000)
    await floor.call(audit.submit, floor.passing(first, '150000.00'), { as: who })
    const second = await floor.open(who, b)
    floor.clock.advance(20_000)
    await floor.call(
      audit.submit,
      {
        orderNo: b,
        leaseToken: second.leaseToken,
        version: second.orderVersion,
        auditResult: 'sent_back',
        sendBackReason: 'materials',
      },
      { as: who },
    )
    expect((await floor.call(audit.selfStat, {}, { as: who })).data).toMatchObject({
      todo: 1,
      doneToday: 2,
      passToday: 1,
      refuseToday: 0,
      averageSeconds: 30,
      approvedToday: '150000.00',
    })
  })

  it('says when somebody is not registered', async () => {
    const guest = await floor.person({ perms: ['audit:self:page'], limit: 'own' })
    expect((await floor.call(audit.selfStat, {}, { as: guest })).data).toMatchObject({
      registered: false,
      todo: 0,
      queueCap: 0,
      onDuty: false,
    })
    expect((await floor.call(audit.selfList, {}, { as: guest })).data.list).toEqual([])
  })

  it('leads from order to order, oldest first, and round again', async () => {
    const who = await floor.auditor()
    const orderNos = await queue(who, 5)
    const next = async (after?: string) => (await floor.call(audit.next, { after }, { as: who })).data.orderNo
    const walked = []
    for (let at = await next(); walked.length < 5 && at; at = await next(at)) walked.push(at)
    expect(walked).toEqual(orderNos)
    expect(await next(orderNos[4])).toBe(orderNos[0])
    const task = await floor.open(who, orderNos[1] as string)
    expect((await floor.call(audit.submit, floor.passing(task), { as: who })).code).toBe(0)
    expect(await next(orderNos[1])).toBe(orderNos[2])
    expect(await next(orderNos[0])).toBe(orderNos[2])
  })

  it('leads nowhere when nothing is left, and not to an order that a colleague has taken over', async () => {
    const who = await floor.auditor()
    const chief = await floor.auditor({ limit: 'all', perms: ['audit:order:handle', 'audit:order:handleAny'] })
    const [only] = (await queue(who, 1)) as [string]
    expect((await floor.call(audit.next, { after: only }, { as: who })).data).toEqual({ orderNo: null })
    expect((await floor.call(audit.next, {}, { as: who })).data).toEqual({ orderNo: only })
    await floor.open(chief, only)
    expect((await floor.call(audit.next, {}, { as: who })).data).toEqual({ orderNo: null })
  })

  it.each(['selfList', 'selfStat', 'next'] as const)('%s asks for its permission', async name => {
    const nobody = await floor.person({ perms: ['audit:allot:page'] })
    expect(await floor.call(audit[name], {} as never, { as: nobody })).toMatchObject({ code: 40301 })
  })
})
