import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { contract } from '../../../../core/contract/contract.ts'
import { command, results } from '../../../../core/contract/endpoint.ts'
import { serve, serveEach } from '../../../http/serve.ts'
import type { Module } from '../../../module.ts'
import { hashToken } from '../../../session/session.ts'
import { hotp, stepAt } from '../../../session/totp.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { mfaModule } from './mfa.ts'
import { mfaSealer } from './mfa-store.ts'

const secretKey = Buffer.from('a key of this installation, kept well')
const secret = Buffer.from('12345678901234567890')
const perm = 'test:money:move'
const input = z.strictObject({ amount: z.string() })
const output = z.object({ moved: z.int() })
const move = command({ path: '/test/move', perm, audit: 'test.move', stepUp: true, input, output })
const other = command({ ...move, path: '/test/other', perm: 'test:other:move', audit: 'test.other' })
const many = command({
  ...move,
  path: '/test/many',
  audit: 'test.many',
  input: z.strictObject({ ids: z.array(z.string()) }),
  output: results,
})

let moved = 0
const moving: Module = {
  served: [
    serve(move, async () => ({ moved: ++moved })),
    serve(other, async () => ({ moved: ++moved })),
    serveEach(many, { ids: ({ ids }) => ids, row: async () => void moved++ }),
  ],
}

let kit: Kit
let person: Person
beforeAll(async () => {
  kit = await openKit({ handmade: true, modules: [mfaModule({ secretKey }), moving], now: '2026-03-02T07:00:10Z' })
})
beforeEach(async () => {
  kit.clock.advance(3_600_000)
  await kit.db.withTx(tx => tx.exec(sql`update session set created_time = ${tx.now}, last_seen_time = ${tx.now}`))
  moved = 0
  person = await bound()
})
afterAll(() => kit.close())

const perms = [perm, 'test:other:move']
const bound = async () => {
  const made = await kit.person({ perms })
  await kit.db.withTx(tx =>
    tx.exec(
      sql`insert into user_mfa (user_no, mfa_status, sealed_secret) values (${made.userNo}, 'bound', ${mfaSealer(secretKey).seal(secret, made.userNo)})`,
    ),
  )
  return made
}
const codeNow = (off = 0) => hotp(secret, stepAt(kit.clock.now()) + off)
const show = (code = codeNow(), as = person) => kit.call(contract.user.stepUp, { code }, { as })
const proof = async (as = person) => (await show(codeNow(), as)).data.stepUp
const send = (o: { proof?: string; key?: string; as?: Person; endpoint?: typeof move } = {}) =>
  kit.call(
    o.endpoint ?? move,
    { amount: '1.00' },
    {
      as: o.as ?? person,
      unproven: true,
      ...(o.key ? { key: o.key } : {}),
      headers: o.proof ? { 'x-step-up': o.proof } : {},
    },
  )
const rows = <T>(query: ReturnType<typeof sql<T>>) => kit.db.read(tx => tx.rows(query))

describe('a call that moves money', () => {
  it('does nothing without a proof, and says for which code it wants one', async () => {
    const answer = await send()
    expect(answer).toMatchObject({ code: 40302, msg: 'This action needs the code of your authenticator' })
    expect(answer.data).toEqual({ perm, bound: true })
    expect(moved).toBe(0)
  })

  it('goes through with one, under the key it was refused with', async () => {
    const key = 'the-key-of-this-intention'
    expect((await send({ key })).code).toBe(40302)
    const given = await proof()
    expect(await send({ key, proof: given })).toMatchObject({ code: 0, data: { moved: 1 } })
    expect(await send({ key, proof: given })).toMatchObject({ code: 0, data: { moved: 1 } })
    expect(moved).toBe(1)
  })

  it('answers again what it answered, without another proof', async () => {
    const key = 'the-key-of-that-intention'
    await send({ key, proof: await proof() })
    kit.clock.advance(11 * 60_000)
    expect(await send({ key })).toMatchObject({ code: 0, data: { moved: 1 } })
  })

  it('goes through for ten minutes, and not a second longer', async () => {
    const given = await proof()
    kit.clock.advance(599_000)
    expect((await send({ proof: given })).code).toBe(0)
    kit.clock.advance(1_000)
    expect((await send({ proof: given })).code).toBe(40302)
  })

  it('takes a proof for one operation code only', async () => {
    const given = await proof()
    expect((await send({ proof: given })).code).toBe(0)
    expect(await send({ proof: given, endpoint: other })).toMatchObject({
      code: 40302,
      data: { perm: 'test:other:move' },
    })
  })

  it('takes no proof of somebody else, of another session, or that there is not', async () => {
    const somebody = await bound()
    const again = { ...person, token: `second-token-of-${person.userNo}` }
    await kit.db.withTx(tx =>
      tx.exec(
        sql`insert into session (session_no, token_hash, user_no, created_time, last_seen_time) values (${`S2${person.userNo}`}, ${hashToken(again.token)}, ${person.userNo}, ${tx.now}, ${tx.now})`,
      ),
    )
    const given = await proof()
    expect((await send({ proof: given, as: somebody })).code).toBe(40302)
    expect((await send({ proof: given, as: again })).code).toBe(40302)
    expect((await send({ proof: 'x'.repeat(43) })).code).toBe(40302)
  })

  it('asks once for many rows', async () => {
    const ask = (headers: Record<string, string>) =>
      kit.call(many, { ids: ['1', '2', '3'] }, { as: person, unproven: true, headers })
    expect((await ask({})).code).toBe(40302)
    expect(moved).toBe(0)
    expect(await ask({ 'x-step-up': await proof() })).toMatchObject({ code: 0, data: { ok: 3, fail: 0 } })
  })

  it('asks a person without the right for nothing', async () => {
    const nobody = await kit.person({ perms: [] })
    expect((await send({ as: nobody })).code).toBe(40301)
  })
})

