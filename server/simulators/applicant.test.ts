import type { ChildProcess } from 'node:child_process'
import { createHmac, randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Application } from '../../core/contract/order/intake.ts'
import { mtnMomo } from '../gateways/mtn-momo.ts'
import { payInFor, readMessage } from './applicant-life.ts'
import { end, type Heard, listen, startMomo, startProcess } from './testing.ts'

let stop: (() => unknown)[] = []
afterEach(async () => {
  for (const one of stop.splice(0).reverse()) await one()
  stop = []
})

describe('what a customer reads', () => {
  it('is the pay code and the amount', () => {
    expect(readMessage('Loan LC1: repay UGX 126,000 by 2026-12-04 with pay code 80012345')).toEqual({
      payCode: '80012345',
      amount: '126000.00',
    })
    expect(readMessage('Loan')).toEqual({ payCode: null, amount: null })
  })

  it('decides what is paid back', () => {
    const payout = { kind: 'payout', ref: 'r', counterparty: '256772000031', amount: '100000.00', message: '' }
    expect(payInFor(payout)).toMatchObject({
      reference: '256772000031',
      payer: '256772000031',
      amount: '110000.00',
      case: 'R01',
    })
    const message = 'Repay UGX 118,500 to pay code P8K2'
    expect(payInFor({ ...payout, message })).toMatchObject({ reference: 'P8K2', amount: '118500.00' })
  })
})

it('applicants apply with a valid signature, and pay back what they received', async () => {
  const momo = await startMomo()
  stop.push(() => momo.stop())
  const gateway = mtnMomo(momo.config)
  const intake = await listen(async (heard: Heard) => {
    const { payout, loanAmount } = Application.parse(JSON.parse(heard.body))
    await momo.scenario({ match: 'payee', value: payout.walletAccount, case: 'G01' })
    await gateway.send({
      externalId: 'LC1-1',
      gatewayRef: randomUUID(),
      amount: loanAmount,
      payee: payout,
      payerMessage: 'Loan LC1: repay UGX 126,000 with pay code 80012345',
    })
    return { code: 0, msg: 'OK', data: { orderNo: 'O1', orderStatus: 'machine_reviewing' } }
  })
  stop.push(() => intake.close())
  const env = {
    BASE: intake.url,
    MOMO: momo.baseUrl,
    MERCHANT_NO: 'M1',
    MERCHANT_SECRET: 's3cret',
    RATE: '300',
    COUNT: '2',
    SEED: '40',
    PRODUCTS: 'P7',
    REPAY_AFTER: '0',
  }
  const { child, line }: { child: ChildProcess; line: string } = await startProcess('simulator-applicant', env)
  stop.push(() => end(child))

  expect(JSON.parse(line)).toMatchObject({ applied: 'T00000040', answer: { code: 0 } })
  await vi.waitFor(() => expect(intake.heard).toHaveLength(2), { timeout: 60_000 })
  for (const { method, url, headers, body } of intake.heard) {
    expect([method, url, headers['x-merchant']]).toEqual(['POST', '/api/hc/web/open/order/apply', 'M1'])
    const timestamp = String(headers['x-timestamp'])
    expect(Math.abs(Date.now() - Number(timestamp))).toBeLessThan(30_000)
    expect(headers['x-signature']).toBe(createHmac('sha256', 's3cret').update(`${timestamp}.${body}`).digest('hex'))
    expect(Application.parse(JSON.parse(body)).productNo).toBe('P7')
  }
  await vi.waitFor(
    async () => {
      const paidBack = (await momo.truth('?externalId=80012345')).movements
      expect(paidBack.map(m => [m.kind, m.amount])).toEqual(Array(2).fill(['payIn', '126000.00']))
    },
    { timeout: 60_000 },
  )
})
