import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { type Airtel, type Momo, startAirtel, startMomo } from '../simulators/testing.ts'
import { airtelMoney } from './airtel-money.ts'
import { airtelMoneyCollection } from './airtel-money-collection.ts'
import { GatewayUnavailable } from './gateway.ts'
import { mtnMomo } from './mtn-momo.ts'
import { mtnMomoCollection } from './mtn-momo-collection.ts'
import { readStatement, type WrittenLine } from './statement-read.ts'

const date = '2026-03-02'
const reply = { kind: 'http', status: 200, body: {} } as const
const line: WrittenLine = { serialNo: 'MP1', amount: '-5000', time: '2026-03-02T20:59:59Z', lineKind: 'payment' }
const written = { opening: '6000', closing: '1000', currency: 'UGX', lines: [line] }

describe('a statement', () => {
  it('is read with signed amounts and instants', () => {
    expect(readStatement(reply, date, written)).toEqual({
      opening: '6000.00',
      closing: '1000.00',
      lines: [
        {
          serialNo: 'MP1',
          direction: 'out',
          amount: '5000.00',
          time: '2026-03-02T20:59:59.000Z',
          lineKind: 'payment',
          reference: null,
          relatesTo: null,
          payerAccount: null,
          narrative: null,
        },
      ],
    })
  })

  test.each<[string, object]>([
    ['another currency', { currency: 'USD' }],
    ['no opening balance', { opening: '' }],
    ['no lines', { lines: undefined }],
    ['a line of an unknown kind', { lines: [line, { ...line, lineKind: undefined }] }],
    ['a line without a number', { lines: [{ ...line, serialNo: '' }] }],
    ['an amount that is none', { lines: [{ ...line, amount: '1e3' }] }],
    ['a line of the day after, in Kampala', { lines: [{ ...line, time: '2026-03-02T21:00:00Z' }] }],
    ['no time', { lines: [{ ...line, time: 'yesterday' }] }],
  ])('with %s is none', (_, other) => {
    expect(() => readStatement(reply, date, { ...written, ...other })).toThrow(GatewayUnavailable)
  })
})

describe('the statements of the networks', () => {
  let momo: Momo
  let airtel: Airtel
  beforeAll(async () => {
    ;[momo, airtel] = await Promise.all([startMomo(), startAirtel()])
  })
  afterAll(() => Promise.all([momo.stop(), airtel.stop()]))
  const today = () => new Date(Date.now() + 3 * 3_600_000).toISOString().slice(0, 10)

  it.each(['mtn_momo', 'airtel_money'] as const)('%s tells both accounts with what customers paid', async channel => {
    const network = channel === 'mtn_momo' ? momo : airtel
    const [payout, collect] =
      channel === 'mtn_momo'
        ? [mtnMomo(momo.config), mtnMomoCollection(momo.config)]
        : [airtelMoney(airtel.config), airtelMoneyCollection(airtel.config)]
    const paying = await payout.statement?.(today())
    expect(paying).toMatchObject({ opening: '0.00', closing: '100000000.00' })
    expect(paying?.lines).toMatchObject([{ direction: 'in', lineKind: 'payment', payerAccount: null }])

    const payer = '256750000011'
    const written = await network.payIn({ reference: '7000000001', payer, amount: 5000, case: 'R08' })
    await network.clock(1)
    const receiving = await collect.statement?.(today())
    expect(receiving).toMatchObject({ opening: '0.00', closing: '5000.00' })
    const serialNo = written.financialTransactionId
    expect(receiving?.lines).toMatchObject([
      { serialNo, direction: 'in', amount: '5000.00', reference: '7000000001', payerAccount: payer, relatesTo: null },
    ])

    await network.clock(86_400)
    const next = new Date(Date.parse(today()) + 86_400_000).toISOString().slice(0, 10)
    const after = await collect.statement?.(next)
    expect(after).toMatchObject({ opening: '5000.00', closing: '0.00' })
    expect(after?.lines).toMatchObject([
      { direction: 'out', lineKind: 'reversal', amount: '5000.00', relatesTo: serialNo },
    ])
    expect(after?.lines[0]?.serialNo).not.toBe(serialNo)
  })

  it('says nothing to a caller without a valid key', async () => {
    const gateway = mtnMomo({ ...momo.config, apiKey: 'wrong' })
    await expect(gateway.statement?.(today())).rejects.toThrow(GatewayUnavailable)
  })
})
