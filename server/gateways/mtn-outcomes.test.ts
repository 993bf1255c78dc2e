import { describe, expect, it, test } from 'vitest'
import {
  failReasons,
  fundsFailure,
  readCallback,
  readCollect,
  readQuery,
  readRequest,
  readSend,
  sendOutcomes,
  statusOutcomes,
} from './mtn-outcomes.ts'

const http = (status: number, body?: unknown) => ({ kind: 'http' as const, status, body })
const success = {
  amount: '120000',
  currency: 'UGX',
  financialTransactionId: '2310000001',
  externalId: 'LC1-1',
  payee: { partyIdType: 'MSISDN', partyId: '256772000031' },
  status: 'SUCCESSFUL',
}

describe('the answer to a send', () => {
  test.each([
    [202, { kind: 'accepted' }],
    [409, { kind: 'exists' }],
    [401, { kind: 'failure', failType: 'config', answerCode: 'HTTP_401', answerMessage: 'Unauthorized' }],
    [403, { kind: 'failure', failType: 'config', answerCode: 'HTTP_403', answerMessage: 'Unauthorized' }],
  ])('%i is known', (status, answer) => {
    expect(readSend(http(status, { message: 'Unauthorized' }))).toEqual(answer)
  })

  it('has no rows but those', () => {
    expect(Object.keys(sendOutcomes)).toEqual(['202', '401', '403', '409'])
  })

  test.each([200, 201, 204, 301, 302, 400, 404, 408, 413, 422, 429, 500, 502, 503, 504])(
    '%i is unknown, never failed',
    status => {
      expect(readSend(http(status, { code: 'PAYEE_NOT_FOUND' }))).toEqual({
        kind: 'none',
        reason: `http ${status} PAYEE_NOT_FOUND`,
      })
      expect(readSend(http(status)).kind).toBe('none')
    },
  )

  it('is unknown without an answer', () => {
    expect(readSend({ kind: 'none', reason: 'timeout' })).toEqual({ kind: 'none', reason: 'timeout' })
  })

  it('reads the same of a request to pay', () => {
    expect(readRequest(http(202))).toEqual({ kind: 'accepted' })
    expect(readRequest(http(409))).toEqual({ kind: 'exists' })
    expect(readRequest(http(401))).toEqual({ kind: 'failure', answerCode: 'HTTP_401', answerMessage: 'Access denied' })
    expect(readRequest(http(500)).kind).toBe('none')
  })
})

describe('the answer to a query', () => {
  it('has three known words', () => {
    expect(statusOutcomes).toEqual({ SUCCESSFUL: 'success', FAILED: 'failure', PENDING: 'pending' })
  })

  it('is a success with all its facts', () => {
    expect(readQuery(http(200, success))).toEqual({
      kind: 'success',
      serialNo: '2310000001',
      amount: '120000.00',
      payee: '256772000031',
    })
  })

  test.each(['amount', 'currency', 'financialTransactionId', 'payee'])('is unknown when a success lacks %s', field => {
    expect(readQuery(http(200, { ...success, [field]: undefined }))).toEqual({
      kind: 'none',
      reason: 'success without its facts',
    })
  })

  test.each([
    ['amount', '-5'],
    ['amount', '1e6'],
    ['currency', 'EUR'],
    ['payee', 'x'],
  ])('is unknown when %s is %s', (field, value) => {
    expect(readQuery(http(200, { ...success, [field]: value })).kind).toBe('none')
  })

  it('is pending', () => {
    expect(readQuery(http(200, { status: 'PENDING' }))).toEqual({ kind: 'pending' })
  })

  test.each([
    ['PAYEE_NOT_FOUND', 'payee_invalid'],
    ['PAYEE_NOT_ALLOWED_TO_RECEIVE', 'payee_barred'],
    ['NOT_ALLOWED', 'config'],
    ['INTERNAL_PROCESSING_ERROR', 'other'],
    ['COULD_NOT_PERFORM_TRANSACTION', 'other'],
    ['SOMETHING_NEW', 'other'],
    ['constructor', 'other'],
  ])('%s is a final failure: %s', (reason, failType) => {
    const answer = { kind: 'failure', failType, answerCode: reason, answerMessage: reason }
    expect(readQuery(http(200, { status: 'FAILED', reason }))).toEqual(answer)
    expect(readQuery(http(200, { status: 'FAILED', reason: { code: reason, message: 'Said so' } }))).toEqual({
      ...answer,
      answerMessage: 'Said so',
    })
  })

  it('is a final failure without a reason too', () => {
    expect(readQuery(http(200, { status: 'FAILED' }))).toEqual({
      kind: 'failure',
      failType: 'other',
      answerCode: 'FAILED',
      answerMessage: 'FAILED',
    })
  })

  it('leaves want of money open until the balance is known', () => {
    expect(failReasons.NOT_ENOUGH_FUNDS).toBe('funds')
    const asked = readQuery(http(200, { status: 'FAILED', reason: 'NOT_ENOUGH_FUNDS' }))
    if (asked.kind !== 'funds') throw new Error('expected funds')
    expect(fundsFailure(asked, true)).toMatchObject({
      kind: 'failure',
      failType: 'our_balance',
      answerCode: 'NOT_ENOUGH_FUNDS',
    })
    expect(fundsFailure(asked, false)).toMatchObject({ kind: 'failure', failType: 'payee_limit' })
    expect(fundsFailure(asked, undefined)).toMatchObject({ kind: 'failure', failType: 'other' })
  })

  it('is "not found" only in the words of the network', () => {
    expect(readQuery(http(404, { code: 'RESOURCE_NOT_FOUND', message: 'x' }))).toEqual({ kind: 'notFound' })
    expect(readQuery(http(404))).toEqual({ kind: 'none', reason: 'http 404' })
    expect(readQuery(http(404, { statusCode: 404 })).kind).toBe('none')
  })

  test.each(['ONGOING', 'successful', 'CREATED', 'toString'])('status %s is unknown', status => {
    expect(readQuery(http(200, { ...success, status }))).toEqual({ kind: 'none', reason: `status ${status}` })
  })

  test.each([undefined, null, [], 'SUCCESSFUL', 7])('body %j is unknown', body => {
    expect(readQuery(http(200, body))).toEqual({ kind: 'none', reason: 'unreadable' })
  })

  test.each([202, 204, 401, 403, 429, 500, 503])('http %i is unknown, also with a status inside', status => {
    expect(readQuery(http(status, success)).kind).toBe('none')
    expect(readQuery(http(status, { status: 'FAILED' })).kind).toBe('none')
  })
})

