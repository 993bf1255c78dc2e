import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { contract, endpoints } from '../../../../core/contract/contract.ts'
import type { Endpoint, InputOf } from '../../../../core/contract/endpoint.ts'
import type { Person } from '../../../testing/kit.ts'
import { officerPerms } from '../../../testing/repay-desk.ts'
import { deskForTests } from '../../../testing/suites.ts'
import { flowModule } from '../flow/flow.ts'
import { repayModule } from './repay.ts'
import { outstandingOf } from './repay-source.ts'

const { repay } = contract

const { desk, officer } = await deskForTests()
await desk.at('2026-02-20')
const late = await desk.order()
const settled = await desk.order()
const gulu = await desk.order({ merchantNo: 'M2' })
await desk.pay(officer, { orderNo: settled, repayType: 'settle', flows: [desk.typed('231000.00')] })
await desk.until('2026-03-02')
const fresh = await desk.order()
await desk.pay(officer, { orderNo: late, repayType: 'partial', flows: [desk.typed('1000.00')] })

type Filters = Partial<InputOf<typeof repay.page>>
const page = async (filters: Filters = {}, as = officer) => (await desk.call(repay.page, filters, { as })).data
const numbers = async (filters: Filters, as = officer) => (await page(filters, as)).list.map(row => row.orderNo).sort()

describe('the list of orders', () => {
  it('shows what is owed, component by component, as the bills and the trial say', async () => {
    const row = (await page({ orderNo: late })).list[0]
    const { bills } = await desk.detail(officer, late)
    const { data: trial } = await desk.call(
      repay.trial,
      { orderNo: late, repayType: 'settle', flows: [] },
      { as: officer },
    )
    expect(row).toMatchObject({
      orderNo: late,
      merchantName: 'Boda Cash',
      productName: 'Quick loan P1',
      loanAmount: '200000.00',
      actualLoanAmount: '190000.00',
      dueDate: '2026-02-27',
      overdueDays: 3,
      installmentsPaid: 0,
      installmentCount: 2,
      paidAmount: '1000.00',
      reductionAmount: '0.00',
      overflowAmount: '0.00',
      extensionCount: 0,
      orderStatus: 'funds_disbursed',
      loanCodeStatus: 'success',
      settledTime: null,
      repaymentTime: desk.clock.now().toISOString(),
      outstandingPrincipal: '200000.00',
      outstandingInterest: '28000.00',
      outstandingFee: '2000.00',
      outstandingPenalty: '4175.00',
    })
    expect(row?.settleAmount).toBe(trial.settleAmount)
    expect(row?.settleAmount).toBe(bills.reduce((all, bill) => all + Number(bill.left), 0).toFixed(2))
    expect(row?.settleAmount).toBe(await desk.db.read(tx => outstandingOf(tx, late)))
    expect(row?.phone).toMatch(/^25\*+\d\d$/)
    expect((await desk.detail(officer, late)).order.phone).toMatch(/^256\d{9}$/)
  })

  it('says what settles today when paying early is cheaper', async () => {
    await desk.at('2026-03-02')
    const early = await desk.order({ terms: { earlySettlement: 'proRata' } })
    const row = (await page({ orderNo: early })).list[0]
    const { data: trial } = await desk.call(
      repay.trial,
      { orderNo: early, repayType: 'settle', flows: [] },
      { as: officer },
    )
    expect(row?.settleAmount).toBe('200000.00')
    expect(trial.settleAmount).toBe('200000.00')
    const done = await desk.pay(officer, { orderNo: early, repayType: 'settle', flows: [desk.typed('200000.00')] })
    expect(done).toMatchObject({ code: 0, data: { outstanding: '0.00', orderStatus: 'settled' } })
    const { journals } = await desk.detail(officer, early)
    expect(journals.filter(journal => journal.postingCode === 'P2d')).toHaveLength(1)
    expect(journals.flatMap(journal => journal.lines).some(line => line.accountCode === 'interest_income')).toBe(false)
  })

  it.each<[string, Filters, () => string[]]>([
    ['numbers, pasted', { orderNo: 'LO000001, LO000002\nLO999999' }, () => [late, settled]],
    ['third-party number', { thirdOrderNo: 'T-LO000001' }, () => [late]],
    ['status', { orderStatus: ['settled'], payoutTime: ['2026-02-20', '2026-02-20'] }, () => [settled]],
    ['overdue', { overdue: true }, () => [late, gulu]],
    ['overdue days', { overdueDays: [4, null] }, () => []],
    ['due date', { dueDate: ['2026-02-27', '2026-02-27'] }, () => [late, gulu]],
    ['due date from', { dueDate: ['2026-03-01', null], orderStatus: ['funds_disbursed'] }, () => [fresh]],
    ['payout day', { payoutTime: ['2026-02-20', '2026-02-20'] }, () => [late, settled, gulu]],
    ['merchant', { merchantNo: ['M2'] }, () => [gulu]],
    ['product and kind', { productNo: ['P2'], loanKind: 'first' }, () => [gulu]],
    ['overflow held', { hasOverflow: true }, () => [settled]],
    ['customer', { customerNo: 'CU1' }, () => [late]],
  ])('is narrowed by %s', async (_, filters, expected) => {
    expect(await numbers(filters)).toEqual(expected().sort())
  })

  it('finds orders whose customer has money waiting', async () => {
    expect(await numbers({ hasFlow: true })).toEqual([])
    await desk.hear(
      '20000000-0000-4000-8000-000000000001',
      { status: 'SUCCESSFUL' },
      {
        kind: 'success',
        serialNo: 'WAIT',
        amount: '900000.00',
        payer: '256',
        externalId: '7000000001',
        time: desk.clock.now().toISOString(),
      },
    )
    expect(await numbers({ hasFlow: true })).toEqual([late])
    expect((await desk.detail(officer, late)).flows).toContainEqual(
      expect.objectContaining({ serialNo: 'WAIT', flowStatus: 'available', waitReason: 'overflow_limit' }),
    )
  })

  it('is sorted and paged', async () => {
    const sorted = async (sort: Filters['sort']) => (await page({ sort, pageSize: 10 })).list.map(row => row.orderNo)
    expect((await sorted('-overdueDays'))[0]).toBe(gulu)
    expect((await sorted('dueDate')).slice(0, 2).sort()).toEqual([late, gulu].sort())
    expect((await page({ pageSize: 10, pageNum: 2 })).list).toEqual([])
    expect((await desk.call(repay.page, { sort: 'phone' } as never, { as: officer })).code).toBe(40001)
  })
})

