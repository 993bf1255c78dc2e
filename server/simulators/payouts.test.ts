import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Attempt, PayoutGateway } from '../gateways/gateway.ts'
import { mtnMomo } from '../gateways/mtn-momo.ts'
import { listen, type Momo, startMomo } from './testing.ts'

let momo: Momo
let gateway: PayoutGateway
let callbacks: Awaited<ReturnType<typeof listen>>
let n = 0

beforeAll(async () => {
  callbacks = await listen()
  momo = await startMomo({ callbackUrl: callbacks.url })
  gateway = mtnMomo(momo.config)
})
afterAll(async () => {
  await momo.stop()
  callbacks.close()
})

/** An attempt that meets the given case. */
const meeting = async (code: string, variant?: string): Promise<Attempt> => {
  n += 1
  const externalId = `LC${n}-1`
  await momo.scenario({ channel: 'mtn_momo', match: 'externalId', value: externalId, case: code, variant })
  return {
    externalId,
    gatewayRef: randomUUID(),
    amount: `${100_000 + n}.00`,
    payee: { walletAccount: '256772000031' },
    payerMessage: 'Loan',
  }
}

const movements = async ({ externalId }: Attempt) => (await momo.truth(`?externalId=${externalId}`)).movements
const amounts = async (attempt: Attempt) => (await movements(attempt)).map(m => [m.kind, m.amount])
const paidOnce = ({ amount }: Attempt) => [['payout', amount]]

type Callback = {
  externalId: string
  status: string
  amount: string
  financialTransactionId?: string
  payee: { partyId: string }
}
const callbacksOf = ({ externalId }: Attempt): Callback[] =>
  callbacks.heard.map(one => JSON.parse(one.body) as Callback).filter(body => body.externalId === externalId)
const statusesOf = async (attempt: Attempt, count: number) => {
  await vi.waitFor(() => expect(callbacksOf(attempt).length).toBeGreaterThanOrEqual(count), { timeout: 60_000 })
  return callbacksOf(attempt).map(body => body.status)
}

const success = async (attempt: Attempt) => {
  const [movement] = await movements(attempt)
  return { kind: 'success', serialNo: movement?.serialNo, amount: attempt.amount, payee: attempt.payee.walletAccount }
}

