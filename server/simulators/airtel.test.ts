import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { airtelMoney } from '../gateways/airtel-money.ts'
import { airtelMoneyCollection } from '../gateways/airtel-money-collection.ts'
import { type Attempt, type CollectGateway, type PayoutGateway, refOf } from '../gateways/gateway.ts'
import { nameOf } from './people.ts'
import { type Airtel, listen, startAirtel } from './testing.ts'

let airtel: Airtel
let gateway: PayoutGateway
let collection: CollectGateway
let callbacks: Awaited<ReturnType<typeof listen>>
let n = 0

beforeAll(async () => {
  callbacks = await listen()
  airtel = await startAirtel({ callbackUrl: callbacks.url })
  gateway = airtelMoney(airtel.config, { timeoutMs: 2000 })
  collection = airtelMoneyCollection(airtel.config, { timeoutMs: 2000 })
})
afterAll(async () => {
  await airtel.stop()
  callbacks.close()
})

const meeting = async (code: string, variant?: string, walletAccount = '256750000031'): Promise<Attempt> => {
  n += 1
  const externalId = `LC260302ABCD${String(n).padStart(4, '0')}-1`
  const gatewayRef = refOf('airtel_money', externalId)
  await airtel.scenario({ match: 'externalId', value: gatewayRef, case: code, variant })
  return { externalId, gatewayRef, amount: `${100_000 + n}.00`, payee: { walletAccount }, payerMessage: 'Loan' }
}
const movements = async ({ gatewayRef }: Attempt) => (await airtel.truth(`?ref=${gatewayRef}`)).movements
const amounts = async (attempt: Attempt) => (await movements(attempt)).map(m => [m.kind, m.amount])
const paidOnce = ({ amount }: Attempt) => [['payout', amount]]
const success = async (attempt: Attempt) => ({
  kind: 'success',
  serialNo: (await movements(attempt))[0]?.serialNo,
  amount: attempt.amount,
  payee: attempt.payee.walletAccount,
})
const hintsOf = (ref: string) =>
  callbacks.heard.flatMap(({ body }) => {
    const hint = gateway.parseCallback({}, body)
    return hint?.gatewayRef === ref ? [hint] : []
  })

