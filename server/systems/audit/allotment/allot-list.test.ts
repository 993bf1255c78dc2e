import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { hasPostgres, newPostgresDatabase } from '../../../../tests/postgres.ts'
import type { Person } from '../../../testing/kit.ts'
import { type Floor, openFloor } from '../../../testing/review-floor.ts'

const { audit } = contract

let floor: Floor
let _lead: Person
beforeAll(async () => {
  floor = await openFloor()
  _lead = await floor.supervisor()
})
afterAll(() => floor.close())

describe('the list of the queue', () => {
  it('shows what waits and who has what, oldest first, phones hidden', async () => {
    const own = await openFloor()
    const boss = await own.supervisor()
    const who = await own.auditor({ name: 'Grace Auma' })
    const first = await own.order()
    own.clock.advance(31 * 60_000)
    const reSignedIn = sql`update session set last_seen_time = ${own.clock.now()}`
    await own.exec(reSignedIn)
    const second = await own.order({ loanKind: 'repeat', amount: '300000.00' })
    await own.allotTo(boss, who, [first])
    await own.open(who, first)
    const third = await own.order()
    await own.forceStatus(third, 'machine_refused')
    const { data } = await own.call(audit.allotList, {}, { as: boss })
    expect(data.total).toBe(2)
    expect(data.list.map(row => row.orderNo).sort()).toEqual([first, second])
    expect(data.list.find(row => row.orderNo === first)).toMatchObject({
      auditorName: 'Grace Auma',
      auditTaskStatus: 'opened',
      leaseLive: true,
      orderStatus: 'pending_review',
      phone: '25********02',
      merchantName: 'Boda Cash',
    })
    expect(data.list.find(row => row.orderNo === second)).toMatchObject({
      auditorName: null,
      auditTaskStatus: null,
      leaseLive: false,
      waitingMinutes: 0,
    })
    const only = async (filters: Parameters<typeof own.call<typeof audit.allotList>>[1]) =>
      (await own.call(audit.allotList, filters, { as: boss })).data.list.map(row => row.orderNo)
    expect(await only({ orderStatus: ['to_be_allocated'] })).toEqual([second])
    expect(await only({ orderStatusType: 'reviewing', loanKind: 'first' })).toEqual([first])
    expect(await only({ orderNo: `${first}, ${second}`, sort: 'loanAmount' })).toEqual([first, second])
    expect(await only({ auditorNo: [who.userNo] })).toEqual([first])
    expect(await only({ customerName: 'sarah n' })).toHaveLength(2)
    expect(await only({ phone: '256999999999' })).toEqual([])
    expect(await own.rows(sql`select access_kind, field, object_no, user_no from access_log`)).toEqual([
      { accessKind: 'search', field: 'phone', objectNo: '25********99', userNo: boss.userNo },
    ])
    own.clock.advance(20 * 60_000)
    expect(await only({ waitingMinutes: [15, null] })).toHaveLength(2)
    expect(await only({ waitingMinutes: [60, null] })).toEqual([])
    await own.close()
  })

  it('tells of each auditor how many of the chosen orders they can take, or why none', async () => {
    const own = await openFloor()
    const boss = await own.supervisor()
    const fine = await own.auditor({ queueCap: 2 })
    const off = await own.auditor({ shift: 'off' })
    const m2 = await own.auditor({ merchants: ['M2'] })
    const full = await own.auditor({ queueCap: 0 })
    const orderNos = [...(await own.orders(3)), await own.order({ merchantNo: 'M2' })]
    const { data } = await own.call(audit.allotAuditors, { orderNos }, { as: boss, language: 'zh' })
    const of = (who: Person) => data.list.find(one => one.userNo === who.userNo)
    expect(of(fine)).toMatchObject({
      fitting: 2,
      reason: null,
      onShift: true,
      openCount: 0,
      queueCap: 2,
      merchantNames: ['Boda Cash', 'Market Loan'],
    })
    expect(of(off)).toMatchObject({ fitting: 0, reason: '该审核员已离岗', onShift: false })
    expect(of(m2)).toMatchObject({ fitting: 1, reason: null })
    expect(of(full)).toMatchObject({ fitting: 0, reason: '该审核员的待审订单已达上限' })
    await own.close()
  })

  it('holds only what the data rule of its page allows', async () => {
    const narrow = await floor.supervisor({ limit: 'own_merchants', merchants: ['M2'] })
    const foreign = await floor.order({ merchantNo: 'M1' })
    const own = await floor.order({ merchantNo: 'M2' })
    const { data } = await floor.call(audit.allotList, { pageSize: 100 }, { as: narrow })
    const numbers = data.list.map(row => row.orderNo)
    expect(numbers).toContain(own)
    expect(numbers).not.toContain(foreign)
    expect(new Set(data.list.map(row => row.merchantName))).toEqual(new Set(['Market Loan']))
    expect(
      (await floor.call(audit.allotAuditors, { orderNos: [foreign] }, { as: narrow })).data.list.every(
        one => one.fitting === 0,
      ),
    ).toBe(true)
  })

  it.each(['allotList', 'allotStat', 'allotAuditors', 'allot', 'unallot', 'autoAllot'] as const)(
    '%s asks for its permission',
    async name => {
      const nobody = await floor.person({ perms: ['audit:self:page'] })
      const input = {
        allotList: {},
        allotStat: {},
        allotAuditors: { orderNos: ['x'] },
        allot: { orderNos: ['x'], auditorNos: ['x'] },
        unallot: { orderNos: ['x'] },
        autoAllot: {},
      }[name]
      expect(await floor.call(audit[name], input as never, { as: nobody })).toMatchObject({ code: 40301 })
    },
  )
})

const race = async (own: Floor) => {
  const [one, two] = [await own.supervisor(), await own.supervisor()]
  const auditors = []
  for (let i = 0; i < 4; i++) auditors.push(await own.auditor({ queueCap: 10 }))
  const orderNos = await own.orders(50)
  const input = { orderNos, auditorNos: auditors.map(who => who.userNo) }
  const [first, second] = await Promise.all([
    own.call(audit.allot, input, { as: one }),
    own.call(audit.allot, input, { as: two }),
  ])
  const tasks = await own.rows(
    sql<{
      auditorNo: string
      n: number
    }>`select auditor_no, count(*)::int as n from audit_task where audit_task_status = 'assigned' group by auditor_no`,
  )
  expect(tasks).toHaveLength(4)
  for (const { n } of tasks) expect(n).toBeLessThanOrEqual(10)
  expect(tasks.reduce((sum, task) => sum + task.n, 0)).toBe(40)
  const left = await own.rows(
    sql<{ orderNo: string }>`select order_no from loan_order where order_status = 'to_be_allocated'`,
  )
  expect(left).toHaveLength(10)
  expect(
    await own.rows(
      sql`select order_no from audit_task where audit_task_status = 'assigned' group by order_no having count(*) > 1`,
    ),
  ).toEqual([])
  return { first, second }
}

describe('two supervisors at once', () => {
  it('order-audit 2: leave every order with at most one auditor and nobody over the cap', async () => {
    const own = await openFloor()
    const { first, second } = await race(own)
    expect(first.data.ok + second.data.ok).toBeGreaterThanOrEqual(40)
    await own.close()
  })

  it.skipIf(!hasPostgres)(
    'order-audit 2: the same on PostgreSQL, where they really run side by side',
    async () => {
      const own = await openFloor((await newPostgresDatabase()) ?? '')
      const { first, second } = await race(own)
      expect(first.data.ok + second.data.ok).toBeGreaterThanOrEqual(40)
      await own.close()
    },
    60_000,
  )
})
