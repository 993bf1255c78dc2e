import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Hono } from 'hono'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inboxPath, serveInbox } from './inbox.ts'

const asked: string[] = []
const hostile = '<script>alert(1)</script>'
let simulator: Server
let app: Hono

beforeAll(async () => {
  simulator = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on('end', () => {
      if (request.method === 'POST') asked.push(`${request.url} ${body}`)
      const mail = { at: '2026-03-02T07:00:00Z', to: 'grace@nile.example', from: '', subject: hostile, body: hostile }
      response.end(JSON.stringify({ modes: { mail: 'ok' }, messages: request.method === 'GET' ? [mail] : [] }))
    })
  })
  await new Promise<void>(resolve => simulator.listen(0, '127.0.0.1', resolve))
  app = new Hono()
  const mail = `http://127.0.0.1:${(simulator.address() as AddressInfo).port}`
  serveInbox(app, { sms: 'http://127.0.0.1:7199', mail }, { 'x-frame-options': 'DENY' })
})
afterAll(() => simulator.close())

it('shows letters as text, whatever stands in them, and says which simulator does not answer', async () => {
  const answer = await app.request(inboxPath)
  const html = await answer.text()
  expect([answer.status, answer.headers.get('x-frame-options')]).toEqual([200, 'DENY'])
  expect(html).not.toContain('<script>')
  expect(html).toContain('&#60;script&#62;alert(1)')
  expect(html).toContain('The simulator does not answer.')
})

it('sets how a simulator behaves, for its own page alone', async () => {
  const press = (headers: Record<string, string> = {}) =>
    app.request(inboxPath, {
      method: 'POST',
      body: new URLSearchParams({ which: 'mail', name: 'mail', mode: 'refuse' }),
      headers,
    })
  expect((await press({ 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect(asked).toEqual([])
  expect((await press({ 'sec-fetch-site': 'same-origin' })).status).toBe(303)
  expect(asked).toEqual(['/_sim/switch {"mode":"refuse"}'])
})
