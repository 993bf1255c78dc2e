import { describe, expect, it, test } from 'vitest'
import {
  collectCodes,
  payoutCodes,
  readCollect,
  readQuery,
  readRequest,
  readSend,
  statusOutcomes,
} from './airtel-outcomes.ts'

const http = (status: number, body?: unknown) => ({ kind: 'http' as const, status, body })
type Reply = { word?: string; code?: string; message?: string; transaction?: object }
const answer = ({ word, code, message, transaction }: Reply) =>
  http(200, {
    data: { transaction: { id: 'LC1', ...(word ? { status: word } : {}), ...transaction } },
    status: { code: '200', success: true, ...(code ? { response_code: code } : {}), ...(message ? { message } : {}) },
  })
const code = (n: number) => `DP00900001${String(n).padStart(3, '0')}`
const collectCode = (n: number) => `DP00800001${String(n).padStart(3, '0')}`
const paid = { airtel_money_id: 'MP260302.1010.L000001', amount: '120000', msisdn: '750000031' }
const success = { kind: 'success', serialNo: paid.airtel_money_id, amount: '120000.00', payee: '256750000031' }

const failures: [number, string][] = [
  [3, 'payee_limit'],
  [4, 'amount_limit'],
  [5, 'other'],
  [7, 'our_balance'],
  [9, 'payee_invalid'],
  [10, 'payee_barred'],
  [12, 'payee_invalid'],
  [13, 'other'],
  [16, 'config'],
  [18, 'config'],
]

describe('the tables', () => {
  it('have these rows and no others', () => {
    expect(statusOutcomes).toEqual({ TS: 'success', TF: 'failure', TIP: 'pending', TA: 'pending' })
    expect(Object.keys(payoutCodes)).toEqual([0, 1, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18].map(code))
    expect(Object.keys(collectCodes)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 24, 25, 29].map(collectCode))
  })
})

describe('the answer to a send', () => {
  test.each([0, 6, 14])('…%i is accepted', n => {
    expect(readSend(answer({ code: code(n) }))).toEqual({ kind: 'accepted' })
  })

  test.each(['TIP', 'TA'])('%s is accepted', word => {
    expect(readSend(answer({ word }))).toEqual({ kind: 'accepted' })
  })

  test.each([11, 17])('…%i means that the reference exists', n => {
    expect(readSend(answer({ code: code(n) }))).toEqual({ kind: 'exists' })
  })

  it('is a success with the number of the network, and unknown without', () => {
    expect(readSend(answer({ word: 'TS', code: code(1), transaction: paid }))).toEqual({
      kind: 'success',
      serialNo: paid.airtel_money_id,
    })
    expect(readSend(answer({ word: 'TS', code: code(1) })).kind).toBe('none')
  })

  test.each(failures)('…%i is a failure: %s', (n, failType) => {
    expect(readSend(answer({ code: code(n), message: 'Said so' }))).toEqual({
      kind: 'failure',
      failType,
      answerCode: code(n),
      answerMessage: 'Said so',
    })
  })

  it('that nothing was found is unknown: we did not ask', () => {
    expect(readSend(answer({ code: code(15) }))).toEqual({ kind: 'none', reason: code(15) })
  })

  test.each([401, 403])('%i after the token was renewed means that the channel refuses us', status => {
    const refused = { kind: 'failure', failType: 'config', answerCode: `HTTP_${status}` }
    expect(readSend(http(status, { error: 'invalid_token' }))).toEqual({ ...refused, answerMessage: 'invalid_token' })
    expect(readSend(http(status))).toEqual({ ...refused, answerMessage: 'Access denied' })
  })
})