describe('payouts', () => {
  it('G01 succeed on the first query, with a callback', async () => {
    const attempt = await meeting('G01')
    expect(await gateway.send(attempt)).toEqual({ kind: 'accepted' })
    expect(await gateway.query(attempt)).toEqual(await success(attempt))
    expect(await amounts(attempt)).toEqual(paidOnce(attempt))
    expect(await statusesOf(attempt, 1)).toEqual(['SUCCESSFUL'])
    const heard = callbacks.heard.find(one => one.body.includes(`"${attempt.externalId}"`))
    expect(heard?.method).toBe('PUT')
    expect(gateway.parseCallback({}, heard?.body ?? '')).toMatchObject({ externalId: attempt.externalId })
  })

  it('G01 succeed without being asked within a second', async () => {
    const attempt = await meeting('G01')
    await gateway.send(attempt)
    await vi.waitFor(async () => expect(await amounts(attempt)).toEqual(paidOnce(attempt)), { timeout: 60_000 })
  })

  it('a reference that exists is not paid again', async () => {
    const attempt = await meeting('G01')
    await gateway.send(attempt)
    expect(await gateway.send(attempt)).toEqual({ kind: 'exists' })
    expect(await gateway.send({ ...attempt, amount: '5000.00' })).toEqual({ kind: 'exists' })
    await gateway.query(attempt)
    expect(await amounts(attempt)).toEqual(paidOnce(attempt))
  })

  it('G02 are pending until the third ask', async () => {
    const attempt = await meeting('G02')
    expect(await gateway.send(attempt)).toEqual({ kind: 'accepted' })
    await momo.clock(60)
    expect(await gateway.query(attempt)).toEqual({ kind: 'pending' })
    expect(await gateway.query(attempt)).toEqual({ kind: 'pending' })
    expect(await amounts(attempt)).toEqual([])
    expect(await gateway.query(attempt)).toEqual(await success(attempt))
    expect(await amounts(attempt)).toEqual(paidOnce(attempt))
  })

  it.each([
    ['PAYEE_NOT_FOUND', 'payee_invalid'],
    ['PAYEE_NOT_ALLOWED_TO_RECEIVE', 'payee_barred'],
    ['NOT_ALLOWED', 'config'],
    ['INTERNAL_PROCESSING_ERROR', 'other'],
    ['COULD_NOT_PERFORM_TRANSACTION', 'other'],
    ['A_REASON_OF_TOMORROW', 'other'],
  ])('G03 fail for good: %s', async (reason, failType) => {
    const attempt = await meeting('G03', reason)
    await gateway.send(attempt)
    expect(await gateway.query(attempt)).toEqual({
      kind: 'failure',
      failType,
      answerCode: reason,
      answerMessage: reason,
    })
    expect(await amounts(attempt)).toEqual([])
    expect(await statusesOf(attempt, 1)).toEqual(['FAILED'])
  })

  it('G04 are unknown when the line is cut after paying, and asking finds the one payment', async () => {
    const attempt = await meeting('G04')
    expect(await gateway.send(attempt)).toMatchObject({ kind: 'none' })
    expect(await amounts(attempt)).toEqual(paidOnce(attempt))
    expect(await gateway.query(attempt)).toEqual(await success(attempt))
    expect(await gateway.send(attempt)).toEqual({ kind: 'exists' })
    expect(await amounts(attempt)).toEqual(paidOnce(attempt))
  })

  it('G05 are unknown when the line is cut without paying, and asking finds the failure', async () => {
    const attempt = await meeting('G05')
    expect(await gateway.send(attempt)).toMatchObject({ kind: 'none' })
    expect(await gateway.query(attempt)).toMatchObject({ kind: 'failure', failType: 'other' })
    expect(await amounts(attempt)).toEqual([])
  })

  it('G06 are paid but not found for twenty minutes', async () => {
    const attempt = await meeting('G06')
    expect(await gateway.send(attempt)).toEqual({ kind: 'accepted' })
    expect(await gateway.query(attempt)).toEqual({ kind: 'notFound' })
    expect(await amounts(attempt)).toEqual(paidOnce(attempt))
    await momo.clock(19 * 60)
    expect(await gateway.query(attempt)).toEqual({ kind: 'notFound' })
    expect(await gateway.send(attempt)).toEqual({ kind: 'exists' })
    await momo.clock(60)
    expect(await gateway.query(attempt)).toEqual(await success(attempt))
    expect(await amounts(attempt)).toEqual(paidOnce(attempt))
  })

  it('G07 never arrive and are never found', async () => {
    const attempt = await meeting('G07')
    expect(await gateway.send(attempt)).toMatchObject({ kind: 'none' })
    expect(await gateway.query(attempt)).toEqual({ kind: 'notFound' })
    await momo.clock(25 * 3600)
    expect(await gateway.send(attempt)).toMatchObject({ kind: 'none' })
    expect(await gateway.query(attempt)).toEqual({ kind: 'notFound' })
    expect(await amounts(attempt)).toEqual([])
  })

  it.each(['G08', 'G09'])('%s fail and succeed an hour later', async code => {
    const attempt = await meeting(code)
    await gateway.send(attempt)
    expect(await gateway.query(attempt)).toMatchObject({ kind: 'failure', failType: 'other' })
    expect(await statusesOf(attempt, 1)).toEqual(['FAILED'])
    expect(await amounts(attempt)).toEqual([])
    await momo.clock(3601)
    expect(await gateway.query(attempt)).toEqual(await success(attempt))
    expect(await amounts(attempt)).toEqual(paidOnce(attempt))
    expect(await statusesOf(attempt, 2)).toEqual(['FAILED', 'SUCCESSFUL'])
  })

  it('G10 succeed, and a later callback claims a failure that a query denies', async () => {
    const attempt = await meeting('G10')
    await gateway.send(attempt)
    expect(await statusesOf(attempt, 2)).toEqual(['SUCCESSFUL', 'FAILED'])
    expect(await gateway.query(attempt)).toEqual(await success(attempt))
    expect(await amounts(attempt)).toEqual(paidOnce(attempt))
    const events = callbacks.heard
      .filter(one => one.body.includes(`"${attempt.externalId}"`))
      .map(one => gateway.parseCallback({}, one.body)?.eventId)
    expect(new Set(events).size).toBe(2)
  })

  it('G11 have five callbacks of one event', async () => {
    const attempt = await meeting('G11')
    await gateway.send(attempt)
    expect(await statusesOf(attempt, 5)).toEqual(Array(5).fill('SUCCESSFUL'))
    const events = callbacks.heard
      .filter(one => one.body.includes(`"${attempt.externalId}"`))
      .map(one => gateway.parseCallback({}, one.body)?.eventId)
    expect(new Set(events).size).toBe(1)
    expect(await amounts(attempt)).toEqual(paidOnce(attempt))
  })

  it('G12 have a callback before the answer to the send', async () => {
    const attempt = await meeting('G12')
    const sent = gateway.send(attempt).then(answer => ({ answer, callbacksBefore: callbacksOf(attempt).length }))
    expect(await sent).toEqual({ answer: { kind: 'accepted' }, callbacksBefore: 1 })
    expect(await gateway.query(attempt)).toEqual(await success(attempt))
    expect(await amounts(attempt)).toEqual(paidOnce(attempt))
  })

  it('G13 have callbacks with an unknown reference, another amount, another payee; a query states another amount', async () => {
    const attempt = await meeting('G13')
    const before = callbacks.heard.length
    await gateway.send(attempt)
    await statusesOf(attempt, 2)
    const bodies = callbacks.heard.slice(before).map(one => JSON.parse(one.body) as Callback)
    expect(bodies.some(body => body.externalId.startsWith('unknown-'))).toBe(true)
    expect(callbacksOf(attempt)[0]?.amount).not.toBe(attempt.amount.slice(0, -3))
    expect(callbacksOf(attempt)[1]?.payee.partyId).not.toBe(attempt.payee.walletAccount)
    const answer = await gateway.query(attempt)
    expect(answer).toMatchObject({ kind: 'success', amount: `${100_000 + n + 1000}.00` })
    expect(await amounts(attempt)).toEqual(paidOnce(attempt))
  })

  it('G14 are paid long before the answer, so that we may be dead by then', async () => {
    const attempt = await meeting('G14')
    const sent = gateway.send(attempt)
    await vi.waitFor(async () => expect(await amounts(attempt)).toEqual(paidOnce(attempt)))
    const afterRestart = mtnMomo(momo.config)
    expect(await afterRestart.query(attempt)).toEqual(await success(attempt))
    await momo.clock(10)
    expect(await sent).toEqual({ kind: 'accepted' })
    expect(callbacksOf(attempt)).toEqual([])
  })

  it.each(['500', 'html', 'empty', 'broken', 'late'])('G15 are unknown when the answer is %s', async variant => {
    const attempt = await meeting('G15', variant)
    const impatient = mtnMomo(momo.config, { timeoutMs: 400 })
    expect(await impatient.send(attempt)).toMatchObject({ kind: 'none' })
    expect(await impatient.query(attempt)).toMatchObject({ kind: 'none' })
    expect(await impatient.query(attempt)).toEqual(await success(attempt))
    expect(await amounts(attempt)).toEqual(paidOnce(attempt))
  })

  it.each(['429', '503'])('G16 are unknown after %s, not found, and the same reference goes again', async variant => {
    const attempt = await meeting('G16', variant)
    expect(await gateway.send(attempt)).toMatchObject({ kind: 'none', reason: `http ${variant}` })
    expect(await gateway.query(attempt)).toEqual({ kind: 'notFound' })
    expect(await gateway.send(attempt)).toEqual({ kind: 'accepted' })
    expect(await gateway.query(attempt)).toEqual(await success(attempt))
    expect(await amounts(attempt)).toEqual(paidOnce(attempt))
  })

  it('G17 survive the death of the token with the same reference', async () => {
    const attempt = await meeting('G17')
    expect(await gateway.send(attempt)).toEqual({ kind: 'accepted' })
    expect(await gateway.query(attempt)).toEqual(await success(attempt))
    expect(await amounts(attempt)).toEqual(paidOnce(attempt))
  })

  it('G17 fail by our set-up when every token is refused', async () => {
    const attempt = await meeting('G17', 'persistent')
    expect(await gateway.send(attempt)).toEqual({
      kind: 'failure',
      failType: 'config',
      answerCode: 'HTTP_401',
      answerMessage: 'Unauthorized',
    })
    expect(await gateway.query(attempt)).toEqual({ kind: 'notFound' })
    expect(await amounts(attempt)).toEqual([])
  })

  it.each([
    ['G18', 'our_balance'],
    ['G19', 'payee_limit'],
  ])('%s fail for want of money: %s', async (code, failType) => {
    const attempt = await meeting(code)
    await gateway.send(attempt)
    expect(await gateway.query(attempt)).toMatchObject({ kind: 'failure', failType, answerCode: 'NOT_ENOUGH_FUNDS' })
    expect(await amounts(attempt)).toEqual([])
    expect(await gateway.balance()).toBe((await momo.truth()).balances.disbursement)
  })

  it('fail for want of money when the account is really short, until it is topped up', async () => {
    const attempt = { ...(await meeting('G01')), amount: '900000000.00' }
    await gateway.send(attempt)
    expect(await gateway.query(attempt)).toMatchObject({ kind: 'failure', failType: 'our_balance' })
    expect(await amounts(attempt)).toEqual([])
    await momo.fund(900_000_000)
    const next = { ...(await meeting('G01')), amount: '900000000.00' }
    await gateway.send(next)
    expect(await gateway.query(next)).toMatchObject({ kind: 'success', amount: '900000000.00' })
  })

  it('G21 are pending for ever', async () => {
    const attempt = await meeting('G21')
    await gateway.send(attempt)
    for (let i = 0; i < 4; i += 1) {
      expect(await gateway.query(attempt)).toEqual({ kind: 'pending' })
      await momo.clock(86_400)
    }
    expect(await amounts(attempt)).toEqual([])
    expect(callbacksOf(attempt)).toEqual([])
  })

  it('G22 stand on the statement twice', async () => {
    const attempt = await meeting('G22')
    await gateway.send(attempt)
    await vi.waitFor(async () => expect(await amounts(attempt)).toEqual([...paidOnce(attempt), ...paidOnce(attempt)]))
    const { lines } = await momo.statement<{ lines: { narrative: string; serialNo: string }[] }>('account=disbursement')
    const own = lines.filter(line => line.narrative === `payout ${attempt.externalId}`)
    expect(new Set(own.map(line => line.serialNo)).size).toBe(2)
    expect(await gateway.query(attempt)).toEqual(await success(attempt))
  })

  it('G24 cost a different fee each', async () => {
    const attempts = [await meeting('G24'), await meeting('G24'), await meeting('G24')]
    const fees: string[] = []
    for (const attempt of attempts) {
      await gateway.send(attempt)
      await gateway.query(attempt)
      fees.push((await movements(attempt))[0]?.fee ?? '')
    }
    expect(new Set(fees).size).toBe(3)
    type Lines = {
      opening: string
      closing: string
      lines: { amount: string; fee: string; balance: string; direction: string }[]
    }
    const statement = await momo.statement<Lines>('account=disbursement')
    const total = statement.lines.reduce(
      (sum, line) => sum + (line.direction === 'in' ? 1 : -1) * Number(line.amount) - Number(line.fee),
      Number(statement.opening),
    )
    expect(total).toBe(Number(statement.closing))
    expect(statement.lines.at(-1)?.balance).toBe(statement.closing)
    for (const fee of fees) expect(statement.lines.some(line => line.fee === fee)).toBe(true)
  })

  it('G28 come back three days later', async () => {
    const attempt = await meeting('G28')
    await gateway.send(attempt)
    await statusesOf(attempt, 1)
    const before = await gateway.balance()
    await momo.clock(3 * 86_400)
    expect(await amounts(attempt)).toEqual([...paidOnce(attempt), ['return', attempt.amount]])
    expect(Number(await gateway.balance()) - Number(before)).toBe(Number(attempt.amount))
    expect(await gateway.query(attempt)).toEqual(await success(attempt))
  })
})
