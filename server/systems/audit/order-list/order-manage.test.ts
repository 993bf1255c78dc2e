import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import type { InputOf } from '../../../../core/contract/endpoint.ts'
import { statesOf } from '../../../../core/rules/machines/machine.ts'
import { order as orderMachine } from '../../../../core/rules/machines/order/order.ts'
import { addDays, eatDate, startOfEatDay } from '../../../../core/rules/time.ts'
import type { Person } from '../../../testing/kit.ts'
import { type Floor, openFloor } from '../../../testing/review-floor.ts'

const { audit } = contract
type Filters = InputOf<typeof audit.manageList>

let floor: Floor
let lead: Person
let manager: Person
beforeAll(async () => {
  floor = await openFloor()
  lead = await floor.supervisor()
  manager = await floor.person({ perms: ['audit:manage:page', 'audit:order:cancel'] })
})
afterAll(() => floor.close())

const list = async (filters: Filters, as = manager) => (await floor.call(audit.manageList, filters, { as })).data

describe('finding orders', () => {
  it('counts a range by name from the business date, in the list and in its figures', async () => {
    const [fresh, last, old] = [await floor.order({}), await floor.order({}), await floor.order({})]
    const applied = (orderNo: string, time: string) =>
      floor.exec(sql`update loan_order set apply_time = ${time} where order_no = ${orderNo}`)
    const today = eatDate(floor.clock.now())
    await applied(last, startOfEatDay(addDays(today, -29)))
    await applied(old, new Date(Date.parse(startOfEatDay(addDays(today, -29))) - 1).toISOString())
    const filters = { orderNo: [fresh, last, old].join(), applyTime: 'last30' as const }
    expect((await list(filters)).list.map(row => row.orderNo).sort()).toEqual([fresh, last].sort())
    expect((await floor.call(audit.manageSum, { filters }, { as: manager })).data.count).toBe(2)
    expect((await list({ ...filters, applyTime: 'today' })).list.map(row => row.orderNo)).toEqual([fresh])
  })

  it('shows any order with its people, refusal in the language of the caller, and hidden numbers', async () => {
    const orderNo = await floor.order({ customerName: 'Moses Okello', amount: '120000.00' })
    await floor.exec(
      sql`insert into refuse_code (refuse_code, level, name_zh, name_en, name_sw) values ('B1', 2, '收入不足', 'Income too low', 'Kipato kidogo')`,
    )
    const who = await floor.auditor({ name: 'Grace Auma' })
    await floor.allotTo(lead, who, [orderNo])
    const task = await floor.open(who, orderNo)
    await floor.call(
      audit.submit,
      {
        orderNo,
        leaseToken: task.leaseToken,
        version: task.orderVersion,
        auditResult: 'refuse',
        refuseCode: 'B1',
        answers: [],
      },
      { as: who },
    )
    const [row] = (await list({ orderNo })).list
    expect(row).toMatchObject({
      orderNo,
      customerName: 'Moses Okello',
      orderStatus: 'approval_rejected',
      refuseCode: 'B1',
      refuseReason: 'Income too low',
      auditorName: 'Grace Auma',
      loanAmount: '120000.00',
      appName: 'BodaCash',
      overdue: false,
      whitelisted: false,
      memberLevel: 'V0',
    })
    expect(row?.idNumber).toMatch(/^CF\*+\d\d$/)
    expect(row?.phone).toMatch(/^25\*+\d\d$/)
    expect(
      (await floor.call(audit.manageList, { orderNo }, { as: manager, language: 'zh' })).data.list[0]?.refuseReason,
    ).toBe('收入不足')
  })

  it.each<[string, (o: { a: string; b: string }) => Filters, 'a' | 'b' | 'both' | 'none']>([
    ['several numbers pasted', ({ a, b }) => ({ orderNo: `${a}，\n${b}` }), 'both'],
    ['the beginning of a name', () => ({ customerName: 'zainab' }), 'a'],
    ['a pattern is only text', () => ({ customerName: 'z%b' }), 'none'],
    ['a product', () => ({ productNo: ['P2'] }), 'b'],
    ['a merchant', () => ({ merchantNo: ['M2'] }), 'b'],
    ['an app', () => ({ appName: 'MarketLoan' }), 'b'],
    ['a kind', () => ({ loanKind: 'repeat' }), 'b'],
    ['an amount range', () => ({ loanAmount: ['500000.00', null] }), 'b'],
    ['a status group', () => ({ orderStatusType: 'void' }), 'b'],
    ['a status', () => ({ orderStatus: ['to_be_allocated'] }), 'a'],
    ['overdue days', () => ({ overdueDays: [3, 5], overdue: true }), 'b'],
    ['white list', () => ({ whitelisted: true }), 'b'],
    ['a member level', () => ({ memberLevel: ['V3'] }), 'b'],
    ['the day of application', () => ({ applyTime: ['2026-03-02', '2026-03-02'] }), 'both'],
    ['another day', () => ({ applyTime: ['2026-03-03', null] }), 'none'],
    ['installments', () => ({ installmentCount: 2, dataSource: 'intake' }), 'both'],
  ])('by %s', async (_, filters, found) => {
    const own = await pair()
    const expected = { a: [own.a], b: [own.b], both: [own.a, own.b], none: [] }[found]
    const { list: rows, total } = await list({ sort: 'applyTime', pageSize: 100, ...filters(own) })
    const numbers = rows.map(row => row.orderNo).filter(orderNo => [own.a, own.b].includes(orderNo))
    expect(numbers.sort()).toEqual(expected.sort())
    expect(total).toBeGreaterThanOrEqual(numbers.length)
  })

  it('finds by full phone and ID number only, and notes that somebody looked', async () => {
    const own = await pair()
    const { phone, idNumber } = await floor.one(
      sql<{
        phone: string
        idNumber: string
      }>`select phone, id_number from customer c join loan_order o using (customer_no) where o.order_no = ${own.a}`,
    )
    expect((await list({ phone })).list.map(row => row.orderNo)).toEqual([own.a])
    expect((await list({ idNumber: idNumber.toLowerCase() })).list.map(row => row.orderNo)).toEqual([own.a])
    expect(
      await floor.rows(
        sql`select field from access_log where user_no = ${manager.userNo} and access_kind = 'search' order by access_no`,
      ),
    ).toEqual([{ field: 'phone' }, { field: 'idNumber' }])
    expect(await floor.call(audit.manageList, { phone: '25677' }, { as: manager })).toMatchObject({
      code: 40001,
      msg: 'Phone format incorrect, e.g. 256123456789',
    })
    expect(await floor.call(audit.manageList, { customerName: 'a' }, { as: manager })).toMatchObject({ code: 40001 })
  })

  it('does not look through more than 366 days, and knows no other filter or sort', async () => {
    const ask = (filters: object) => floor.call(audit.manageList, filters as Filters, { as: manager })
    expect(await ask({ applyTime: ['2025-01-01', '2026-01-02'] })).toMatchObject({
      code: 40001,
      msg: 'The range can be at most 366 days',
      data: { fields: [{ path: 'applyTime' }] },
    })
    expect(await ask({ applyTime: ['2025-01-01', '2026-01-01'] })).toMatchObject({ code: 0 })
    expect(await ask({ color: 'red' })).toMatchObject({ code: 40001, msg: 'Unknown field: color' })
    expect(await ask({ sort: 'phone' })).toMatchObject({ code: 40001 })
  })

  it('stays inside the data rule: a number of another merchant gives an empty list', async () => {
    const own = await pair()
    const narrow = await floor.person({ perms: ['audit:manage:page'], limit: 'own_merchants', merchants: ['M1'] })
    expect((await list({ orderNo: own.b }, narrow)).total).toBe(0)
    expect((await list({ orderNo: own.a }, narrow)).total).toBe(1)
    const merchantStaff = await floor.person({
      perms: ['audit:manage:page'],
      limit: 'all',
      nature: 'outsourced',
      merchants: ['M1'],
    })
    expect((await list({ orderNo: own.b }, merchantStaff)).total).toBe(0)
  })

  it('hides names from desensitised people', async () => {
    const own = await pair()
    const blind = await floor.person({ perms: ['audit:manage:page'], sensitive: [] })
    expect((await list({ orderNo: own.a }, blind)).list[0]?.customerName).toMatch(/^Za\*+$|^Za\*+..$/)
  })
})

