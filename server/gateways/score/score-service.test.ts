import { describe, expect, it } from 'vitest'
import type { PostOnce } from '../../outgoing/open-link.ts'
import { circuit } from './circuit.ts'
import { isServiceUrl, type ScoreQuestion, scoreService } from './score-service.ts'

const question: ScoreQuestion = {
  key: 'MV1',
  url: 'https://score.example/v1/score',
  credential: 'key',
  modelNo: 'EXT',
  version: 2,
  scoreMin: 300,
  scoreMax: 850,
  facts: { 'customer.age': 30 },
}
const asked: { url: string; body: unknown; headers: Readonly<Record<string, string>> }[] = []
/** A service that gives these answers, one after the other. */
const answering = (...answers: (readonly [number, unknown] | Error)[]) => {
  const left = [...answers]
  const post: PostOnce = async (url, { body, headers }) => {
    asked.push({ url: url.href, body: JSON.parse(body), headers })
    const next = left.length > 1 ? left.shift() : left[0]
    if (next instanceof Error) throw next
    const [status, said] = next as readonly [number, unknown]
    return { status, text: typeof said === 'string' ? said : JSON.stringify(said) }
  }
  return scoreService({ post })
}
const silent = () => Object.assign(new Error('timeout'), { code: 'TIMEOUT' })

describe('a score service', () => {
  it('is sent facts and versions, and nothing else', async () => {
    asked.length = 0
    const answer = await answering([200, { score: 640, reasons: ['customer.age'] }]).ask(question)
    expect(answer).toEqual({ is: 'scored', score: 640, reasons: ['customer.age'] })
    expect(asked).toEqual([
      {
        url: 'https://score.example/v1/score',
        body: { modelNo: 'EXT', version: 2, facts: { 'customer.age': 30 } },
        headers: { 'content-type': 'application/json', accept: 'application/json', authorization: 'Bearer key' },
      },
    ])
  })

  it('is asked once more where it did not answer', async () => {
    for (const failed of [silent(), [503, ''] as const]) {
      asked.length = 0
      expect(await answering(failed, [200, { score: 500 }]).ask(question)).toEqual({
        is: 'scored',
        score: 500,
        reasons: [],
      })
      expect(asked).toHaveLength(2)
    }
    asked.length = 0
    expect(await answering(silent()).ask(question)).toEqual({ is: 'unknown', reason: 'timeout' })
    expect(asked).toHaveLength(2)
  })

  it.each([
    [[200, { score: 299 }], 'out_of_range'],
    [[200, { score: 851 }], 'out_of_range'],
    [[200, { score: 600.5 }], 'unreadable'],
    [[200, { score: '600' }], 'unreadable'],
    [[200, 'soon'], 'unreadable'],
    [[200, { score: 600, reasons: ['a', 'b', 'c', 'd', 'e', 'f'] }], 'unreadable'],
    [[302, ''], 'http_302'],
    [[401, ''], 'http_401'],
  ] as const)('that answers %j gives no score: %s, and is not asked again', async (answer, reason) => {
    asked.length = 0
    expect(await answering(answer).ask(question)).toEqual({ is: 'unknown', reason })
    expect(asked).toHaveLength(1)
  })

  it('has an address that is public and HTTPS', async () => {
    expect(isServiceUrl('https://score.example/v1')).toBe(true)
    for (const url of [
      'http://score.example/',
      'https://a:b@score.example/',
      'https://localhost/',
      'score',
      'file:///etc/passwd',
    ])
      expect(isServiceUrl(url)).toBe(false)
    expect(await scoreService().ask({ ...question, url: 'https://127.0.0.1/' })).toEqual({
      is: 'unknown',
      reason: 'unreachable',
    })
  })

  it('that fails ten of fifty calls is left alone for five minutes', async () => {
    let now = 0
    let fails = false
    let calls = 0
    const post: PostOnce = async () => {
      calls++
      if (fails) throw silent()
      return { status: 200, text: '{"score":600}' }
    }
    const service = scoreService({ post, skips: circuit(() => now) })
    for (let n = 0; n < 40; n++) await service.ask(question)
    fails = true
    for (let n = 0; n < 10; n++) await service.ask(question)
    calls = 0
    expect(await service.ask(question)).toEqual({ is: 'unknown', reason: 'skipped' })
    expect(calls).toBe(0)
    expect(await service.ask({ ...question, key: 'MV2' })).toEqual({ is: 'unknown', reason: 'timeout' })
    now = 5 * 60_000
    fails = false
    expect(await service.ask(question)).toMatchObject({ is: 'scored' })
  })
})
