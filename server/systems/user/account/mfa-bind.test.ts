import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { contract } from '../../../../core/contract/contract.ts'
import { command } from '../../../../core/contract/endpoint.ts'
import { approvalModule } from '../../../approval/approval.ts'
import { serve } from '../../../http/serve.ts'
import { silentLog } from '../../../log.ts'
import { jobsOf } from '../../../run.ts'
import { hashPassword } from '../../../session/password.ts'
import { fromBase32, hotp, stepAt } from '../../../session/totp.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { messageModule } from '../../portal/message/message.ts'
import { mfaModule } from './mfa.ts'

const { mfa, user, common, message } = contract
const secretKey = Buffer.from('a key of this installation, kept well')
const password = 'Nile-Boat-47'
const perm = 'fund:payout:confirm'
const move = command({
  path: '/test/move',
  perm,
  audit: 'test.move',
  stepUp: true,
  input: z.strictObject({}),
  output: z.object({ moved: z.boolean() }),
})

let kit: Kit
let scheduler: ReturnType<typeof jobsOf>['scheduler']
let hash: string
let person: Person
beforeAll(async () => {
  const own = mfaModule({ secretKey })
  const modules = [
    own,
    approvalModule(own.approvals ?? []),
    messageModule(),
    { served: [serve(move, async () => ({ moved: true }))] },
  ]
  kit = await openKit({ handmade: true, modules, now: '2026-03-02T07:00:10Z' })
  scheduler = jobsOf({ db: kit.db, log: silentLog, modules }).scheduler
  hash = await hashPassword(password)
})
const somebody = async (o: Parameters<Kit['person']>[0]) => {
  const made = await kit.person(o)
  await kit.db.withTx(tx => tx.exec(sql`update app_user set password_hash = ${hash} where user_no = ${made.userNo}`))
  return made
}
beforeEach(async () => {
  kit.clock.advance(61_000)
  await kit.db.withTx(tx => tx.exec(sql`update session set created_time = ${tx.now}, last_seen_time = ${tx.now}`))
  person = await somebody({ perms: [perm] })
})
afterAll(() => kit.close())

const mine = (as = person) => kit.call(mfa.mine, {}, { as })
const start = (given = password, as = person) => kit.call(mfa.start, { password: given }, { as })
const refresh = (as = person) => kit.call(mfa.refresh, {}, { as })
const codeOf = (secret: string, off = 0) => hotp(fromBase32(secret), stepAt(kit.clock.now()) + off)
const confirm = (code: string, as = person) => kit.call(mfa.confirm, { code }, { as })
const bound = async (as = person) => {
  const { data } = await start(password, as)
  const answer = await confirm(codeOf(data.secretText), as)
  expect(answer, answer.msg).toMatchObject({ code: 0 })
  return { secret: data.secretText, codes: answer.data.recoveryCodes }
}
const prove = (code: string, as = person) => kit.call(user.stepUp, { code }, { as })
const send = (as = person, headers: Record<string, string> = {}) => kit.call(move, {}, { as, unproven: true, headers })
const rows = <T>(query: ReturnType<typeof sql<T>>) => kit.db.read(tx => tx.rows(query))
const events = (as = person) =>
  rows(sql<{ event: string; toState: string }>`
    select event, to_state from state_transition where machine = 'M07' and object_no = ${as.userNo} order by at, transition_no`)
const actions = async (as = person) =>
  (
    await rows(sql<{ action: string }>`select action from audit_log where object_no = ${as.userNo} order by audit_no`)
  ).map(row => row.action)