let made: { a: string; b: string } | undefined
const pair = async () => {
  if (made) return made
  const a = await floor.order({ customerName: 'Zainab Namuli' })
  const b = await floor.order({ merchantNo: 'M2', loanKind: 'repeat', amount: '600000.00' })
  await floor.exec(sql`update loan_order set overdue = true, overdue_days = 4 where order_no = ${b}`)
  await floor.exec(sql`update customer set whitelisted = true, member_level = 'V3' where customer_no = ${`CU${b}`}`)
  await floor.forceStatus(b, 'cancelled')
  made = { a, b }
  return made
}

describe('the totals', () => {
  it('are those of the filter', async () => {
    const { a, b } = await pair()
    const sumOf = async (filters: object, as = manager) =>
      (await floor.call(audit.manageSum, { filters: filters as Record<string, unknown> }, { as })).data
    expect(await sumOf({ orderNo: `${a},${b}` })).toEqual({
      count: 2,
      loanAmount: '800000.00',
      actualLoanAmount: '800000.00',
      overdue: 1,
      byStatus: { to_be_allocated: 1, cancelled: 1 },
    })
    expect(await sumOf({ orderNo: `${a},${b}`, orderStatus: ['cancelled'] })).toEqual({
      count: 1,
      loanAmount: '600000.00',
      actualLoanAmount: '600000.00',
      overdue: 1,
      byStatus: { to_be_allocated: 1, cancelled: 1 },
    })
    expect(await sumOf({ orderNo: 'none' })).toEqual({
      count: 0,
      loanAmount: '0.00',
      actualLoanAmount: '0.00',
      overdue: 0,
      byStatus: {},
    })
    const narrow = await floor.person({ perms: ['audit:manage:page'], limit: 'own_merchants', merchants: ['M1'] })
    expect(await sumOf({ orderNo: `${a},${b}` }, narrow)).toMatchObject({ count: 1, byStatus: { to_be_allocated: 1 } })
  })

  it('know no other filter than the list', async () => {
    const ask = (filters: Record<string, unknown>) => floor.call(audit.manageSum, { filters }, { as: manager })
    expect(await ask({ color: 'red' })).toMatchObject({ code: 40001, msg: 'Unknown field: color' })
    expect(await ask({ loanAmount: 'much' })).toMatchObject({
      code: 40001,
      data: { fields: [{ path: 'filters.loanAmount' }] },
    })
    expect(await ask({ applyTime: ['2025-01-01', '2026-03-01'] })).toMatchObject({
      code: 40001,
      msg: 'The range can be at most 366 days',
    })
  })
})

