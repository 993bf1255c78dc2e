import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { CollectGateway } from '../gateways/gateway.ts'
import { mtnMomoCollection } from '../gateways/mtn-momo-collection.ts'
import { type Heard, listen, type Momo, startMomo } from './testing.ts'

let momo: Momo
let gateway: CollectGateway
let callbacks: Awaited<ReturnType<typeof listen>>
let n = 0

beforeAll(async () => {
  callbacks = await listen()
  momo = await startMomo({ callbackUrl: `${callbacks.url}/api/hc/web/callback/pay/mtn_momo` })
  gateway = mtnMomoCollection(momo.config)
})
afterAll(async () => {
  await momo.stop()
  callbacks.close()
})

const payer = '256782000031'
const payIn = async (code: string, amount = '126000.00') => {
  n += 1
  const reference = `8001${n}`
  const before = callbacks.heard.length
  const answer = await momo.payIn({ account: 'collection', reference, payer, amount, case: code })
  return { ...answer, reference, amount, before }
}
type PaidIn = Awaited<ReturnType<typeof payIn>>

/** The callbacks of this payment: by its reference, or its pay code. */
const about = ({ before }: PaidIn): Heard[] => callbacks.heard.slice(before)
const heard = async (payment: PaidIn, count: number): Promise<Heard[]> => {
  await vi.waitFor(() => expect(about(payment).length).toBeGreaterThanOrEqual(count), { timeout: 60_000 })
  return about(payment)
}
const bodyOf = (one: Heard | undefined) => JSON.parse(one?.body ?? '{}') as Record<string, unknown>
const movements = async ({ referenceId }: PaidIn) => (await momo.truth(`?ref=${referenceId}`)).movements
const amounts = async (payment: PaidIn) => (await movements(payment)).map(m => [m.kind, m.amount])
type Lines = {
  lines: { serialNo: string; paymentCode: string; direction: string; amount: string; narrative: string }[]
}
const lines = async ({ reference }: PaidIn) =>
  (await momo.statement<Lines>('account=collection')).lines.filter(line => line.narrative.endsWith(reference))

const success = ({ referenceId: _ref, financialTransactionId, reference, amount }: PaidIn) => ({
  kind: 'success',
  serialNo: financialTransactionId,
  amount,
  payer,
  externalId: reference,
  time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
})

