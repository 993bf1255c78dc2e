import { expect, it } from 'vitest'
import { bvnService } from './bvn-service.ts'

const asked: { url: string; key: string | null }[] = []
/** A service that gives one answer. */
const answering = (status: number, body?: unknown) =>
  bvnService({
    baseUrl: 'https://bvn.example',
    apiKey: 'key',
    fetch: async (url, init) => {
      asked.push({ url: String(url), key: new Headers(init?.headers).get('authorization') })
      return new Response(body === undefined ? 'none' : JSON.stringify(body), { status })
    },
  })
const holder = { fullName: 'Sarah Nakato', dateOfBirth: '1992-05-06', phone: '256772000031' }

it('tells who holds a number', async () => {
  expect(await answering(200, holder).ask('22772000031')).toEqual({
    is: 'found',
    name: 'Sarah Nakato',
    birthDate: '1992-05-06',
    phone: '256772000031',
  })
  expect(asked.at(-1)).toEqual({ url: 'https://bvn.example/v1/holders/22772000031', key: 'Bearer key' })
})

it('tells that nobody holds a number', async () => {
  expect(await answering(404).ask('22772000031')).toEqual({ is: 'none' })
})

it.each([
  [202, { state: 'LOOKING' }, 'http 202'],
  [302, undefined, 'http 302'],
  [401, undefined, 'http 401'],
  [500, undefined, 'http 500'],
  [200, undefined, 'unreadable'],
  [200, { ...holder, dateOfBirth: '6 May' }, 'unreadable'],
])('takes %i with %j for unknown, never for a refusal', async (status, body, reason) => {
  expect(await answering(status, body).ask('22772000031')).toEqual({ is: 'unknown', reason })
})

it('takes no answer, and one that is too late, for unknown', async () => {
  const failing = (name: string) =>
    bvnService({
      baseUrl: 'https://bvn.example',
      apiKey: 'key',
      fetch: async () => {
        throw new DOMException('', name)
      },
    })
  expect(await failing('TimeoutError').ask('22772000031')).toEqual({ is: 'unknown', reason: 'timeout' })
  expect(await failing('AbortError').ask('22772000031')).toEqual({ is: 'unknown', reason: 'no answer' })
})
