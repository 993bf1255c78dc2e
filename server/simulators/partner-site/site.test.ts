import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { isSignature, signatureOf } from '../../http/defence/signature.ts'
import { serveRoutes } from '../network/http.ts'
import { partnerSite } from './site.ts'

type Sent = { body: string; headers: Readonly<Record<string, string>> }
const sent: Sent[] = []
const [platformNo, key] = ['SP1', 'the key that was shown once']
const site = partnerSite({
  platformNo,
  key,
  publicUrl: 'https://lender.example',
  lateMs: 30,
  send: async (body, headers) => {
    sent.push({ body, headers })
    return '{"code":0}'
  },
})
const server = createServer(serveRoutes(site))
let base = ''
beforeAll(async () => {
  await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
  server.closeAllConnections()
})
beforeEach(() => {
  sent.length = 0
})

const page = async (path = '/') => (await fetch(base + path)).text()
const prefill = (body: string, by = key, at = Date.now()) =>
  fetch(`${base}/prefill`, {
    method: 'POST',
    body,
    headers: { 'x-timestamp': String(at), 'x-signature': signatureOf(by, String(at), body) },
  })
const say = (fields: Record<string, string>) =>
  fetch(`${base}/say`, { method: 'POST', body: new URLSearchParams(fields).toString() })
const isOurs = ({ body, headers }: Sent, by = key) =>
  isSignature(headers['x-signature'] ?? '', signatureOf(by, headers['x-timestamp'] ?? '', body))

it('takes what fills in a form only with the right signature of just now, and answers a link of its own', async () => {
  const body = JSON.stringify({
    clickId: 'C1',
    consentVersion: 3,
    customer: { customerName: 'Aisha <b>', phone: '256770000001' },
  })
  expect((await prefill(body, 'another key')).status).toBe(401)
  expect((await prefill(body, key, Date.now() - 3_600_000)).status).toBe(401)
  expect(await page()).toContain('Nobody came yet')
  expect(await (await prefill(body)).json()).toEqual({ sessionLink: 'https://lender.example/form/C1' })
  expect(await page('/form/C1')).toContain('value="256770000001"')
  const list = await page()
  expect(list).toContain('consent version 3')
  expect(list).not.toContain('<b>')
})

it('is given nothing of a person who comes by a link', async () => {
  await page('/apply?clickId=C2')
  expect(await page()).toContain('nothing of the person')
  expect((await fetch(`${base}/apply`)).status).toBe(400)
})

it('says what became of a customer, once or twice under one number, signed or with a wrong key, and late', async () => {
  await page('/apply?clickId=C3')
  await say({ clickId: 'C3', event: 'payout', manner: 'twice', amount: '250000.00' })
  const events = sent.map(one => JSON.parse(one.body) as { eventId: string; marketEvent: string; amount?: string })
  expect(events).toHaveLength(2)
  expect(new Set(events.map(one => one.eventId)).size).toBe(1)
  expect(events[0]).toMatchObject({ platformNo, clickId: 'C3', marketEvent: 'payout', amount: '250000.00' })
  expect(sent.every(one => isOurs(one))).toBe(true)

  await say({ clickId: 'C3', event: 'apply', manner: 'wrong_key' })
  expect(isOurs(sent[2] as Sent)).toBe(false)
  await say({ clickId: 'C3', event: 'approve', manner: 'late' })
  await expect.poll(() => sent.length).toBe(4)
  expect(await page()).toContain('approve (late): {&#34;code&#34;:0}')
})

it('sends nothing of a click or an event that it does not know', async () => {
  expect((await say({ clickId: 'C9', event: 'apply', manner: 'once' })).status).toBe(400)
  await page('/apply?clickId=C4')
  expect((await say({ clickId: 'C4', event: 'refund', manner: 'once' })).status).toBe(400)
  expect(sent).toEqual([])
})