describe('binding', () => {
  it('takes the password, a secret and its first code; then money moves with the next one', async () => {
    expect((await mine()).data).toEqual({ mfaStatus: 'unbound', boundTime: null, recoveryLeft: 0, moneyFrom: null })
    expect((await send()).data).toEqual({ perm, bound: false })
    const { data: offer } = await start()
    expect(offer.secretText).toMatch(/^[A-Z2-7]{32}$/)
    expect(offer.otpauthUrl).toBe(
      `otpauth://totp/Mkopo:login.${person.userNo}?issuer=Mkopo&secret=${offer.secretText}&algorithm=SHA1&digits=6&period=30`,
    )
    expect(offer).toMatchObject({
      expireTime: new Date(kit.clock.now().getTime() + 600_000).toISOString(),
      secondsLeft: 600,
      refreshLeft: 5,
    })
    expect((await mine()).data.mfaStatus).toBe('binding')
    expect((await prove(codeOf(offer.secretText))).code).toBe(40301)
    const code = codeOf(offer.secretText)
    const { data } = await confirm(code)
    expect(new Set(data.recoveryCodes).size).toBe(10)
    for (const one of data.recoveryCodes) expect(one).toMatch(/^[A-Z2-7]{4}-[A-Z2-7]{4}$/)
    expect((await mine()).data).toMatchObject({ mfaStatus: 'bound', recoveryLeft: 10, moneyFrom: null })
    expect((await prove(code)).msg).toContain('already used')
    const proof = (await prove(codeOf(offer.secretText, 1))).data.stepUp
    expect(await send(person, { 'x-step-up': proof })).toMatchObject({ code: 0, data: { moved: true } })
    expect(await actions()).toEqual(
      ['user.mfaStart', 'user.mfaBound', 'user.stepUpFailed', 'user.stepUp', 'test.move'].slice(0, 4),
    )
    expect((await events()).map(one => one.event)).toEqual(['user.add', 'bind.start', 'bind.confirm', 'totp.use'])
  })

  it('A14: keeps neither secret nor recovery codes where they can be read', async () => {
    const { secret, codes } = await bound()
    const kept = await rows(sql<{ line: string }>`
      select m::text as line from user_mfa m union all select r::text from recovery_code r union all select a::text from audit_log a
      union all select i::text from idempotency i union all select t::text from state_transition t`)
    for (const hidden of [secret, ...codes]) for (const { line } of kept) expect(line).not.toContain(hidden)
  })

  it('wants the right password, and five wrong ones end the session', async () => {
    for (let n = 0; n < 4; n++)
      expect(await start('wrong-boat-1')).toMatchObject({ code: 40001, data: { fields: [{ path: 'password' }] } })
    expect((await start('wrong-boat-1')).code).toBe(-10)
    expect((await mine()).code).toBe(-10)
    expect(await events()).toEqual([])
  })

  it('draws a new secret five times, and each makes the one before it void', async () => {
    const first = (await start()).data.secretText
    let last = first
    for (const refreshLeft of [4, 3, 2, 1, 0]) {
      const { data } = await refresh()
      expect(data.refreshLeft).toBe(refreshLeft)
      expect(data.secretText).not.toBe(last)
      last = data.secretText
    }
    expect(await refresh()).toMatchObject({ code: 41001 })
    expect((await actions()).filter(action => action === 'user.mfaRefresh')).toHaveLength(5)
    expect((await confirm(codeOf(first))).code).toBe(40001)
    expect((await confirm(codeOf(last))).code).toBe(0)
  })

  it('is over after five wrong codes', async () => {
    const { data } = await start()
    const wrong = codeOf(data.secretText, 7)
    for (const left of ['4 tries', '3 tries', '2 tries', '1 try'])
      expect((await confirm(wrong)).msg).toContain(`${left} left`)
    expect(await confirm(wrong)).toMatchObject({
      code: 40901,
      msg: 'Five wrong codes: the setup key is no longer valid. Start again.',
    })
    expect((await mine()).data.mfaStatus).toBe('unbound')
    expect((await confirm(codeOf(data.secretText))).code).toBe(40901)
    expect((await events()).slice(-2)).toEqual([
      { event: 'bind.confirm', toState: 'binding' },
      { event: 'clock.ttl', toState: 'unbound' },
    ])
  })

  it('is over after ten minutes, whether the clock has run or not', async () => {
    const { data } = await start()
    kit.clock.advance(600_000)
    expect(await confirm(codeOf(data.secretText))).toMatchObject({ code: 40901 })
    expect((await refresh()).msg).toContain('within 10 minutes')
    await scheduler.runDue()
    expect((await mine()).data.mfaStatus).toBe('unbound')
    expect((await events()).at(-1)).toEqual({ event: 'clock.ttl', toState: 'unbound' })
    expect((await bound()).codes).toHaveLength(10)
  })

  it('starts over where the last one was not confirmed, and not while one is bound', async () => {
    const first = (await start()).data.secretText
    const second = (await start()).data.secretText
    expect((await confirm(codeOf(first))).code).toBe(40001)
    expect((await confirm(codeOf(second))).code).toBe(0)
    expect(await start()).toMatchObject({ code: 40901, data: { status: 'bound' } })
    expect(await refresh()).toMatchObject({ code: 40901, data: { status: 'bound' } })
  })

  it('binds once when the code is sent twice at the same time', async () => {
    const { data } = await start()
    const code = codeOf(data.secretText)
    const answers = await Promise.all([confirm(code), confirm(code)])
    expect(answers.map(one => one.code).sort()).toEqual([0, 40901])
    expect((await mine()).data.recoveryLeft).toBe(10)
  })
})

