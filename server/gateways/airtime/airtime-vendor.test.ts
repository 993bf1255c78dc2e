import { expect, it } from 'vitest'
import { airtimeVendor } from './airtime-vendor.ts'

const attempt = {
  externalId: 'PB1-1',
  gatewayRef: '7a1c2f0e-6a55-4a3c-9a0e-0f3f8f3f7d11',
  amount: '10000.00',
  payee: { walletAccount: '256772000031' },
  payerMessage: '',
}
const asked: { url: string; method: string; headers: Headers; body: unknown }[] = []

/** A vendor that gives one answer. */
const answering = (status: number, body?: unknown) =>
  airtimeVendor(
    { baseUrl: 'https://airtime.example', apiKey: 'key' },
    {
      fetch: async (url, init) => {
        const sent = init?.body ? JSON.parse(String(init.body)) : null
        asked.push({ url: String(url), method: String(init?.method), headers: new Headers(init?.headers), body: sent })
        return new Response(body === undefined ? 'none' : JSON.stringify(body), { status })
      },
    },
  )
const failing = (name: string) =>
  airtimeVendor(
    { baseUrl: 'https://airtime.example', apiKey: 'key' },
    { fetch: () => Promise.reject(new DOMException('', name)) },
  )
const delivered = { status: 'DELIVERED', serialNo: 'AT1', phone: '256772000031', amount: '10000', currency: 'UGX' }

it('orders airtime in whole shillings under a key of the send', async () => {
  expect(await answering(202, { status: 'PENDING' }).send(attempt)).toEqual({ kind: 'accepted' })
  const [{ url, method, headers, body }] = asked.slice(-1) as [(typeof asked)[number]]
  expect([url, method]).toEqual(['https://airtime.example/v1/airtime', 'POST'])
  expect([headers.get('idempotency-key'), headers.get('authorization')]).toEqual([attempt.gatewayRef, 'Bearer key'])
  expect(body).toEqual({ phone: '256772000031', currency: 'UGX', amount: '10000', reference: 'PB1-1' })
})

it.each([
  [200, delivered, { kind: 'exists' }],
  [409, { code: 'DUPLICATE' }, { kind: 'exists' }],
  [422, { status: 'REFUSED', code: 'INVALID_PHONE', message: 'no such phone' }, { failType: 'payee_invalid' }],
  [422, { status: 'REFUSED', code: 'FLOAT_SHORT' }, { failType: 'our_balance' }],
  [401, { code: 'UNAUTHORIZED' }, { failType: 'config', answerCode: 'HTTP_401' }],
  [500, { code: 'FAILED' }, { kind: 'none' }],
  [422, { code: 'WHO_KNOWS' }, { kind: 'none' }],
  [200, undefined, { kind: 'none' }],
  [200, { status: 'DELIVERED' }, { kind: 'exists' }],
])('takes %i with %j for what it says, and for unknown otherwise', async (status, body, answer) => {
  expect(await answering(status, body).send(attempt)).toMatchObject(answer)
})

it('takes no answer for unknown', async () => {
  expect(await failing('TimeoutError').send(attempt)).toEqual({ kind: 'none', reason: 'timeout' })
  expect(await failing('AbortError').query(attempt)).toEqual({ kind: 'none', reason: 'unreachable' })
})

it.each([
  [200, delivered, { kind: 'success', serialNo: 'AT1', amount: '10000.00', payee: '256772000031' }],
  [200, { status: 'PENDING' }, { kind: 'pending' }],
  [200, { status: 'REFUSED', code: 'PHONE_BARRED' }, { kind: 'failure', failType: 'payee_barred' }],
  [404, { code: 'NOT_FOUND' }, { kind: 'notFound' }],
  [404, { code: 'NO_SUCH_PATH' }, { kind: 'none' }],
  [200, { ...delivered, currency: 'KES' }, { kind: 'none' }],
])('hears of an order: %i with %j', async (status, body, answer) => {
  expect(await answering(status, body).query(attempt)).toMatchObject(answer)
})

it('reads a balance and a statement, and neither from what cannot be read', async () => {
  expect(await answering(200, { balance: '500000', currency: 'UGX' }).balance()).toBe('500000.00')
  await expect(answering(503).balance()).rejects.toThrow('balance')
  const line = { serialNo: 'AT1', amount: '-10000', time: '2026-03-02T09:00:00Z', kind: 'AIRTIME', reference: 'PB1-1' }
  const said = { opening: '500000', closing: '490000', currency: 'UGX', lines: [line] }
  expect(await answering(200, said).statement?.('2026-03-02')).toMatchObject({
    closing: '490000.00',
    lines: [{ serialNo: 'AT1', direction: 'out', amount: '10000.00', reference: 'PB1-1' }],
  })
  await expect(answering(200, { ...said, currency: 'KES' }).statement?.('2026-03-02')).rejects.toThrow('statement')
})

it('believes a callback only as a reason to ask', () => {
  const vendor = answering(200)
  const body = JSON.stringify({ key: attempt.gatewayRef, reference: 'PB1-1', ...delivered })
  expect(vendor.parseCallback({}, body)).toEqual({
    eventId: `${attempt.gatewayRef}:DELIVERED:AT1`,
    gatewayRef: attempt.gatewayRef,
    externalId: 'PB1-1',
    party: '256772000031',
    amount: '10000.00',
    claim: 'success',
  })
  expect(vendor.parseCallback({}, '{"key":"x"}')).toBeNull()
})