describe('the code', () => {
  it('is good once, also when it is sent twice at the same time', async () => {
    const answers = await Promise.all([show(), show()])
    expect(answers.map(one => one.code).sort()).toEqual([0, 40001])
    expect((await show()).msg).toContain('already used')
  })

  it('of the next 30 seconds is good for a clock that is ahead', async () => {
    expect((await show(codeNow(1))).code).toBe(0)
    expect((await show(codeNow())).msg).toContain('already used')
  })

  it('says how many tries are left, at its field', async () => {
    const wrong = codeNow(7)
    const answer = await show(wrong)
    expect(answer).toMatchObject({ code: 40001, msg: 'The code is wrong; 4 tries left' })
    expect(answer.data).toEqual({ fields: [{ path: 'code', msg: 'The code is wrong; 4 tries left' }] })
    expect((await show(wrong)).msg).toContain('3 tries left')
    expect((await show()).code).toBe(0)
    expect((await show(wrong)).msg).toContain('4 tries left')
  })

  it('ends the session when it is wrong five times, and stays shut for 15 minutes in the next one', async () => {
    const wrong = codeNow(7)
    for (let n = 0; n < 4; n++) expect((await show(wrong)).code).toBe(40001)
    expect((await show(wrong)).code).toBe(-10)
    expect((await send()).code).toBe(-10)
    await kit.db.withTx(tx => tx.exec(sql`update session set ended_time = null where user_no = ${person.userNo}`))
    expect(await show()).toMatchObject({ code: 42901, msg: 'Too many attempts; try again in 900 s' })
    kit.clock.advance(15 * 60_000)
    expect((await show()).code).toBe(0)
  })

  it.each(['12345', '1234567', 'abcdef', ''])('is refused unseen when it is "%s"', async code => {
    expect(await show(code)).toMatchObject({ code: 40001, data: { fields: [{ path: 'code' }] } })
    expect((await show(codeNow(7))).msg).toContain('4 tries left')
  })

  it('leaves its mark in the audit log and in the history of the binding, never itself', async () => {
    const code = codeNow()
    await show(codeNow(7))
    const { data } = await show(code)
    const lines = await rows(
      sql<{
        action: string
        line: string
      }>`select action, a::text as line from audit_log a where object_no = ${person.userNo} and object_type = 'user' order by audit_no`,
    )
    expect(lines.map(line => line.action)).toEqual(['user.stepUpFailed', 'user.stepUp'])
    const kept = await rows(
      sql<{
        line: string
      }>`select m::text as line from user_mfa m union all select p::text from step_up p union all select i::text from idempotency i union all select t::text from state_transition t`,
    )
    for (const hidden of [code, secret.toString(), data.stepUp])
      for (const { line } of [...lines, ...kept]) expect(line).not.toContain(hidden)
    const events = await rows(
      sql<{ event: string }>`select event from state_transition where machine = 'M07' and object_no = ${person.userNo}`,
    )
    expect(events).toEqual([{ event: 'totp.use' }])
  })
})

describe('somebody without an authenticator', () => {
  it('learns where to bind one', async () => {
    const unbound = await kit.person({ perms })
    expect((await send({ as: unbound })).data).toEqual({ perm, bound: false })
    expect(await show(codeNow(), unbound)).toMatchObject({
      code: 40301,
      msg: 'You have no authenticator. Set one up in the user menu of the console, under “Authenticator”.',
    })
  })
})
