import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import type { InputOf } from '../../../../core/contract/endpoint.ts'
import { text } from '../../../../core/i18n/server.ts'
import { formatMoney, type Money, money, neg, sub } from '../../../../core/rules/money.ts'
import { account, post } from '../../../money/ledger.ts'
import { system } from '../../../rights/actor.ts'
import { deskForTests } from '../../../testing/suites.ts'

const { repay } = contract

const { desk, officer } = await deskForTests()

let n = 0
const entered = (more: Partial<InputOf<typeof repay.flowSave>> = {}): InputOf<typeof repay.flowSave> => ({
  paymentCode: '7000000001',
  paymentChannel: 'mtn_momo',
  serialNo: `F${++n}`,
  amount: '1000.00',
  entryTime: desk.clock.now().toISOString(),
  fundAccountNo: 'FA1',
  payerName: 'Okello',
  ...more,
})
const save = (more = {}, as = officer) => desk.call(repay.flowSave, entered(more), { as })
const saved = async (more = {}) => (await save(more)).data.flowNo
const commit = (flowNo: string, version = 0, as = officer) => desk.call(repay.flowCommit, { flowNo, version }, { as })
const committed = async (more = {}) => {
  const flowNo = await saved(more)
  await commit(flowNo)
  return flowNo
}
/** A typed receipt that a second person has confirmed. */
const confirmed = async (more = {}) => {
  const flowNo = await committed(more)
  expect((await desk.confirm(officer, flowNo)).data).toMatchObject({ approvalStatus: 'executed' })
  return flowNo
}
const voided = (flowNo: string, version = 2) =>
  desk.call(repay.flowVoid, { flowNo, version, reason: 'wrong account' }, { as: officer })
const list = async (filters: Partial<InputOf<typeof repay.flows>> = {}, as = officer) =>
  (await desk.call(repay.flows, filters, { as })).data

