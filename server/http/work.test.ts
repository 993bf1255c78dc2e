import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { contract } from '../../core/contract/contract.ts'
import { refuseInTransaction } from '../db/in-transaction.ts'
import { tokenClient } from '../gateways/http-client.ts'
import { type Kit, openKit, type Person } from '../testing/kit.ts'
import { Fault } from './fault.ts'
import { serveEachWork, serveWork } from './serve.ts'

const { audit, loan } = contract
const input = { orderNo: 'LO-1', leaseToken: 'a-lease-that-nobody-guesses' }
const verified = { verifyResult: 'passed' as const, holderName: null, matchScore: null }

let kit: Kit
let who: Person
let worked: string[] = []
let work: () => Promise<void> = async () => undefined

/** Work that waits until it is let go. */
const held = () => {
  let go: () => void = () => undefined
  const waiting = new Promise<void>(resolve => {
    go = resolve
  })
  work = () => waiting
  return () => go()
}

beforeAll(async () => {
  const doing = async (what: string) => {
    refuseInTransaction('work')
    worked.push(what)
    await work()
  }
  kit = await openKit({
    modules: [
      {
        served: [
          serveWork(audit.verifyPayout, {
            before: async ({ input }) => input.orderNo,
            work: doing,
            after: async () => verified,
          }),
          serveEachWork(loan.verify, {
            ids: ({ loanCodes }) => loanCodes,
            before: async id => id,
            work: doing,
            after: async () => undefined,
          }),
        ],
      },
    ],
  })
  who = await kit.person({ perms: [audit.verifyPayout.perm ?? '', loan.verify.perm ?? ''] })
})
afterAll(() => kit.close())
beforeEach(() => {
  worked = []
  work = async () => undefined
})

const ask = (key: string) => kit.call(audit.verifyPayout, input, { as: who, key })

describe('work between two transactions', () => {
  it('is not done again for a replay', async () => {
    const key = randomUUID()
    expect(await ask(key)).toMatchObject({ code: 0, data: verified })
    expect(await ask(key)).toMatchObject({ code: 0, data: verified })
    expect(worked).toEqual(['LO-1'])
  })

  it('is done once where the same call comes twice at once; the second is answered when it is over', async () => {
    const key = randomUUID()
    const go = held()
    const first = ask(key)
    await expect.poll(() => worked.length).toBe(1)
    expect(await ask(key)).toMatchObject({ code: 40904 })
    go()
    expect(await first).toMatchObject({ code: 0 })
    expect(await ask(key)).toMatchObject({ code: 0, data: verified })
    expect(worked).toEqual(['LO-1'])
  })

  it('keeps a refusal, and lets the key go when it broke', async () => {
    const [refused, broken] = [randomUUID(), randomUUID()]
    work = () => Promise.reject(new Fault('validation', 'validation.wrongValue'))
    expect(await ask(refused)).toMatchObject({ code: 40001 })
    work = () => Promise.reject(new Error('broken'))
    expect(await ask(broken)).toMatchObject({ code: 50001 })
    work = async () => undefined
    expect(await ask(refused)).toMatchObject({ code: 40001 })
    expect(await ask(broken)).toMatchObject({ code: 0 })
    expect(worked).toHaveLength(3)
  })

  it('goes on elsewhere when its process died, and what the first still brings counts once', async () => {
    const key = randomUUID()
    const go = held()
    const first = ask(key)
    await expect.poll(() => worked.length).toBe(1)
    await kit.db.withTx(tx =>
      tx.exec(
        sql`update idempotency set working_until = clock_timestamp() - interval '1 second' where idempotency_key = ${key}`,
      ),
    )
    work = async () => undefined
    const second = await ask(key)
    go()
    expect(await first).toEqual(second)
    expect(worked).toHaveLength(2)
    const noted = await kit.db.read(tx =>
      tx.one(sql<{ n: number }>`select count(*)::int as n from audit_log where action = ${audit.verifyPayout.audit}`),
    )
    expect(noted.n).toBe(4)
  })

  it('of several rows is done once for each', async () => {
    const key = randomUUID()
    const both = { loanCodes: ['LC-1', 'LC-2'] }
    const rows = () => kit.call(loan.verify, both, { as: who, key })
    const go = held()
    const first = rows()
    await expect.poll(() => worked.length).toBe(1)
    expect(await rows()).toMatchObject({ code: 40904 })
    go()
    expect(await first).toMatchObject({ data: { ok: 2, fail: 0 } })
    expect(await rows()).toMatchObject({ data: { ok: 2, fail: 0 } })
    expect(worked).toEqual(['LC-1', 'LC-2'])
  })
})

it('a network is never called while a transaction is open, and may be once it is committed', async () => {
  let called = 0
  const client = tokenClient(
    { baseUrl: 'http://network.test', prefix: '', headers: {}, token: { path: '/token', init: {} } },
    {
      fetch: async () => {
        called++
        return Response.json({ access_token: 'a', expires_in: 60 })
      },
    },
  )
  const call = () => client.call({ method: 'GET', path: '/balance' })
  await expect(kit.db.withTx(call)).rejects.toThrow('while a transaction is open')
  await expect(kit.db.read(call)).rejects.toThrow('while a transaction is open')
  expect(called).toBe(0)
  let after: Promise<unknown> = Promise.resolve()
  await kit.db.withTx(async tx => {
    tx.afterCommit(() => {
      after = call()
    })
  })
  expect(await after).toMatchObject({ kind: 'http', status: 200 })
})
