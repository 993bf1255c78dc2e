import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scoreService } from '../../gateways/score/score-service.ts'
import type { PostOnce } from '../../outgoing/open-link.ts'
import { serveRoutes } from '../network/http.ts'
import { scoreOf, scoreVendor } from './vendor.ts'

const server = createServer(serveRoutes(scoreVendor({ apiKey: 'key', mode: 'fine', holdMs: 400 })))
let base = ''
const post: PostOnce = async (url, { body, headers }) => {
  const answer = await fetch(`${base}${url.pathname}`, {
    method: 'POST',
    body,
    headers,
    signal: AbortSignal.timeout(200),
  })
  return { status: answer.status, text: await answer.text() }
}
const ask = (modelNo: string, credential: string | null = 'key') =>
  scoreService({ post }).ask({
    key: modelNo,
    url: 'https://score.example/v1/score',
    credential,
    modelNo,
    version: 1,
    scoreMin: 300,
    scoreMax: 850,
    facts: { 'customer.age': 30, 'history.maxOverdueDays': 10 },
  })

beforeAll(async () => {
  await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
  server.closeAllConnections()
})

describe('the score simulator', () => {
  it('scores facts, the same ones always alike', async () => {
    expect(await ask('EXT')).toEqual({ is: 'scored', score: 512, reasons: ['history.maxOverdueDays'] })
    expect(scoreOf({})).toEqual({ score: 590, reasons: [] })
  })

  it.each([
    ['EXT-SILENT', 'timeout'],
    ['EXT-ERROR', 'http_500'],
    ['EXT-RANGE', 'out_of_range'],
  ])('has a switch for %s', async (modelNo, reason) => {
    const answer = await ask(modelNo)
    expect(answer.is).toBe('unknown')
    expect([reason, 'unreachable']).toContain((answer as { reason: string }).reason)
  })

  it('lets nobody in with another key', async () => {
    expect(await ask('EXT', 'other')).toEqual({ is: 'unknown', reason: 'http_401' })
  })
})
