import { getResponse } from 'msw'
import { describe, expect, it, vi } from 'vitest'
import { loan } from '../core/contract/after-loan/loan.ts'
import { auditAllot } from '../core/contract/audit/allotment.ts'
import { endpoints } from '../core/contract/contract.ts'
import { base, type Endpoint } from '../core/contract/endpoint.ts'
import { order } from '../core/contract/order/order.ts'
import { orderBrief } from '../core/contract/order/order-brief.ts'
import { routes } from '../core/contract/routes.ts'
import { sample } from '../core/contract/sample.ts'
import { type MenuNode, Self, user } from '../core/contract/user/user.ts'
import { languages } from '../core/i18n/language.ts'
import { fixtures } from './fixtures/all.ts'
import { answerOf, emptied, handlers } from './mocks.ts'
import { type Scene, type State, sceneOf, states, tokenOf, viewers } from './states.ts'

type Values = Record<string, unknown>

const ask = async (endpoint: Endpoint, input: Values, state: State, language = 'en', scene: Partial<Scene> = {}) => {
  const rest = { ...input }
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest[name])
    delete rest[name]
    return encodeURIComponent(value)
  })
  const query = endpoint.method !== 'POST' ? `?${new URLSearchParams(rest as Record<string, string>)}` : ''
  const request = new Request(`https://console.example${base}${path}${query}`, {
    method: endpoint.method,
    headers: { token: tokenOf(state, scene), language, 'content-type': 'application/json' },
    ...(endpoint.method === 'POST' ? { body: JSON.stringify(rest) } : {}),
  })
  const response = await getResponse([...handlers], request)
  if (!response) throw new Error(`nobody answers ${path}`)
  const file = response.headers.get('content-type')
  return { status: response.status, type: response.type, file, body: await response.json().catch(() => null) }
}

describe.each(endpoints)('$name', ({ endpoint }) => {
  it('answers as its contract says, with rows and without', () => {
    for (const language of languages) {
      const input = endpoint.input.parse(sample(endpoint.input, 4)) as Values
      const answer = answerOf(endpoint, input, language)
      expect(() => endpoint.output.parse(answer)).not.toThrow()
      expect(() => endpoint.output.parse(emptied(answer))).not.toThrow()
    }
  })

  it('is answered at its own address', async () => {
    const input = sample(endpoint.input, 2) as Values
    const { body, file } = await ask(endpoint, input, 'Default')
    if (endpoint.file) return expect(file).toMatch(/^text\/csv/)
    expect(body.code).toBe(0)
    expect(() => endpoint.output.parse(body.data)).not.toThrow()
  })
})

it('tells each story once', () => {
  expect(new Set(fixtures.map(({ endpoint }) => endpoint)).size).toBe(fixtures.length)
})

const list = { pageNum: 1, pageSize: 20, sort: '-waitingMinutes' }

it('answers each state by its code', async () => {
  const codeIn = async (state: State) => {
    const { status, body } = await ask(auditAllot.allotList as unknown as Endpoint, list, state)
    return [status, body?.code]
  }
  expect(await codeIn('Default')).toEqual([200, 0])
  expect(await codeIn('Failing')).toEqual([500, 50001])
  expect(await codeIn('Forbidden')).toEqual([200, 40301])
  expect(await codeIn('SignedOut')).toEqual([200, -10])
  expect((await ask(auditAllot.allotList as unknown as Endpoint, list, 'Offline')).type).toBe('error')
})

it('hides from a desensitised viewer what the server would hide', async () => {
  const nameFor = async (viewer: Scene['viewer']) =>
    (await ask(order.basic as unknown as Endpoint, { orderNo: 'LO1' }, 'Default', 'en', { viewer })).body.data
  const [open, hidden] = [await nameFor('sees everything'), await nameFor('desensitised')]
  expect(open.customer.customerName).not.toContain('*')
  expect(hidden.customer.customerName).toMatch(/^.{2}\*+.{2}$/)
  expect(hidden.customer.phone).toMatch(/^.{2}\*+.{2}$/)
})

it('reads a scene from the token that names it, and the usual one from any other', () => {
  for (const state of states)
    for (const viewer of viewers)
      expect(sceneOf(tokenOf(state, { viewer, network: 'slow (2 s)' }))).toEqual({
        state,
        viewer,
        network: 'slow (2 s)',
      })
  const usual = { state: 'Default', viewer: 'sees everything', network: 'fast' }
  expect(sceneOf(null)).toEqual(usual)
  expect(sceneOf('Failing')).toEqual(usual)
})

it('has no rows and counts nothing when empty', async () => {
  const { body } = await ask(auditAllot.allotList as unknown as Endpoint, list, 'Empty')
  expect(body.data).toEqual({ list: [], total: 0, pageNum: 1, pageSize: 20, next: null, previous: null })
  const summary = await ask(loan.summary as unknown as Endpoint, {}, 'Empty')
  expect(summary.body.data).toMatchObject({ byStatus: { failed: { count: 0, amount: '0.00' } }, accounts: [] })
})

it('leaves a single record its amounts when the lists beside it are empty', async () => {
  const { body } = await ask(order.basic as unknown as Endpoint, { orderNo: 'LO1' }, 'Empty')
  expect(body.data.contacts).toEqual([])
  expect(body.data.payout.cardholderName).toBe('Prossy Nabirye')
  const summary = await ask(orderBrief.summary as unknown as Endpoint, { orderNo: 'LO1' }, 'Empty')
  expect(summary.body.data).toMatchObject({ orderNo: 'LO1', loanAmount: '400000.00' })
})

it('speaks the language of the caller', async () => {
  const said = await Promise.all(
    languages.map(language => ask(loan.summary as unknown as Endpoint, {}, 'Forbidden', language)),
  )
  expect(new Set(said.map(({ body }) => body.msg)).size).toBe(languages.length)
})

it('lets the caller be known where the screen is forbidden or fails', async () => {
  for (const state of ['Forbidden', 'Failing', 'Empty'] as const) {
    const { body } = await ask(user.self as unknown as Endpoint, {}, state)
    const self = Self.parse(body.data)
    expect(self.userInfo.realName).toBe('Grace Nakato')
    const held = (nodes: readonly MenuNode[]): (string | null)[] =>
      nodes.flatMap(node => [node.perms, ...held(node.childList)])
    const codes = routes.flatMap(route => [...(route.perm ? [route.perm] : []), ...route.actions])
    expect(held(self.userMenu)).toEqual(expect.arrayContaining(codes))
    expect(self.sensitivePerms).toContain('pii:reveal:phone')
  }
})

it('gives rows what a filter asks for', async () => {
  const input = { ...list, loanCodeStatus: ['failed'], sort: '-requestTime' }
  const { body } = await ask(loan.page as unknown as Endpoint, input, 'Default')
  expect(new Set(body.data.list.map((row: Values) => row.loanCodeStatus))).toEqual(new Set(['failed']))
})

it('says when a screen calls what its contract does not allow', async () => {
  const complain = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { body } = await ask(auditAllot.allotList as unknown as Endpoint, { ...list, unheardOf: 1 }, 'Default')
  expect(body.code).toBe(40001)
  expect(complain).toHaveBeenCalledOnce()
  complain.mockRestore()
})