describe('the pay code', () => {
  it('says what is due by when', async () => {
    const [{ payCode }] = (await desk.rows(
      sql<{ payCode: string }>`select pay_code from loan_order where order_no = ${late}`,
    )) as [{ payCode: string }]
    const left = (await desk.detail(officer, late)).bills[0]?.left
    expect((await desk.call(repay.payCode, { orderNo: late }, { as: officer })).data).toEqual({
      payCode,
      channel: 'mtn_momo',
      amount: left,
      dueDate: '2026-02-27',
    })
  })
})

describe('who may do what', () => {
  const ask = (endpoint: Endpoint, as?: Person) => desk.call(endpoint as typeof repay.detail, { orderNo: late }, { as })
  const own = endpoints.filter(
    ({ name, endpoint }) =>
      name.startsWith('repay.') && !name.endsWith('Totals') && endpoint.on?.machine.name !== 'export_job',
  )

  it('serves every call of the contract, once', () => {
    const served = [...repayModule(desk.deps).served, ...flowModule(desk.deps).served].map(({ endpoint }) => endpoint)
    expect(new Set(served).size).toBe(served.length)
    expect(own.filter(({ endpoint }) => !served.includes(endpoint)).map(({ name }) => name)).toEqual([])
  })

  it.each(own)('$name: not without a session, not without its right', async ({ endpoint }) => {
    expect((await ask(endpoint)).code).toBe(-10)
    const others = await desk.officer({
      perms: [...officerPerms, 'log:audit:page'].filter(
        perm => perm !== endpoint.perm && !endpoint.anyPerm?.includes(perm),
      ),
    })
    expect((await ask(endpoint, others)).code).toBe(40301)
  })

  it('after-loan 14: orders of another merchant do not exist', async () => {
    const kampala = await desk.officer({ limit: 'own_merchants', merchants: ['M1'] })
    expect(await numbers({}, kampala)).not.toContain(gulu)
    expect((await page({ merchantNo: ['M2'] }, kampala)).total).toBe(0)
    const calls: [Endpoint, object][] = [
      [repay.detail, { orderNo: gulu }],
      [repay.payCode, { orderNo: gulu }],
      [repay.trial, { orderNo: gulu, repayType: 'settle', flows: [] }],
      [repay.commit, { orderNo: gulu, repayType: 'settle', flows: [desk.typed('1.00')], version: 0, trialKey: 'x' }],
      [repay.reuseOverflow, { orderNo: gulu, version: 0, amount: '1.00' }],
    ]
    for (const [endpoint, input] of calls)
      expect((await desk.call(endpoint as typeof repay.detail, input as never, { as: kampala })).code).toBe(40401)
    const everybody = await desk.officer({ limit: 'own' })
    expect((await page({}, everybody)).total).toBe(0)
  })

  it('unknown keys and wrong types are refused', async () => {
    expect(
      (
        await desk.call(repay.trial, { orderNo: late, repayType: 'settle', flows: [], status: 'settled' } as never, {
          as: officer,
        })
      ).code,
    ).toBe(40001)
    expect(
      (await desk.call(repay.trial, { orderNo: late, repayType: 'gift', flows: [] } as never, { as: officer })).code,
    ).toBe(40001)
  })
})