describe('a recovery code', () => {
  it('stands in for the authenticator once, in any case, and its owner is notified', async () => {
    const { codes } = await bound()
    const answers = await Promise.all([prove(codes[0]!.toLowerCase()), prove(codes[0]!)])
    expect(answers.map(one => one.code).sort()).toEqual([0, 40001])
    const proof = answers.find(one => one.code === 0)!.data.stepUp
    expect((await send(person, { 'x-step-up': proof })).code).toBe(0)
    expect((await mine()).data.recoveryLeft).toBe(9)
    const { data } = await kit.call(message.page, {}, { as: person })
    expect(data.list.map(row => row.title)).toEqual(['A recovery code was used'])
    expect(data.list[0]?.content).toContain('9 are left')
  })

  it('is nobody else’s, and a wrong one counts as a wrong code', async () => {
    const { codes } = await bound()
    const other = await somebody({ perms: [perm] })
    await bound(other)
    expect((await prove(codes[1]!, other)).msg).toContain('4 tries left')
    expect((await prove('AAAA-AAAA')).msg).toContain('4 tries left')
  })

  it('of an earlier binding is void', async () => {
    const before = await bound()
    const admin = await somebody({ perms: ['user:resetMfa'], limit: 'all' })
    await kit.db.withTx(tx => tx.exec(sql`delete from role_menu where role_no = ${`R${person.userNo}`}`))
    await kit.call(mfa.reset, { loginId: `login.${person.userNo}`, reason: 'phone lost' }, { as: admin })
    await kit.db.withTx(tx => tx.exec(sql`update session set ended_time = null`))
    await bound()
    expect((await prove(before.codes[0]!)).code).toBe(40001)
  })
})