describe('payouts', () => {
  it('G01 succeed, with a well-signed callback', async () => {
    const attempt = await meeting('G01', 'later')
    expect(await gateway.send(attempt)).toEqual({ kind: 'accepted' })
    expect(await gateway.query(attempt)).toEqual(await success(attempt))
    expect(await amounts(attempt)).toEqual(paidOnce(attempt))
    await vi.waitFor(() => expect(hintsOf(attempt.gatewayRef)).toHaveLength(1), { timeout: 60_000 })
    const { serialNo } = (await movements(attempt))[0] ?? {}
    expect(hintsOf(attempt.gatewayRef)[0]).toMatchObject({ signature: 'good', proved: { kind: 'success', serialNo } })
  })

  it('G01 succeed in the answer to the send', async () => {
    const attempt = await meeting('G01', 'atOnce')
    const answer = await gateway.send(attempt)
    const { serialNo } = (await movements(attempt))[0] ?? {}
    expect(answer).toEqual({ kind: 'success', serialNo })
  })

  it('a reference that exists is not paid again, whichever code says so', async () => {
    const attempt = await meeting('G02')
    await gateway.send(attempt)
    expect(await gateway.send(attempt)).toEqual({ kind: 'exists' })
    for (let i = 0; i < 3; i += 1) await gateway.query(attempt)
    expect(await gateway.send({ ...attempt, amount: '5000.00' })).toEqual({ kind: 'exists' })
    expect(await amounts(attempt)).toEqual(paidOnce(attempt))
  })

  it.each([
    ['DP00900001003', 'payee_limit'],
    ['DP00900001004', 'amount_limit'],
    ['DP00900001005', 'other'],
    ['DP00900001007', 'our_balance'],
    ['DP00900001009', 'payee_invalid'],
    ['DP00900001010', 'payee_barred'],
    ['DP00900001012', 'payee_invalid'],
    ['DP00900001013', 'other'],
    ['DP00900001018', 'config'],
    ['DP00900001099', 'other'],
  ])('G03 fail for good: %s', async (code, failType) => {
    const attempt = await meeting('G03', code)
    await gateway.send(attempt)
    const answer = { kind: 'failure', failType, answerCode: code, answerMessage: code }
    expect(await gateway.query(attempt)).toEqual(answer)
    expect(await amounts(attempt)).toEqual([])
    await vi.waitFor(() => expect(hintsOf(attempt.gatewayRef)).toHaveLength(1), { timeout: 60_000 })
    expect(hintsOf(attempt.gatewayRef)[0]).toMatchObject({
      signature: 'good',
      proved: { kind: 'failure', failType, answerCode: code },
    })
  })

  it('G04 are unknown when the line is cut after paying, and asking finds the one payment', async () => {
    const attempt = await meeting('G04')
    expect(await gateway.send(attempt)).toMatchObject({ kind: 'none' })
    expect(await gateway.query(attempt)).toEqual(await success(attempt))
    expect(await amounts(attempt)).toEqual(paidOnce(attempt))
  })

  it('G06 are paid but not found for twenty minutes', async () => {
    const attempt = await meeting('G06')
    await gateway.send(attempt)
    expect(await gateway.query(attempt)).toEqual({ kind: 'notFound' })
    await airtel.clock(20 * 60)
    expect(await gateway.query(attempt)).toEqual(await success(attempt))
  })

  it('G07 never arrive', async () => {
    const attempt = await meeting('G07')
    expect(await gateway.send(attempt)).toMatchObject({ kind: 'none' })
    expect(await gateway.query(attempt)).toEqual({ kind: 'notFound' })
  })

  it('G13 get callbacks from strangers, and a query states another amount', async () => {
    const attempt = await meeting('G13')
    await gateway.send(attempt)
    expect(await gateway.query(attempt)).toMatchObject({
      kind: 'success',
      amount: `${Number(attempt.amount) + 1000}.00`,
    })
    await vi.waitFor(() => expect(hintsOf(attempt.gatewayRef)).toHaveLength(2), { timeout: 60_000 })
    for (const hint of hintsOf(attempt.gatewayRef)) {
      expect(hint.signature).toBe('wrong')
      expect(hint.proved).toBeUndefined()
    }
  })

  it.each(['500', 'html', 'empty', 'broken'])('G15 are unknown when the answer is %s', async variant => {
    const attempt = await meeting('G15', variant)
    expect(await gateway.send(attempt)).toMatchObject({ kind: 'none' })
    expect(await gateway.query(attempt)).toMatchObject({ kind: 'none' })
    expect(await gateway.query(attempt)).toEqual(await success(attempt))
  })

  it.each(['429', '503'])('G16 are unknown when the network is busy: %s', async variant => {
    const attempt = await meeting('G16', variant)
    expect(await gateway.send(attempt)).toEqual({ kind: 'none', reason: `http ${variant}` })
    expect(await gateway.query(attempt)).toEqual({ kind: 'notFound' })
  })

  it('G17 go on with a new token, and are refused when none is good', async () => {
    const once = await meeting('G17', 'once')
    expect(await gateway.send(once)).toEqual({ kind: 'accepted' })
    expect(await gateway.query(once)).toEqual(await success(once))
    const never = await meeting('G17', 'persistent')
    expect(await gateway.send(never)).toMatchObject({ kind: 'failure', failType: 'config', answerCode: 'HTTP_401' })
    expect(await amounts(never)).toEqual([])
  })

  it.each([
    ['TS', 'success'],
    ['TF', 'failure'],
  ])('G20 are ambiguous, then %s', async (variant, kind) => {
    const attempt = await meeting('G20', variant)
    await gateway.send(attempt)
    expect(await gateway.query(attempt)).toEqual({ kind: 'pending' })
    expect(await gateway.query(attempt)).toEqual({ kind: 'pending' })
    expect(await gateway.query(attempt)).toMatchObject({ kind })
  })

  it('fail for want of our own money', async () => {
    const attempt = { ...(await meeting('G04')), amount: '900000000.00' }
    await gateway.send(attempt)
    expect(await gateway.query(attempt)).toMatchObject({ kind: 'failure', failType: 'our_balance' })
  })

  it('with another PIN, or a key that is not the network’s, move nothing', async () => {
    const attempt = await meeting('G01', 'atOnce')
    const wrongPin = airtelMoney({ ...airtel.config, pin: '9999' })
    expect(await wrongPin.send(attempt)).toMatchObject({ kind: 'none', reason: 'http 400' })
    const stranger = await startAirtel()
    const wrongKey = airtelMoney({ ...airtel.config, publicKey: stranger.config.publicKey })
    await stranger.stop()
    expect(await wrongKey.send(attempt)).toMatchObject({ kind: 'none', reason: 'http 400' })
    expect(await amounts(attempt)).toEqual([])
  })
})

