import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { decrypted } from '../simulators/airtel/keys.ts'
import type { AirtelConfig } from './airtel-client.ts'
import { airtelMoney } from './airtel-money.ts'
import { airtelMoneyCollection } from './airtel-money-collection.ts'
import { airtelKey, encryptPin } from './airtel-pin.ts'
import { GatewayUnavailable, refOf } from './gateway.ts'

const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
const config: AirtelConfig = {
  baseUrl: 'http://airtel.test',
  clientId: 'client',
  clientSecret: 'secret',
  pin: '4321',
  publicKey: pair.publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
}
const externalId = 'LC260302ABCDEFGH-1'
const attempt = {
  externalId,
  gatewayRef: refOf('airtel_money', externalId),
  amount: '120000.00',
  payee: { walletAccount: '256750000031' },
  payerMessage: 'Loan LC1',
}
const ok = (data: object, response_code: string) => ({ status: 200, body: { data, status: { response_code } } })
const pending = ok({ transaction: { status: 'TIP' } }, 'DP00900001006')

type Answer = { status: number; body?: unknown }
type Call = { method: string; path: string; headers: Headers; body: string }

/** A network with scripted answers; tokens are numbered and live for `life` seconds. */
const network = (answer: (call: Call) => Answer, life: string | number = '180') => {
  const calls: Call[] = []
  let tokens = 0
  const fake: typeof fetch = async (input, init) => {
    const url = new URL(String(input))
    const path = url.pathname + url.search
    const call = {
      method: init?.method ?? 'GET',
      path,
      headers: new Headers(init?.headers),
      body: String(init?.body ?? ''),
    }
    calls.push(call)
    const asksToken = path === '/auth/oauth2/token'
    if (asksToken) tokens += 1
    const given = asksToken ? { status: 200, body: { access_token: `t${tokens}`, expires_in: life } } : answer(call)
    return new Response(given.body === undefined ? null : JSON.stringify(given.body), { status: given.status })
  }
  return { fetch: fake, calls, tokens: () => tokens, sent: () => calls.filter(call => call.path.includes('disb')) }
}

describe('what goes over the wire', () => {
  it('is the disbursement of the provider', async () => {
    const net = network(() => pending)
    await airtelMoney(config, { fetch: net.fetch }).send(attempt)
    const [token, send] = net.calls
    expect(token).toMatchObject({ method: 'POST', path: '/auth/oauth2/token' })
    expect(JSON.parse(token?.body ?? '')).toEqual({
      client_id: 'client',
      client_secret: 'secret',
      grant_type: 'client_credentials',
    })
    expect(send).toMatchObject({ method: 'POST', path: '/standard/v2/disbursements/' })
    expect(Object.fromEntries(send?.headers ?? [])).toMatchObject({
      authorization: 'Bearer t1',
      'x-country': 'UG',
      'x-currency': 'UGX',
      'content-type': 'application/json',
    })
    const body = JSON.parse(send?.body ?? '') as { pin: string }
    expect(body).toEqual({
      payee: { msisdn: '750000031' },
      reference: 'LC260302ABCDEFGH1',
      pin: expect.any(String),
      transaction: { amount: 120_000, id: 'LC260302ABCDEFGH1', type: 'B2C' },
    })
    expect(decrypted(pair.privateKey, body.pin)).toBe('4321')
  })

  it('is the question of the provider, with the type of the transaction', async () => {
    const net = network(() => pending)
    await airtelMoney(config, { fetch: net.fetch }).query(attempt)
    expect(net.calls[1]).toMatchObject({
      method: 'GET',
      path: '/standard/v2/disbursements/LC260302ABCDEFGH1?transactionType=B2C',
      body: '',
    })
  })

  it('is the push to the phone of the provider', async () => {
    const net = network(() => pending)
    const ref = '0b9d1f0c-4f5e-4d3a-9a51-0a6a1f3f8c11'
    const collection = airtelMoneyCollection(config, { fetch: net.fetch })
    await collection.requestToPay(ref, '256750000031', '5000.00')
    expect(net.calls[1]).toMatchObject({ method: 'POST', path: '/merchant/v2/payments/' })
    expect(JSON.parse(net.calls[1]?.body ?? '')).toEqual({
      reference: 'Loan repayment',
      subscriber: { country: 'UG', currency: 'UGX', msisdn: '750000031' },
      transaction: { amount: 5000, country: 'UG', currency: 'UGX', id: ref.replaceAll('-', '') },
    })
    await collection.query(ref)
    expect(net.calls[2]?.path).toBe(`/standard/v1/payments/${ref.replaceAll('-', '')}`)
  })

  it('never carries cents', async () => {
    const net = network(() => pending)
    const gateway = airtelMoney(config, { fetch: net.fetch })
    await expect(gateway.send({ ...attempt, amount: '1000.50' })).rejects.toThrow(RangeError)
    expect(net.calls).toEqual([])
  })
})