describe('a flow typed in by hand', () => {
  it('is no money until it is committed and confirmed', async () => {
    const flowNo = await saved()
    expect(await desk.balance(`suspense:${flowNo}`)).toBe('0.00')
    const bank = await desk.balance('bank:FA1')
    expect((await commit(flowNo)).data).toEqual({ flowNo, flowStatus: 'unproven' })
    expect([await desk.balance(`suspense:${flowNo}`), await desk.balance('bank:FA1')]).toEqual(['0.00', bank])
    await desk.confirm(officer, flowNo)
    expect(await desk.balance(`suspense:${flowNo}`)).toBe('-1000.00')
    expect(Number(await desk.balance('bank:FA1')) - Number(bank)).toBe(1000)
    expect((await commit(flowNo, 2)).code).toBe(40901)
    expect(await desk.rows(sql`select action from audit_log where object_no = ${flowNo} order by audit_no`)).toEqual([
      { action: 'flow.save' },
      { action: 'flow.commit' },
      { action: 'flow.confirm' },
      { action: 'approval.approve' },
    ])
  })

  it('is deleted by who made it, and only before it counts', async () => {
    const flowNo = await saved()
    const other = await desk.officer()
    expect(await desk.call(repay.flowDelete, { flowNo, version: 0 }, { as: other })).toMatchObject({
      code: 40301,
      msg: text('en', 'errors.onlyMaker'),
    })
    expect((await desk.call(repay.flowDelete, { flowNo, version: 0 }, { as: officer })).data.flowStatus).toBe('void')
    const waiting = await committed()
    expect((await desk.call(repay.flowDelete, { flowNo: waiting, version: 1 }, { as: other })).code).toBe(40301)
    const gone = await desk.call(repay.flowDelete, { flowNo: waiting, version: 1 }, { as: officer })
    expect(gone.data.flowStatus).toBe('void')
    const counts = await confirmed()
    expect((await desk.call(repay.flowDelete, { flowNo: counts, version: 2 }, { as: officer })).code).toBe(40901)
  })

  it.each([
    ['an amount of nothing', { amount: '0.00' }, 'validation.writeOffIncomplete'],
    ['an amount that is none', { amount: '1e3' }, 'validation.moneyFormat'],
    ['a time to come', { entryTime: '2026-03-03T07:00:00Z' }, 'validation.dateInFuture'],
    ['an account of another channel', { paymentChannel: 'airtel_money' }, 'errors.noCollectionAccount'],
    ['an account that is not ours', { fundAccountNo: 'FA9' }, 'errors.noCollectionAccount'],
    ['no number', { serialNo: ' ' }, 'validation.serialEmpty'],
  ] as const)('is refused with %s', async (_, wrong, key) => {
    const before = await list()
    expect(await save(wrong)).toMatchObject({ code: 40001, msg: text('en', key) })
    expect((await list()).total).toBe(before.total)
  })

  it('is refused with a number that is known, void, or an order’s', async () => {
    const serialNo = 'ONCE'
    const flowNo = await saved({ serialNo })
    expect((await save({ serialNo })).msg).toBe(text('en', 'errors.serialKnown', { flowNo }))
    expect((await save({ serialNo, amount: '2.00' })).msg).toBe(
      text('en', 'errors.serialOtherAmount', { flowNo, known: '1000.00', given: '2.00' }),
    )
    await desk.call(repay.flowDelete, { flowNo, version: 0 }, { as: officer })
    expect((await save({ serialNo })).msg).toBe(text('en', 'errors.serialVoid', { flowNo }))
    const orderNo = await desk.order()
    expect((await save({ serialNo: orderNo })).msg).toBe('The serial number cannot be the order number')
  })

  it('is not committed without a pay code, or when somebody changed it', async () => {
    const flowNo = await saved({ paymentCode: undefined })
    expect(await commit(flowNo)).toMatchObject({
      code: 40001,
      msg: text('en', 'validation.writeOffIncomplete'),
      data: { fields: [{ path: 'paymentCode' }] },
    })
    expect((await commit(flowNo, 3)).code).toBe(40902)
    expect((await commit('FLNONE')).code).toBe(40401)
  })
})

describe('voiding a flow', () => {
  it('takes its receipt back once a second person agrees', async () => {
    const flowNo = await confirmed()
    const bank = await desk.balance('bank:FA1')
    const asked = await voided(flowNo)
    expect(await desk.balance(`suspense:${flowNo}`)).toBe('-1000.00')
    expect((await desk.agree(asked.data.approvalNo)).data).toMatchObject({
      approvalStatus: 'executed',
      summary: expect.arrayContaining([expect.objectContaining({ after: 'wrong account' })]),
    })
    expect(await desk.balance(`suspense:${flowNo}`)).toBe('0.00')
    expect(Number(bank) - Number(await desk.balance('bank:FA1'))).toBe(1000)
    expect((await list({ flowStatus: ['void'] })).list.map(flow => flow.flowNo)).toContain(flowNo)
  })

  it('is refused for a draft and for money that was used, also when it was used after asking', async () => {
    expect((await voided(await saved(), 0)).code).toBe(40901)
    const flowNo = await confirmed({ serialNo: 'VOIDME' })
    const orderNo = await desk.order()
    const asked = await voided(flowNo)
    await desk.pay(officer, {
      orderNo,
      repayType: 'partial',
      flows: [desk.typed('1000.00', { flowNo, serialNo: 'VOIDME', writeOffAmount: '400.00' })],
    })
    expect(await voided(flowNo, 3)).toMatchObject({ code: 40901, msg: text('en', 'errors.flowInUse') })
    expect((await desk.agree(asked.data.approvalNo)).data).toMatchObject({
      approvalStatus: 'failed',
      reason: text('en', 'errors.flowInUse'),
    })
  })

  it('is refused while its money has been paid on, and works once the account has it again', async () => {
    const flowNo = await confirmed()
    const move = (amount: Money) =>
      desk.db.withTx(tx => {
        const lines = [
          { account: account.bank('FA1'), amount },
          { account: account.ownerFunds('Nile Credit'), amount: neg(amount) },
        ]
        return post(tx, { code: 'P0', cause: 'fund_account:FA1', keys: {}, lines }, system('test'))
      })
    const away = sub(money(await desk.balance('bank:FA1')), money('999.99'))
    await move(neg(away))
    const [refused, waiting] = [await voided(flowNo), await desk.balance(`suspense:${flowNo}`)]
    expect((await desk.agree(refused.data.approvalNo)).data).toMatchObject({
      approvalStatus: 'failed',
      reason: text('en', 'errors.flowPaidOn', {
        fundAccountNo: 'FA1',
        balance: formatMoney(money('999.99')),
        amount: '1,000',
      }),
    })
    expect([await desk.balance('bank:FA1'), await desk.balance(`suspense:${flowNo}`)]).toEqual(['999.99', waiting])
    await move(away)
    expect((await desk.agree((await voided(flowNo)).data.approvalNo)).data.approvalStatus).toBe('executed')
  })
})