describe('what moves nothing', () => {
  it('tells who holds an account, as the last digit of the number says', async () => {
    expect(await gateway.verifyHolder('256750000031')).toEqual({ name: nameOf('256750000031') })
    expect(await gateway.verifyHolder('256750000039')).toBeNull()
    await airtel.holder('256750000032', 'Sarah Nakato')
    expect(await gateway.verifyHolder('256750000032')).toEqual({ name: 'Sarah Nakato' })
  })

  it('tells what we own', async () => {
    expect(await gateway.balance()).toBe((await airtel.truth()).balances.disbursement)
  })

  it('outlives its token', async () => {
    await airtel.clock(181)
    expect(await gateway.balance()).toMatch(/\.00$/)
  })
})

describe('payments to us', () => {
  it('that were asked for arrive, once', async () => {
    const ref = randomUUID()
    await airtel.scenario({ match: 'next', case: 'G01', variant: 'later' })
    expect(await collection.requestToPay(ref, '256750000041', '5000.00')).toEqual({ kind: 'accepted' })
    expect(await collection.requestToPay(ref, '256750000041', '5000.00')).toMatchObject({ kind: 'none' })
    expect(await collection.query(ref)).toMatchObject({ kind: 'success', amount: '5000.00', payer: '256750000041' })
    expect((await airtel.truth(`?ref=${refOf('airtel_money', ref)}`)).movements).toHaveLength(1)
  })

  it('that the customer could not make fail', async () => {
    const ref = randomUUID()
    await airtel.scenario({ match: 'next', case: 'G19' })
    await collection.requestToPay(ref, '256750000041', '5000.00')
    expect(await collection.query(ref)).toMatchObject({ kind: 'failure', answerCode: 'DP00800001003' })
  })

  it('that customers make by themselves get a callback, and a query states payer, amount and reference', async () => {
    const { referenceId, financialTransactionId } = await airtel.payIn({
      reference: '7000000001',
      payer: '256750000042',
      amount: 126_500,
    })
    const hint = await vi.waitFor(
      () => {
        const [first] = hintsOf(referenceId)
        expect(first).toBeDefined()
        return first
      },
      { timeout: 60_000 },
    )
    expect(await collection.query(String(hint?.gatewayRef))).toMatchObject({
      kind: 'success',
      serialNo: financialTransactionId,
      amount: '126500.00',
      payer: '256750000042',
      externalId: '7000000001',
    })
  })

  it('R07 that never were are known to nobody', async () => {
    const { referenceId } = await airtel.payIn({ reference: '1', payer: '256750000042', amount: 5000, case: 'R07' })
    await vi.waitFor(() => expect(hintsOf(referenceId)).toHaveLength(1), { timeout: 60_000 })
    expect(hintsOf(referenceId)[0]?.signature).toBe('wrong')
    expect(await collection.query(referenceId)).toEqual({ kind: 'notFound' })
  })
})

it('without a key its callbacks carry no signature', async () => {
  const heard = await listen()
  const unsigned = await startAirtel({ callbackUrl: heard.url, signed: false })
  await unsigned.payIn({ reference: '1', payer: '256750000042', amount: 5000 })
  await vi.waitFor(() => expect(heard.heard).toHaveLength(1), { timeout: 60_000 })
  const hint = airtelMoney(unsigned.config).parseCallback({}, heard.heard[0]?.body ?? '')
  expect(hint).toMatchObject({ claim: 'success' })
  expect(hint?.signature).toBeUndefined()
  await unsigned.stop()
  heard.close()
})
