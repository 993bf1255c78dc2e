import { describe, expect, it, test } from 'vitest'
import { callbackHash, readCallback } from './airtel-callback.ts'

const key = 'key-of-the-callbacks'
const transaction = {
  id: 'LC260302ABCDEFGH1',
  message: 'Paid UGX 120000',
  status_code: 'TS',
  airtel_money_id: 'MP260302.1010.L000001',
}
const signed = (o: object, by = key) => {
  const body = { transaction: { ...transaction, ...o } }
  return JSON.stringify({ ...body, hash: callbackHash(by, body) })
}

describe('a callback', () => {
  it('with a good signature proves what it says', () => {
    expect(readCallback(signed({}), key)).toEqual({
      eventId: `${transaction.id}:TS:${transaction.airtel_money_id}:good`,
      gatewayRef: transaction.id,
      externalId: null,
      claim: 'success',
      signature: 'good',
      proved: { kind: 'success', serialNo: transaction.airtel_money_id },
    })
    expect(readCallback(signed({ status_code: 'TF', code: 'DP00900001012' }), key)?.proved).toEqual({
      kind: 'failure',
      failType: 'payee_invalid',
      answerCode: 'DP00900001012',
      answerMessage: transaction.message,
    })
  })

  it('is HMAC-SHA256 in Base64 over the body without its hash', () => {
    expect(callbackHash('k', { transaction: { id: '1' } })).toBe('GFtHsLTJdM1JPs4XVE07vsKawSXH5piOCaTr6rzki5U=')
  })

  test.each(['TIP', 'TA', 'TX', ''])('with %s proves nothing', status_code => {
    const hint = readCallback(signed({ status_code }), key)
    expect(hint).toMatchObject({ signature: 'good', gatewayRef: transaction.id })
    expect(hint?.claim).toBeUndefined()
    expect(hint?.proved).toBeUndefined()
  })

  it('of a success without the number of the network proves nothing', () => {
    expect(readCallback(signed({ airtel_money_id: undefined }), key)?.proved).toBeUndefined()
  })

  it('with another signature, or one of another body, is wrong and only makes us ask', () => {
    const other = JSON.parse(signed({})) as { transaction: object; hash: string }
    const moved = JSON.stringify({ ...other, transaction: { ...transaction, status_code: 'TF' } })
    for (const body of [signed({}, 'another key'), moved, JSON.stringify({ ...other, hash: 7 })]) {
      const hint = readCallback(body, key)
      expect(hint?.signature).toBe('wrong')
      expect(hint?.proved).toBeUndefined()
    }
  })

  it('without a signature, or where we have no key, only makes us ask', () => {
    for (const hint of [readCallback(JSON.stringify({ transaction }), key), readCallback(signed({}), undefined)]) {
      expect(hint).toMatchObject({ gatewayRef: transaction.id, claim: 'success' })
      expect(hint?.signature).toBeUndefined()
      expect(hint?.proved).toBeUndefined()
    }
  })

  it('of a stranger is no delivery of what the network will say', () => {
    const forged = readCallback(signed({}, 'another key'), key)
    expect(forged?.eventId).not.toBe(readCallback(signed({}), key)?.eventId)
  })

  test.each(['', 'no json', '[]', '{}', '{"transaction":{}}', '{"transaction":"x"}', '{"transaction":{"id":""}}'])(
    '%s is none',
    body => {
      expect(readCallback(body, key)).toBeNull()
    },
  )
})