describe('the answer about a payment to us', () => {
  const paid = { ...success, payee: undefined, payer: { partyIdType: 'MSISDN', partyId: '256772000031' } }
  const at = '2026-11-20T08:00:00.000Z'

  it('tells who paid what for which pay code, and when', () => {
    expect(readCollect(http(200, { ...paid, completedAt: '2026-11-20T10:30:00+03:00' }), at)).toEqual({
      kind: 'success',
      serialNo: '2310000001',
      amount: '120000.00',
      payer: '256772000031',
      externalId: 'LC1-1',
      time: '2026-11-20T07:30:00.000Z',
    })
  })

  it('takes the time of the query when none is stated', () => {
    expect(readCollect(http(200, paid), at)).toMatchObject({ time: at })
    expect(readCollect(http(200, { ...paid, completedAt: 'yesterday' }), at)).toMatchObject({ time: at })
  })

  it('knows failure, pending, not found and nothing', () => {
    expect(readCollect(http(200, { status: 'FAILED', reason: 'PAYER_NOT_FOUND' }), at)).toEqual({
      kind: 'failure',
      answerCode: 'PAYER_NOT_FOUND',
      answerMessage: 'PAYER_NOT_FOUND',
    })
    expect(readCollect(http(200, { status: 'PENDING' }), at)).toEqual({ kind: 'pending' })
    expect(readCollect(http(404, { code: 'RESOURCE_NOT_FOUND' }), at)).toEqual({ kind: 'notFound' })
    expect(readCollect(http(200, { ...paid, externalId: '' }), at).kind).toBe('none')
    expect(readCollect(http(502), at)).toEqual({ kind: 'none', reason: 'http 502' })
  })
})

describe('a callback', () => {
  const ref = '0b9d1f0c-4f5e-4d3a-9a51-0a6a1f3f8c11'

  it('of a payout names our own number', () => {
    expect(readCallback('payee', JSON.stringify(success))).toEqual({
      eventId: 'LC1-1:SUCCESSFUL:2310000001',
      gatewayRef: null,
      externalId: 'LC1-1',
      claim: 'success',
      amount: '120000.00',
      party: '256772000031',
    })
  })

  it('of a payment to a pay code names the reference to ask for', () => {
    const body = JSON.stringify({ referenceId: ref, externalId: '80012345', payer: {}, status: 'SUCCESSFUL' })
    expect(readCallback('payer', body)).toEqual({
      eventId: `${ref}:SUCCESSFUL:`,
      gatewayRef: ref,
      externalId: '80012345',
      claim: 'success',
    })
  })

  it('of a payment that we asked for carries its reference as external number', () => {
    expect(readCallback('payer', JSON.stringify({ externalId: ref, payer: {} }))).toMatchObject({ gatewayRef: ref })
  })

  it('claims nothing of what is open or unheard of', () => {
    for (const status of ['PENDING', 'toString', undefined])
      expect(readCallback('payee', JSON.stringify({ ...success, status }))?.claim).toBeUndefined()
    expect(readCallback('payee', JSON.stringify({ ...success, status: 'FAILED' }))?.claim).toBe('failure')
  })

  it('is the same event when it comes again, another one with other news', () => {
    const event = (status: string) => readCallback('payee', JSON.stringify({ ...success, status }))?.eventId
    expect(event('SUCCESSFUL')).toBe(event('SUCCESSFUL'))
    expect(event('FAILED')).not.toBe(event('SUCCESSFUL'))
  })

  test.each(['', 'no json', '[]', '"x"', '{}', '{"payee":{}}', '{"payee":{},"referenceId":"1"}'])(
    '%s is none',
    body => {
      expect(readCallback('payee', body)).toBeNull()
    },
  )

  it('of the other side is none', () => {
    expect(readCallback('payer', JSON.stringify(success))).toBeNull()
  })
})