describe('the PIN', () => {
  it('is never twice the same, and its key may come as PEM or without its frame', () => {
    const framed = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString()
    const [one, two] = [encryptPin(airtelKey(framed), '4321'), encryptPin(airtelKey(config.publicKey), '4321')]
    expect(one).not.toBe(two)
    for (const value of [one, two]) expect(decrypted(pair.privateKey, value)).toBe('4321')
  })

  it('is not encrypted with a key that is none', () => {
    const ed = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }).toString()
    for (const key of ['', 'nonsense', ed]) expect(() => airtelKey(key)).toThrow()
  })
})

describe('the token', () => {
  it('lives as long as its answer says: half of a short life, ten minutes less of a long one', async () => {
    for (const [life, until] of [
      ['180', 90],
      [3600, 3000],
    ] as const) {
      let now = 0
      const net = network(() => pending, life)
      const gateway = airtelMoney(config, { fetch: net.fetch, now: () => now })
      await gateway.query(attempt)
      now = (until - 1) * 1000
      await gateway.query(attempt)
      expect(net.tokens()).toBe(1)
      now = until * 1000
      await gateway.query(attempt)
      expect(net.tokens()).toBe(2)
    }
  })

  it('that is refused is renewed once, and the same reference goes again, once', async () => {
    const net = network(call => (call.headers.get('authorization') === 'Bearer t1' ? { status: 401 } : pending))
    expect(await airtelMoney(config, { fetch: net.fetch }).send(attempt)).toEqual({ kind: 'accepted' })
    const ids = net.sent().map(call => (JSON.parse(call.body) as { transaction: { id: string } }).transaction.id)
    expect(ids).toEqual([attempt.gatewayRef, attempt.gatewayRef])
    const refusing = network(() => ({ status: 401 }))
    expect(await airtelMoney(config, { fetch: refusing.fetch }).send(attempt)).toMatchObject({ failType: 'config' })
    expect(refusing.sent()).toHaveLength(2)
    expect(await airtelMoney(config, { fetch: refusing.fetch }).query(attempt)).toEqual({
      kind: 'none',
      reason: 'http 401',
    })
  })
})

describe('reads that move nothing', () => {
  const holder = (answer: Answer) =>
    airtelMoney(config, { fetch: network(() => answer).fetch }).verifyHolder('256750000031')
  const balance = (answer: Answer) => airtelMoney(config, { fetch: network(() => answer).fetch }).balance()

  it('tell who holds an account, and that nobody can receive on it', async () => {
    const person = { first_name: 'Grace', last_name: 'Nakato', is_barred: false }
    expect(await holder(ok(person, 'DP02200000001'))).toEqual({ name: 'Grace Nakato' })
    expect(await holder(ok({ ...person, is_barred: true }, 'DP02200000001'))).toBeNull()
    expect(await holder(ok({}, 'DP02200000002'))).toBeNull()
  })

  it('tell what we own, with the commas of the provider', async () => {
    expect(await balance(ok({ balance: '37,600.00', currency: 'UGX' }, 'DP02100000001'))).toBe('37600.00')
  })

  it('throw when the network does not tell', async () => {
    const useless = [{ status: 500 }, { status: 200 }, { status: 401 }, ok({}, 'DP02200000000')]
    for (const answer of useless) {
      await expect(holder(answer)).rejects.toThrow(GatewayUnavailable)
      await expect(balance(answer)).rejects.toThrow(GatewayUnavailable)
    }
    await expect(balance(ok({ balance: '5', currency: 'KES' }, 'DP02100000001'))).rejects.toThrow('balance: http 200')
  })
})

it('references are what each network allows', () => {
  expect(refOf('airtel_money', 'LC260302ABCDEFGH-12')).toBe('LC260302ABCDEFGH12')
  expect(refOf('mtn_momo', 'LC260302ABCDEFGH-1')).toMatch(/^[0-9a-f-]{36}$/)
})
