import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runInvariants } from '../../invariants/invariants.ts'
import { payIns } from './pay-ins.ts'
import { channels, type Fixture, openFixture } from './wallet-fixture.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(async () => {
  // Orders of this fixture start out approved, so their history has no first row (V16b).
  const broken = await fixture.p.db.read(runInvariants)
  expect(broken.filter(({ name }) => name !== 'V16b')).toEqual([])
  await fixture.close()
})

describe.each(channels)('payments over %s', channel => {
  let pays: ReturnType<typeof payIns>
  let debt: { orderNo: string; payCode: string }
  beforeAll(async () => {
    pays = payIns(fixture, channel)
    debt = await pays.debtor(o => fixture.order(channel, o))
    await fixture.pass(60)
  })

  it('R01: a customer pays, and one flow is written off by itself', async () => {
    const before = Number(await pays.owed(debt.orderNo))
    const { financialTransactionId } = await pays.pay({
      reference: debt.payCode,
      payer: pays.stranger(),
      amount: 60_000,
    })
    expect(await pays.flowsOf(String(financialTransactionId))).toMatchObject([
      { channel, amount: '60000.00', flowStatus: 'exhausted', waitReason: null },
    ])
    expect(Number(await pays.owed(debt.orderNo))).toBeLessThan(before)
  })

  it('R02: the same news twice is one flow', async () => {
    const { referenceId, financialTransactionId } = await pays.pay({
      reference: debt.payCode,
      payer: pays.stranger(),
      amount: 10_000,
      case: 'R02',
    })
    expect(await pays.flowsOf(String(financialTransactionId))).toHaveLength(1)
    expect(await pays.events(referenceId)).toMatchObject([{ deliveries: 2 }])
  })

  it('R03: what never stands on a statement is booked all the same', async () => {
    const { financialTransactionId } = await pays.pay({
      reference: debt.payCode,
      payer: pays.stranger(),
      amount: 10_000,
      case: 'R03',
    })
    expect(await pays.flowsOf(String(financialTransactionId))).toMatchObject([{ amount: '10000.00' }])
  })

  it('R05: a wrong reference leaves the flow available, and nothing is written off', async () => {
    const before = await pays.owed(debt.orderNo)
    const { financialTransactionId } = await pays.pay({
      reference: debt.payCode,
      payer: pays.stranger(),
      amount: 10_000,
      case: 'R05',
    })
    expect(await pays.flowsOf(String(financialTransactionId))).toMatchObject([
      { amount: '10000.00', flowStatus: 'available', waitReason: 'no_match' },
    ])
    expect(await pays.owed(debt.orderNo)).toBe(before)
  })

  it('R05: the phone of a stranger as well', async () => {
    const stranger = pays.stranger()
    const { financialTransactionId } = await pays.pay({ reference: stranger, payer: stranger, amount: 10_000 })
    expect(await pays.flowsOf(String(financialTransactionId))).toMatchObject([
      { flowStatus: 'available', waitReason: 'no_match' },
    ])
  })

  it('R06: the amount of our query is booked, whatever the callback said', async () => {
    const { referenceId, financialTransactionId } = await pays.pay({
      reference: debt.payCode,
      payer: pays.stranger(),
      amount: 10_000,
      case: 'R06',
    })
    expect(await pays.flowsOf(String(financialTransactionId))).toMatchObject([{ amount: '10000.00' }])
    const items = await pays.itemsOf(String(financialTransactionId))
    // The callbacks of Airtel Money carry no amount: what a stranger writes into the text fails the signature.
    if (channel === 'mtn_momo')
      expect(items).toEqual([{ reconKind: 'amount_differs', amount: '10000.00', difference: '1000.00' }])
    else {
      expect(items).toEqual([])
      expect(await pays.events(referenceId)).toMatchObject([{ suspicions: ['callback.signature'] }])
    }
  })

  it('R07: a forged callback books nothing and is noted as suspicious', async () => {
    const before = await fixture.bothBalances(channel)
    const { referenceId } = await pays.pay({
      reference: debt.payCode,
      payer: pays.stranger(),
      amount: 10_000,
      case: 'R07',
    })
    const [event] = await pays.events(referenceId)
    expect(event?.outcome).toBe('forged')
    expect(event?.suspicions).toContain('callback.forged')
    expect(await fixture.bothBalances(channel)).toEqual(before)
  })

  it('R09: the same number on the same network with another amount is refused, and both amounts are shown', async () => {
    const first = await pays.pay({ reference: debt.payCode, payer: pays.stranger(), amount: 20_000 })
    const serialNo = String(first.financialTransactionId)
    await pays.pay({ reference: debt.payCode, payer: pays.stranger(), amount: 25_000, case: 'R09' })
    expect(await pays.flowsOf(serialNo)).toMatchObject([{ amount: '20000.00' }])
    expect(await pays.itemsOf(serialNo)).toEqual([
      { reconKind: 'amount_differs', amount: '20000.00', difference: '5000.00' },
    ])
  })

  it('what was booked is what the network did, to the shilling', async () => {
    const { ledger, truth } = await fixture.bothBalances(channel)
    const { movements } = await pays.network.truth()
    const refused = movements.filter(({ code }) => code === 'R09').map(({ amount }) => Number(amount))
    expect(Number(truth) - Number(ledger)).toBe(refused.reduce((total, amount) => total + amount, 0))
  })
})

it('R09: the same number on two networks is two flows', async () => {
  const [mtn, airtel] = [payIns(fixture, 'mtn_momo'), payIns(fixture, 'airtel_money')]
  const serialNo = 'TWICE1'
  for (const pays of [mtn, airtel])
    await pays.pay({ reference: '7999999999', payer: pays.stranger(), amount: 5000, serialNo })
  expect((await mtn.flowsOf(serialNo)).map(({ channel }) => channel)).toEqual(['airtel_money', 'mtn_momo'])
})
