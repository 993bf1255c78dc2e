import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract, endpoints } from '../../core/contract/contract.ts'
import type { Endpoint } from '../../core/contract/endpoint.ts'
import { languages } from '../../core/i18n/language.ts'
import type { Tx } from '../../server/db/database.ts'
import { claim, resume } from '../../server/http/idempotency.ts'
import { writesOf } from '../../server/testing/writes.ts'
import { chosen, replayed } from '../chosen.ts'
import { type Fixture, openFixture } from './fixture.ts'
import { inputOf } from './inputs.ts'

const commands = endpoints.filter(({ endpoint }) => endpoint.auth === 'staff' && endpoint.audit)
/** Commands without a single field: other content of theirs is only other bytes. */
const otherBody = (endpoint: Endpoint, body: string): string => {
  const other = [2, 3, 4, 5].map(seed => JSON.stringify(inputOf(endpoint, seed))).find(text => text !== body)
  return other ?? `${body} `
}

let fixture: Fixture
beforeAll(async () => {
  fixture = await openFixture()
  await fixture.queueUp()
})
afterAll(() => fixture.close())

describe.each(chosen('idempotency', commands))('$name', ({ name, endpoint }) => {
  replayed('tests/contract/idempotency.test.ts', `--endpoint ${name}`)
  const body = JSON.stringify(inputOf(endpoint))
  const key = `${name}-${randomUUID()}`
  const ask = (o: { body?: string; key?: string; language?: (typeof languages)[number] } = {}) =>
    fixture.ask(endpoint, {}, { as: fixture.boss, body, key, ...o })

  it('answers the same call with the same bytes, and does it once', async () => {
    const first = await ask()
    expect([-10, 40903, 40904, 50001]).not.toContain(first.code)
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    const written = await writesOf(fixture.db)
    for (const language of languages) {
      const again = await ask({ language })
      expect(again.text).toBe(first.text)
      expect(again.headers.get('idempotent-replayed')).toBe('true')
    }
    expect(await written()).toEqual([])
  })

  it('refuses the same key with other content, and changes nothing', async () => {
    const written = await writesOf(fixture.db)
    const messages = new Set<string>()
    for (const language of languages) {
      const heard = await ask({ body: otherBody(endpoint, body), language })
      expect(heard).toMatchObject({ code: 40903, status: 200, data: null })
      expect(heard.headers.get('idempotent-replayed')).toBeNull()
      messages.add(heard.msg)
    }
    expect(messages.size).toBe(languages.length)
    expect(await written()).toEqual([])
  })

  it('refuses the same key for another command, and changes nothing', async () => {
    const { endpoint: other } = commands[(commands.findIndex(one => one.name === name) + 1) % commands.length]!
    const written = await writesOf(fixture.db)
    const heard = await fixture.ask(other, inputOf(other), { as: fixture.boss, key })
    expect(heard.code).toBe(40903)
    expect(await written()).toEqual([])
  })

  it('lets another person use the same key', async () => {
    const heard = await fixture.ask(endpoint, {}, { as: fixture.second, body, key })
    expect(heard.code).not.toBe(40903)
    expect(heard.headers.get('idempotent-replayed')).toBeNull()
  })
})

it('does what succeeded once, however often it is asked for', async () => {
  const { audit } = contract
  const [one, two] = [await fixture.queueUp(), await fixture.queueUp()]
  const allot = { orderNos: [one], auditorNos: [fixture.boss.userNo] }
  const key = randomUUID()
  const first = await fixture.ask(audit.allot, allot, { as: fixture.boss, key })
  expect(first).toMatchObject({ code: 0, data: { ok: 1, fail: 0 } })
  const written = await writesOf(fixture.db)
  expect((await fixture.ask(audit.allot, allot, { as: fixture.boss, key })).text).toBe(first.text)
  const more = { ...allot, orderNos: [one, two] }
  expect((await fixture.ask(audit.allot, more, { as: fixture.boss, key })).code).toBe(40903)
  expect(await written()).toEqual([])
})

it('answers the same of a batch whose rows the server chose, also when other rows wait now', async () => {
  const { audit } = contract
  const key = randomUUID()
  const first = await fixture.ask(audit.autoAllot, {}, { as: fixture.boss, key })
  expect(first.code).toBe(0)
  await fixture.queueUp()
  const again = await fixture.ask(audit.autoAllot, {}, { as: fixture.boss, key })
  expect(again.text).toBe(first.text)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
})

it('keeps no key of a call that asked for a confirmation: it goes on with the same one', async () => {
  const { repay } = contract
  const { orderNo } = await fixture.disbursed()
  const { trialKey, version, ...form } = await fixture.tried(fixture.typed(orderNo, '250000.00', 'settle'))
  const key = randomUUID()
  const { confirmGreater, confirmLess, ...bare } = form
  expect([confirmGreater, confirmLess]).toContain(true)
  const asked = await fixture.ask(repay.commit, { ...bare, version, trialKey }, { as: fixture.boss, key })
  expect(asked.code).toBe(40002)
  const done = await fixture.ask(repay.commit, { ...form, version, trialKey }, { as: fixture.boss, key })
  expect(done).toMatchObject({ code: 0, data: { orderStatus: 'settled' } })
})

it('says that a call is running when the same call does not end in time', async () => {
  const blocked = { now: new Date(), exec: () => Promise.reject({ code: '55P03' }) } as unknown as Tx
  const same = { caller: 'U1', key: 'k'.repeat(16), endpoint: '/x', bodyHash: 'h' }
  await expect(claim(blocked, same)).rejects.toMatchObject({ code: 40904 })
  await expect(resume(blocked, same)).rejects.toMatchObject({ code: 40904 })
})
