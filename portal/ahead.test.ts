import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { call, callAhead, holdBackground, type Server } from '../core/client/call.ts'
import { endpoint } from '../core/contract/endpoint.ts'

const asked = endpoint({
  method: 'POST',
  path: '/things/page',
  input: z.strictObject({ pageNum: z.int() }),
  output: z.object({ n: z.int() }),
})
const serverOf = (token: string): Server => ({ baseUrl: 'http://here', token: () => token, language: () => 'en' })

let answers = 0
const fetched = vi.fn(async () => new Response(JSON.stringify({ code: 0, msg: '', data: { n: ++answers } })))
beforeAll(() => void vi.stubGlobal('fetch', fetched))
afterAll(() => void vi.unstubAllGlobals())
afterEach(() => {
  fetched.mockClear()
  vi.useRealTimers()
})

it('gives what was asked for ahead to the first call that is the same, once', async () => {
  void callAhead(serverOf('one'), asked, { pageNum: 1 })
  expect(await call(serverOf('one'), asked, { pageNum: 1 })).toEqual({ n: 1 })
  expect(fetched).toHaveBeenCalledTimes(1)
  expect(await call(serverOf('one'), asked, { pageNum: 1 })).toEqual({ n: 2 })
  expect(fetched).toHaveBeenCalledTimes(2)
})

it('gives it to nobody else, and not for another question', async () => {
  const own = await callAhead(serverOf('one'), asked, { pageNum: 1 })
  expect(await call(serverOf('two'), asked, { pageNum: 1 })).not.toEqual(own)
  expect(await call(serverOf('one'), asked, { pageNum: 2 })).not.toEqual(own)
  expect(fetched).toHaveBeenCalledTimes(3)
})

it('forgets what nobody wanted for a while', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  void callAhead(serverOf('late'), asked, { pageNum: 1 })
  vi.advanceTimersByTime(10_001)
  await call(serverOf('late'), asked, { pageNum: 1 })
  expect(fetched).toHaveBeenCalledTimes(2)
})

it('lets the background wait for what is held, and nothing else', async () => {
  let release = () => {}
  holdBackground(new Promise<void>(resolve => (release = resolve)))
  const waiting = call(serverOf('one'), asked, { pageNum: 3 }, { background: true })
  await call(serverOf('one'), asked, { pageNum: 4 })
  expect(fetched).toHaveBeenCalledTimes(1)
  release()
  await waiting
  expect(fetched).toHaveBeenCalledTimes(2)
})