const cancel = (orderNo: string, version: number, more: object = {}, as = manager) =>
  floor.call(audit.cancel, { orderNo, version, reason: 'customer_withdrew', ...more }, { as })
const versionOf = async (orderNo: string) =>
  (await floor.one(sql<{ version: number }>`select version from loan_order where order_no = ${orderNo}`)).version

describe('cancelling', () => {
  it('voids an order before its payout and takes it from its auditor', async () => {
    const who = await floor.auditor()
    const orderNo = await floor.order()
    await floor.allotTo(lead, who, [orderNo])
    const task = await floor.open(who, orderNo)
    const { data } = await cancel(orderNo, await versionOf(orderNo), { remark: 'called us' })
    expect(data).toEqual({ orderNo, orderStatus: 'cancelled' })
    expect(
      await floor.one(
        sql`select o.cancel_reason, t.audit_task_status from loan_order o join audit_task t using (order_no) where o.order_no = ${orderNo}`,
      ),
    ).toEqual({ cancelReason: 'customer_withdrew', auditTaskStatus: 'released' })
    expect(
      await floor.one(
        sql`select before, after, actor from audit_log where action = 'order.cancel' and order_no = ${orderNo}`,
      ),
    ).toEqual({
      actor: manager.userNo,
      before: { orderStatus: 'pending_review', cancelReason: null, remark: null },
      after: { orderStatus: 'cancelled', cancelReason: 'customer_withdrew', remark: 'called us' },
    })
    expect(await floor.call(audit.submit, floor.passing(task), { as: who })).toMatchObject({
      code: 40901,
      data: { status: 'cancelled' },
    })
  })

  it.each(['machine_reviewing', 'to_be_allocated', 'pending_review'])('is possible from %s', async status => {
    const orderNo = await floor.order()
    await floor.forceStatus(orderNo, status)
    expect((await cancel(orderNo, await versionOf(orderNo))).code).toBe(0)
  })

  it.each(
    statesOf(orderMachine).filter(
      status => !['machine_reviewing', 'to_be_allocated', 'pending_review'].includes(status),
    ),
  )('is refused from %s, with that status', async status => {
    const orderNo = await floor.order()
    await floor.forceStatus(orderNo, status)
    const before = await floor.snapshot()
    expect(await cancel(orderNo, await versionOf(orderNo))).toMatchObject({ code: 40901, data: { status } })
    expect(await floor.snapshot()).toBe(before)
  })

  it('is refused for a stale version, a foreign order, a wrong reason and a long remark', async () => {
    const orderNo = await floor.order()
    const version = await versionOf(orderNo)
    expect(await cancel(orderNo, version - 1)).toMatchObject({
      code: 40902,
      msg: 'Someone changed this record. Reload and check.',
      data: { version },
    })
    const narrow = await floor.person({ perms: ['audit:order:cancel'], limit: 'own_merchants', merchants: ['M2'] })
    expect(await cancel(orderNo, version, {}, narrow)).toMatchObject({ code: 40401 })
    expect(await cancel('LO-none', version, {}, narrow)).toMatchObject({ code: 40401 })
    expect(await cancel(orderNo, version, { reason: 'bored' })).toMatchObject({ code: 40001 })
    expect(await cancel(orderNo, version, { remark: 'x'.repeat(31) })).toMatchObject({ code: 40001 })
    expect(await floor.statusOf(orderNo)).toBe('to_be_allocated')
  })
})

describe('permissions', () => {
  it.each([
    ['manageList', {}],
    ['manageSum', { filters: {} }],
    ['cancel', { orderNo: 'x', version: 1, reason: 'test' }],
  ] as const)('%s asks for its own', async (name, input) => {
    const nobody = await floor.person({ perms: ['audit:self:page'] })
    expect(await floor.call(audit[name], input as never, { as: nobody })).toMatchObject({ code: 40301 })
  })
})