describe('the list of flows', () => {
  it('shows what is left, how old it is, and hides who paid', async () => {
    const flowNo = await confirmed({ serialNo: 'LISTED', entryTime: '2026-02-27T07:00:00Z' })
    await desk.exec(sql`update repay_flow set payer_account = '256771234567' where flow_no = ${flowNo}`)
    expect((await list({ serialNo: 'LISTED' })).list).toEqual([
      expect.objectContaining({
        flowNo,
        paymentChannel: 'mtn_momo',
        accountName: 'MTN payout',
        amount: '1000.00',
        remaining: '1000.00',
        payerName: 'Okello',
        payerAccount: '25********67',
        flowStatus: 'available',
        source: 'typed',
        orderNos: [],
        ageDays: 3,
        isrecord: false,
        waitReason: null,
        proof: 'person',
        pendingApproval: null,
        version: 2,
      }),
    ])
    expect((await list({ payerAccount: '256771234567' })).total).toBe(1)
    expect((await list({ amount: ['1000.01', null] })).total).toBe(0)
    expect((await list({ entryTime: ['2026-02-27', '2026-02-27'] })).list.map(flow => flow.flowNo)).toEqual([flowNo])
    expect((await list({ flowStatus: ['available'], source: ['callback'] })).total).toBe(0)
  })

  it('after-loan 14: shows the flows of the caller’s merchants only', async () => {
    const m2 = await desk.order({ merchantNo: 'M2', payCode: '7222222222' })
    const theirs = await committed({ paymentCode: '7222222222' })
    const gulu = await desk.officer({ limit: 'own_merchants', merchants: ['M2'] })
    expect((await list({}, gulu)).list.map(flow => flow.flowNo)).toEqual([theirs])
    const kampala = await desk.officer({ limit: 'own_merchants', merchants: ['M1'] })
    expect((await list({}, kampala)).list.map(flow => flow.flowNo)).not.toContain(theirs)
    expect((await desk.call(repay.flowVoid, { flowNo: theirs, version: 1, reason: 'x' }, { as: kampala })).code).toBe(
      40401,
    )
    expect((await desk.pay(kampala, { orderNo: m2, repayType: 'partial', flows: [desk.typed('10.00')] })).code).toBe(
      40401,
    )
  })
})

it('every call asks for its own right', async () => {
  const nobody = await desk.officer({ perms: [] })
  const calls = [repay.flows, repay.flowSave, repay.flowCommit, repay.flowConfirm, repay.flowDelete, repay.flowVoid]
  for (const endpoint of calls)
    expect((await desk.call(endpoint as typeof repay.flows, {}, { as: nobody })).code).toBe(40301)
  expect((await desk.call(repay.flows, {})).code).toBe(-10)
})