describe('taking an authenticator away', () => {
  const reset = (as: Person, of = person, reason = 'phone lost') =>
    kit.call(mfa.reset, { loginId: `LOGIN.${of.userNo}`, reason }, { as })
  const admin = () => somebody({ perms: ['user:resetMfa'], limit: 'all' })
  const clerk = () => somebody({ perms: ['audit:self:page'] })

  it('of a person who moves no money is done at once: signed out, notified, and bound again', async () => {
    const target = await clerk()
    await bound(target)
    const by = await admin()
    expect(await reset(by, target)).toMatchObject({ code: 0, data: { approvalNo: null, ended: 1 } })
    expect((await mine(target)).code).toBe(-10)
    await kit.db.withTx(tx => tx.exec(sql`update session set ended_time = null where user_no = ${target.userNo}`))
    expect((await mine(target)).data).toMatchObject({ mfaStatus: 'unbound', recoveryLeft: 0 })
    const { data } = await kit.call(message.page, {}, { as: target })
    expect(data.list[0]).toMatchObject({ title: 'Your authenticator was reset' })
    expect(data.list[0]?.content).toContain('phone lost')
    expect((await actions(target)).at(-1)).toBe('user.resetMfa')
  })

  it('user 9: of a person who moves money waits for a second person; then they move none for a day', async () => {
    const { secret } = await bound()
    const [by, checker] = [await admin(), await somebody({ perms: ['user:resetMfa:check'], limit: 'all' })]
    const { data } = await reset(by)
    expect(data).toEqual({ approvalNo: expect.stringMatching(/^AP/), ended: 0 })
    expect((await mine()).data.mfaStatus).toBe('bound')
    expect((await reset(by)).code).toBe(40901)
    const waiting = await kit.call(common.approvals, { box: 'toCheck' }, { as: checker })
    const asked = waiting.data.list.find(row => row.approvalNo === data.approvalNo)!
    expect(asked.summary).toContainEqual({ label: 'Authenticator status', before: 'Set up', after: 'Not set up' })
    const approved = await kit.call(
      common.approve,
      { approvalNo: asked.approvalNo, version: asked.version },
      { as: checker },
    )
    expect(approved).toMatchObject({ code: 0, data: { approvalStatus: 'executed' } })
    expect((await mine()).code).toBe(-10)
    await kit.db.withTx(tx => tx.exec(sql`update session set ended_time = null where user_no = ${person.userNo}`))
    const fresh = await bound()
    expect(fresh.secret).not.toBe(secret)
    expect((await mine()).data.moneyFrom).toBe(new Date(kit.clock.now().getTime() + 86_400_000).toISOString())
    const proof = (await prove(codeOf(fresh.secret, 1))).data.stepUp
    expect(await send(person, { 'x-step-up': proof })).toMatchObject({ code: 40301 })
    expect((await send()).msg).toMatch(/cannot move money until 2026-03-03 \d\d:\d\d:\d\d/)
    kit.clock.advance(86_400_000)
    await kit.db.withTx(tx => tx.exec(sql`update session set created_time = ${tx.now}, last_seen_time = ${tx.now}`))
    expect((await send()).code).toBe(40302)
    expect((await mine()).data.moneyFrom).toBeNull()
  })

  it('ends the tokens of partners’ pages with the sessions', async () => {
    const target = await clerk()
    await bound(target)
    await kit.db.withTx(async tx => {
      await tx.exec(sql`
        insert into partner_grant (partner_no, partner_name, client_id, secret_hash, origins, widgets, perms, merchant_nos, created_time)
        values (${`PG${target.userNo}`}, 'Acme', ${target.userNo}, 'x', '{https://acme.test}', '{}', '{}', '{}', ${tx.now})`)
      await tx.exec(sql`
        insert into embed_token (embed_token_no, embed_token_status, token_hash, chain_no, partner_no, user_no, origin, widgets, perms, merchant_nos, issued_time, expires_time, refresh_until)
        values (${`ET${target.userNo}`}, 'active', ${target.userNo}, ${`ET${target.userNo}`}, ${`PG${target.userNo}`}, ${target.userNo}, 'https://acme.test', '{}', '{}', '{}', ${tx.now}, ${tx.now}::timestamptz + interval '1 hour', ${tx.now}::timestamptz + interval '1 hour')`)
    })
    expect((await reset(await admin(), target)).data.ended).toBe(2)
    expect(
      await rows(sql`select embed_token_status, ended_reason from embed_token where user_no = ${target.userNo}`),
    ).toEqual([{ embedTokenStatus: 'revoked', endedReason: 'mfa.reset' }])
  })

  it('A15: is refused for oneself, for strangers, for nobody, for nothing and without the code', async () => {
    const by = await admin()
    await bound(by)
    expect(await reset(by, by)).toMatchObject({ code: 40301, msg: 'You cannot reset your own authenticator' })
    expect((await reset(by, { ...person, userNo: 'nobody-at-all' })).code).toBe(40401)
    expect(await reset(by, await clerk())).toMatchObject({ code: 40901, data: { status: 'unbound' } })
    const near = await somebody({ perms: ['user:resetMfa'], limit: 'own' })
    expect((await reset(near)).code).toBe(40401)
    expect((await reset(await clerk())).code).toBe(40301)
    const unproven = kit.call(mfa.reset, { loginId: `login.${person.userNo}`, reason: 'x' }, { as: by, unproven: true })
    expect((await unproven).code).toBe(40302)
  })
})