describe('the answer to a query', () => {
  test.each([0, 6, 14])('…%i is pending', n => {
    expect(readQuery(answer({ code: code(n) }))).toEqual({ kind: 'pending' })
  })

  it('…15 is not found, also with http 404', () => {
    const body = { status: { response_code: code(15) } }
    expect(readQuery(http(200, body))).toEqual({ kind: 'notFound' })
    expect(readQuery(http(404, body))).toEqual({ kind: 'notFound' })
    expect(readQuery(http(404, {})).kind).toBe('none')
  })

  test.each([11, 17, 2, 8, 99])('…%i is unknown', n => {
    expect(readQuery(answer({ code: code(n), transaction: paid })).kind).toBe('none')
  })

  it('is a success by its word, by its code, or by both', () => {
    for (const reply of [{ word: 'TS' }, { code: code(1) }, { word: 'TS', code: code(1) }])
      expect(readQuery(answer({ ...reply, transaction: paid }))).toEqual(success)
  })

  it('is a success without amount and payee, as the provider tells it', () => {
    const { airtel_money_id } = paid
    const serial = { kind: 'success', serialNo: airtel_money_id }
    expect(readQuery(answer({ word: 'TS', transaction: { airtel_money_id } }))).toEqual(serial)
  })

  test.each([[{ airtel_money_id: undefined }], [{ airtel_money_id: '' }], [{ amount: '-5' }], [{ amount: 'much' }]])(
    'is unknown when a success comes with %j',
    wrong => {
      expect(readQuery(answer({ word: 'TS', transaction: { ...paid, ...wrong } }))).toEqual({
        kind: 'none',
        reason: 'success without its facts',
      })
    },
  )

  test.each(failures)('TF …%i is a final failure: %s', (n, failType) => {
    expect(readQuery(answer({ word: 'TF', code: code(n) }))).toMatchObject({ kind: 'failure', failType })
  })

  it('TF is final whatever the reason', () => {
    const unheard = { kind: 'failure', failType: 'other', answerCode: code(99), answerMessage: code(99) }
    expect(readQuery(answer({ word: 'TF', code: code(99) }))).toEqual(unheard)
    expect(readQuery(answer({ word: 'TF' }))).toMatchObject({ failType: 'other', answerCode: 'TF' })
  })

  test.each([
    ['TF', 1],
    ['TF', 0],
    ['TF', 17],
    ['TS', 5],
    ['TS', 15],
    ['TS', 99],
    ['TIP', 5],
    ['TA', 1],
    ['TX', 1],
    ['toString', 1],
  ])('%s with …%i contradicts itself, or is unheard of, and is unknown', (word, n) => {
    expect(readQuery(answer({ word, code: code(n), transaction: paid }))).toEqual({
      kind: 'none',
      reason: `${word} ${code(n)}`,
    })
  })

  test.each([undefined, null, [], 'TS', 7, {}])('body %j is unknown', body => {
    expect(readQuery(http(200, body))).toEqual({ kind: 'none', reason: 'unreadable' })
  })

  test.each([201, 202, 204, 301, 400, 401, 403, 408, 429, 500, 502, 503])(
    'http %i is unknown, also with an end inside',
    status => {
      for (const n of [1, 5, 15])
        expect(readQuery(http(status, { status: { response_code: code(n) } }))).toEqual({
          kind: 'none',
          reason: `http ${status} ${code(n)}`,
        })
    },
  )

  it('is unknown without an answer', () => {
    expect(readQuery({ kind: 'none', reason: 'timeout' })).toEqual({ kind: 'none', reason: 'timeout' })
    expect(readSend({ kind: 'none', reason: 'timeout' })).toEqual({ kind: 'none', reason: 'timeout' })
  })
})

describe('the answer about a payment to us', () => {
  const at = '2026-11-20T08:00:00.000Z'
  const reply = { ...paid, reference: '7000000001' }

  it('tells who paid what for which pay code, and when', () => {
    const transaction = { ...reply, completed_at: '2026-11-20T10:30:00+03:00' }
    expect(readCollect(answer({ word: 'TS', code: collectCode(1), transaction }), at)).toEqual({
      kind: 'success',
      serialNo: paid.airtel_money_id,
      amount: '120000.00',
      payer: '256750000031',
      externalId: '7000000001',
      time: '2026-11-20T07:30:00.000Z',
    })
    expect(readCollect(answer({ word: 'TS', transaction: reply }), at)).toMatchObject({ time: at })
  })

  test.each(['airtel_money_id', 'amount', 'msisdn', 'reference'])('is not booked without %s', field => {
    const transaction = { ...reply, [field]: undefined }
    expect(readCollect(answer({ word: 'TS', transaction }), at)).toEqual({
      kind: 'none',
      reason: 'success without its facts',
    })
  })

  test.each([2, 3, 4, 5, 7, 8, 10, 29])('…%i was not paid', n => {
    const failed = { kind: 'failure', answerCode: collectCode(n), answerMessage: 'No' }
    expect(readCollect(answer({ code: collectCode(n), message: 'No' }), at)).toEqual(failed)
    expect(readRequest(answer({ code: collectCode(n), message: 'No' }))).toEqual(failed)
  })

  test.each([0, 6, 24])('…%i is open', n => {
    expect(readCollect(answer({ code: collectCode(n) }), at)).toEqual({ kind: 'pending' })
    expect(readRequest(answer({ code: collectCode(n) }))).toEqual({ kind: 'accepted' })
  })

  it('knows what nobody knows, and nothing else', () => {
    expect(readCollect(answer({ code: collectCode(25) }), at)).toEqual({ kind: 'notFound' })
    expect(readRequest(answer({ code: collectCode(25) })).kind).toBe('none')
    for (const n of [9, 26, 99]) {
      expect(readCollect(answer({ code: collectCode(n), transaction: reply }), at).kind).toBe('none')
      expect(readRequest(answer({ code: collectCode(n) })).kind).toBe('none')
    }
    expect(readRequest(http(401))).toEqual({ kind: 'failure', answerCode: 'HTTP_401', answerMessage: 'Access denied' })
    expect(readCollect(http(401), at).kind).toBe('none')
  })
})