describe('what customers pay to a pay code', () => {
  it('R01 has a callback and a statement line, and a query states the truth', async () => {
    const payment = await payIn('R01')
    const [one] = await heard(payment, 1)
    expect([one?.method, one?.url]).toEqual(['POST', '/api/hc/web/callback/pay/mtn_momo'])
    expect(bodyOf(one)).toEqual({
      financialTransactionId: payment.financialTransactionId,
      externalId: payment.reference,
      amount: '126000',
      currency: 'UGX',
      payer: { partyIdType: 'MSISDN', partyId: payer },
      payeeNote: 'Loan repayment',
      status: 'SUCCESSFUL',
      referenceId: payment.referenceId,
    })
    const hint = gateway.parseCallback({}, one?.body ?? '')
    expect(hint).toMatchObject({ gatewayRef: payment.referenceId, externalId: payment.reference })
    expect(await gateway.query(hint?.gatewayRef ?? '')).toEqual(success(payment))
    expect(await amounts(payment)).toEqual([['payIn', '126000.00']])
    expect(await lines(payment)).toMatchObject([
      {
        serialNo: payment.financialTransactionId,
        paymentCode: payment.reference,
        direction: 'in',
        amount: '126000.00',
      },
    ])
  })

  it('R02 has two callbacks of one event, and both files have the one line', async () => {
    const payment = await payIn('R02')
    const events = (await heard(payment, 2)).map(one => gateway.parseCallback({}, one.body)?.eventId)
    expect(new Set(events).size).toBe(1)
    expect(await amounts(payment)).toHaveLength(1)
    expect(await lines(payment)).toEqual(await lines(payment))
    expect(await lines(payment)).toHaveLength(1)
  })

  it('R03 has a callback but no statement line', async () => {
    const payment = await payIn('R03')
    await heard(payment, 1)
    expect(await gateway.query(payment.referenceId)).toEqual(success(payment))
    expect(await amounts(payment)).toHaveLength(1)
    expect(await lines(payment)).toEqual([])
  })

  it('R04 has a statement line but no callback', async () => {
    const payment = await payIn('R04')
    const next = await payIn('R01')
    await heard(next, 1)
    expect(about(payment).map(one => bodyOf(one).externalId)).toEqual([next.reference])
    expect(await amounts(payment)).toHaveLength(1)
    expect(await lines(payment)).toHaveLength(1)
  })

  it('R05 has a mistyped pay code', async () => {
    const payment = await payIn('R05')
    const [one] = await heard(payment, 1)
    expect(bodyOf(one).externalId).not.toBe(payment.reference)
    expect(await gateway.query(payment.referenceId)).toMatchObject({
      kind: 'success',
      externalId: `${payment.reference}X`,
    })
    expect(await amounts(payment)).toHaveLength(1)
  })

  it('R06 has a callback with another amount than a query states', async () => {
    const payment = await payIn('R06')
    const [one] = await heard(payment, 1)
    expect(bodyOf(one).amount).toBe('127000')
    expect(await gateway.query(payment.referenceId)).toEqual(success(payment))
    expect(await amounts(payment)).toEqual([['payIn', '126000.00']])
  })

  it('R07 is forged: a callback for an unknown payment', async () => {
    const payment = await payIn('R07')
    const [one] = await heard(payment, 1)
    const hint = gateway.parseCallback({}, one?.body ?? '')
    expect(hint?.gatewayRef).toBe(payment.referenceId)
    expect(bodyOf(one).status).toBe('SUCCESSFUL')
    expect(await gateway.query(payment.referenceId)).toEqual({ kind: 'notFound' })
    expect(await amounts(payment)).toEqual([])
    expect(await lines(payment)).toEqual([])
  })

  it('R08 is taken back the next day', async () => {
    const payment = await payIn('R08')
    await heard(payment, 1)
    const before = Number((await momo.truth()).balances.collection)
    await momo.clock(86_400)
    expect(await amounts(payment)).toEqual([
      ['payIn', '126000.00'],
      ['reversal', '126000.00'],
    ])
    expect(await lines(payment)).toMatchObject([{ direction: 'out', narrative: `reversal ${payment.reference}` }])
    expect(Number((await momo.truth()).balances.collection)).toBe(before - 126_000)
  })

  it('R09 has the serial number of the payment before, with another amount', async () => {
    const first = await payIn('R01', '5000')
    const second = await payIn('R09', '7000.00')
    expect(second.financialTransactionId).toBe(first.financialTransactionId)
    expect(await gateway.query(second.referenceId)).toMatchObject({
      serialNo: first.financialTransactionId,
      amount: '7000.00',
    })
    expect(await amounts(second)).toEqual([['payIn', '7000.00']])
  })

  it('without a case is R01; without an amount, a reference or a payer it is refused', async () => {
    const paid = await momo.payIn({ reference: 'A', payer, amount: 1000 })
    expect(await gateway.query(paid.referenceId)).toMatchObject({ kind: 'success', amount: '1000.00' })
    for (const body of [
      { payer, amount: 5 },
      { reference: 'A', amount: 5 },
      { reference: 'A', payer },
      { reference: 'A', payer, amount: '1.50' },
      { reference: 'A', payer, amount: 5, case: 'R99' },
    ])
      await expect(momo.payIn(body)).rejects.toThrow('/_sim/pay-in')
  })

  it('stands in a file that spreadsheet programs read', async () => {
    const payment = await payIn('R01')
    const [head, ...rows] = (await momo.statementCsv('account=collection')).trimEnd().split('\r\n')
    expect(head).toBe('serialNo,entryTime,amount,direction,paymentCode,payerName,payerAccount,narrative,fee,balance')
    const row = rows.find(line => line.startsWith(payment.financialTransactionId ?? ' '))?.split(',')
    expect(row?.slice(2, 5)).toEqual(['126000.00', 'in', payment.reference])
    expect(row?.[1]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  })
})

describe('what we ask customers to pay', () => {
  const asked = async (code: string, variant?: string) => {
    const ref = randomUUID()
    await momo.scenario({ match: 'externalId', value: ref, case: code, variant })
    return ref
  }
  const moved = async (ref: string) => (await momo.truth(`?ref=${ref}`)).movements.map(m => [m.account, m.amount])

  it('G01 is paid into our collection account, with a callback', async () => {
    const ref = await asked('G01')
    expect(await gateway.requestToPay(ref, payer, '20000.00')).toEqual({ kind: 'accepted' })
    expect(await gateway.query(ref)).toMatchObject({ kind: 'success', amount: '20000.00', payer, externalId: ref })
    expect(await gateway.requestToPay(ref, payer, '20000.00')).toEqual({ kind: 'exists' })
    expect(await moved(ref)).toEqual([['collection', '20000.00']])
    await vi.waitFor(() =>
      expect(callbacks.heard.some(one => gateway.parseCallback({}, one.body)?.gatewayRef === ref)).toBe(true),
    )
  })

  it('G03 is refused by the customer or the network', async () => {
    const ref = await asked('G03', 'PAYEE_NOT_FOUND')
    await gateway.requestToPay(ref, payer, '20000.00')
    expect(await gateway.query(ref)).toEqual({
      kind: 'failure',
      answerCode: 'PAYER_NOT_FOUND',
      answerMessage: 'PAYER_NOT_FOUND',
    })
    expect(await moved(ref)).toEqual([])
  })

  it('G04 is unknown until asked for; G21 stays pending', async () => {
    const [cut, waiting] = [await asked('G04'), await asked('G21')]
    expect(await gateway.requestToPay(cut, payer, '20000.00')).toMatchObject({ kind: 'none' })
    expect(await gateway.query(cut)).toMatchObject({ kind: 'success' })
    expect(await moved(cut)).toHaveLength(1)
    await gateway.requestToPay(waiting, payer, '20000.00')
    expect(await gateway.query(waiting)).toEqual({ kind: 'pending' })
    expect(await moved(waiting)).toEqual([])
  })

  it('nobody knows what was never asked', async () => {
    expect(await gateway.query(randomUUID())).toEqual({ kind: 'notFound' })
  })
})
