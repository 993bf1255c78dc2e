import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { Displaced } from '../../../../core/contract/user/session.ts'
import type { NextStep } from '../../../../core/contract/user/user.ts'
import { hashPassword } from '../../../session/password.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { frozen, left } from '../../../testing/people.ts'
import { authModule } from './auth.ts'
import { selfModule } from './self.ts'

const { user } = contract
const minute = 60_000
const password = 'Nile-Boat-47'

let kit: Kit
let passwordHash: string
let someone: Person
let loginId: string

beforeAll(async () => {
  passwordHash = await hashPassword(password)
  kit = await openKit({
    modules: [
      authModule({ secretKey: Buffer.alloc(32) }, { challenges: 10_000, perAddress: 10_000, failures: 10_000 }),
      selfModule({ demo: true }),
    ],
  })
})
beforeEach(async () => {
  kit.clock.advance(24 * 60 * minute)
  someone = await worker()
  loginId = loginOf(someone)
})
afterAll(() => kit.close())

const loginOf = (person: Person) => `login.${person.userNo}`
const worker = async (change: { status?: string; employee?: string; initial?: boolean } = {}) => {
  const person = await kit.person({ perms: ['audit:self:page'] })
  await kit.db.withTx(async tx => {
    await tx.exec(sql`
      update app_user set password_hash = ${passwordHash}, password_update_status = ${change.initial ? 1 : 0}
      where user_no = ${person.userNo}`)
    if (change.status === 'frozen') await frozen(tx, person.userNo)
    if (change.employee === 'left') await left(tx, person.userNo)
  })
  return person
}

const browser = { 'user-agent': 'Browser A' }
const chrome = {
  from: '203.0.113.9',
  headers: { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/141.0.0.0 Safari/537.36' },
}
const challenge = async () => (await kit.call(user.challenge, {}, { headers: browser })).data.challengeId
const signIn = async (
  username: string,
  given = password,
  o: { challengeId?: string; headers?: Record<string, string>; language?: 'zh' | 'en' | 'sw' } = {},
) =>
  kit.call(
    user.login,
    { challengeId: o.challengeId ?? (await challenge()), username, password: given },
    { headers: o.headers ?? browser, language: o.language },
  )
/** What a sign-in answers that is through. */
const done = (answer: { data: NextStep }) => {
  if (answer.data.nextStep !== 'done') throw new Error(answer.data.nextStep)
  return answer.data
}
const rows = <T>(query: ReturnType<typeof sql<T>>) => kit.db.read(tx => tx.rows(query))

describe('signing in', () => {
  it('keeps the mark of the browser with the session, as a hash', async () => {
    const input = { challengeId: await challenge(), username: loginId, password, deviceMark: 'the browser at desk 4' }
    expect((await kit.call(user.login, input, { headers: browser })).code).toBe(0)
    const [newest] = await rows(
      sql<{ device: string }>`select device from session where user_no = ${someone.userNo} and device is not null`,
    )
    expect(newest?.device).toMatch(/^[0-9a-f]{64}$/)
  })

  it('answers the token with who I am and what I may, and the token works', async () => {
    const data = done(await signIn(`  ${loginId.toUpperCase()} `))
    expect(data).toMatchObject({
      nextStep: 'done',
      passwordUpdateStatus: 0,
      userInfo: {
        userNo: someone.userNo,
        loginId,
        deptName: 'Review floor',
        organNo: 'O1',
        principalMerchantNo: 'M1',
        associatedMerchantNos: ['M2'],
        isDesensitization: false,
      },
    })
    expect(data.allowedPaths).toEqual([`/admincontent/test/${someone.userNo.toLowerCase()}`])
    const self = await kit.call(user.self, {}, { as: { userNo: someone.userNo, token: data.token } })
    expect(self.data.userMenu).toEqual(data.userMenu)
    expect(self.data.userMenu[0]?.childList.map(node => node.perms)).toEqual(['audit:self:page'])
  })

  it('stores neither token nor password, and leaves a line in the audit log', async () => {
    const data = done(await signIn(loginId))
    await signIn(loginId, 'wrong-password')
    const stored = JSON.stringify([
      await rows(sql<object>`select * from session`),
      await rows(sql<object>`select * from audit_log`),
    ])
    expect(stored).not.toContain(data.token)
    expect(stored).not.toContain('wrong-password')
    expect(
      await rows(
        sql<object>`select action, object_no, actor from audit_log where object_no in (${someone.userNo}, ${loginId.toLowerCase()}) order by audit_no`,
      ),
    ).toEqual([
      { action: 'user.login', objectNo: someone.userNo, actor: someone.userNo },
      { action: 'user.loginFailed', objectNo: loginId.toLowerCase(), actor: 'anonymous' },
    ])
  })

  it('tells when and from where the sign-in before was', async () => {
    kit.clock.advance(minute)
    const before = kit.clock.now().toISOString()
    await signIn(loginId)
    kit.clock.advance(5 * minute)
    expect(done(await signIn(loginId)).userInfo.lastLoginTime).toBe(before)
  })

  it('keeps at most three sessions, the oldest goes', async () => {
    const tokens = []
    for (let n = 0; n < 4; n++) {
      kit.clock.advance(minute)
      const { challengeId } = (await kit.call(user.challenge, {}, chrome)).data
      tokens.push(done(await kit.call(user.login, { challengeId, username: loginId, password }, chrome)).token)
    }
    const codes = await Promise.all(
      tokens.map(async token => (await kit.call(user.self, {}, { as: { userNo: '', token } })).code),
    )
    expect(codes).toEqual([-10, 0, 0, 0])
    const { msg, data } = await kit.call(user.self, {}, { as: { userNo: '', token: tokens[0] as string } })
    expect(msg).toContain('You signed in somewhere else, so you were signed out here')
    expect(msg).toContain('from 203.0.113.9 · Chrome 141 · Windows')
    expect(Displaced.parse(data)).toEqual({
      reason: 'replaced',
      time: kit.clock.now().toISOString(),
      from: '203.0.113.9 · Chrome 141 · Windows',
    })
    expect((await kit.call(user.self, {}, { as: someone })).code).toBe(-10)
  })

  it('asks for both fields before anything else', async () => {
    expect(await signIn('', password)).toMatchObject({ code: 40001, msg: 'Username or password cannot be empty' })
    expect(await signIn(loginId, '')).toMatchObject({ code: 40001, msg: 'Username or password cannot be empty' })
  })
})

describe('a refused sign-in', () => {
  it('has the same words for unknown, wrong, frozen, left, locked and no human being', async () => {
    const locked = await worker()
    const robot = await worker()
    await kit.db.withTx(tx =>
      tx.exec(sql`
        insert into audit_person (user_no, queue_cap, approval_cap, ai_employee) values (${robot.userNo}, 10, 1000000, true)`),
    )
    expect((await kit.call(user.self, {}, { as: robot })).code).toBe(-10)
    for (let n = 0; n < 5; n++) await signIn(loginOf(locked), 'wrong-password')
    const answers = [
      await signIn('nobody.here'),
      await signIn(loginId, 'wrong-password'),
      await signIn(loginOf(await worker({ status: 'frozen' }))),
      await signIn(loginOf(await worker({ employee: 'left' }))),
      await signIn(loginOf(locked)),
      await signIn(loginOf(robot)),
    ]
    for (const answer of answers)
      expect(answer).toEqual({ code: 40001, msg: 'Username or password is incorrect', data: null })
    expect((await signIn(loginId, 'wrong-password', { language: 'zh' })).msg).toBe('用户名或密码错误')
  })

  it('takes as long for a name that nobody has', async () => {
    const timed = async (username: string) => {
      const challengeId = await challenge()
      const started = performance.now()
      await signIn(username, 'wrong-password', { challengeId })
      return performance.now() - started
    }
    const [known, unknown] = [[] as number[], [] as number[]]
    for (let n = 0; n < 4; n++) {
      known.push(await timed(loginId))
      unknown.push(await timed('nobody.at.all'))
    }
    const ratio = Math.min(...unknown) / Math.min(...known)
    expect(ratio).toBeGreaterThan(1 / 3)
    expect(ratio).toBeLessThan(3)
  })

  it('closes the name after five failures for a quarter of an hour, and the next time for twice as long', async () => {
    const fail = async () => {
      for (let n = 0; n < 5; n++) await signIn(loginId, 'wrong-password')
    }
    await fail()
    kit.clock.advance(14 * minute)
    expect((await signIn(loginId)).code).toBe(40001)
    kit.clock.advance(2 * minute)
    expect((await signIn(loginId)).code).toBe(0)
    await fail()
    kit.clock.advance(16 * minute)
    expect((await signIn(loginId)).code).toBe(40001)
    kit.clock.advance(15 * minute)
    expect((await signIn(loginId)).code).toBe(0)
  })

  it('counts a name that nobody has too, and forgets failures after a quarter of an hour', async () => {
    for (let n = 0; n < 5; n++) await signIn('Nobody.Here', 'wrong-password')
    expect(await rows(sql<object>`select login_id, locks from login_throttle where login_id = 'nobody.here'`)).toEqual([
      { loginId: 'nobody.here', locks: 1 },
    ])
    for (let n = 0; n < 4; n++) await signIn(loginId, 'wrong-password')
    kit.clock.advance(16 * minute)
    await signIn(loginId, 'wrong-password')
    expect((await signIn(loginId)).code).toBe(0)
  })

  it('checks no more of many tries at once than a name has', async () => {
    const challenges = await Promise.all(Array.from({ length: 8 }, challenge))
    const tries = challenges.map((challengeId, n) =>
      signIn(loginId, n === 7 ? password : 'wrong-password', { challengeId }),
    )
    const answers = await Promise.all(tries)
    expect(answers.map(answer => answer.code)).toEqual(Array(8).fill(40001))
    expect((await signIn(loginId)).code).toBe(40001)
    kit.clock.advance(16 * minute)
    expect((await signIn(loginId)).code).toBe(0)
  })

  it('lets the fifth try in when it is right', async () => {
    for (let n = 0; n < 4; n++) await signIn(loginId, 'wrong-password')
    expect((await signIn(loginId)).code).toBe(0)
    expect((await signIn(loginId, 'wrong-password')).code).toBe(40001)
    expect((await signIn(loginId)).code).toBe(0)
  })

  it('does not lengthen a lock by trying', async () => {
    for (let n = 0; n < 9; n++) await signIn(loginId, 'wrong-password')
    kit.clock.advance(16 * minute)
    expect((await signIn(loginId)).code).toBe(0)
  })
})

describe('a challenge', () => {
  it('is good for one try, right or wrong', async () => {
    const challengeId = await challenge()
    await signIn(loginId, 'wrong-password', { challengeId })
    expect(await signIn(loginId, password, { challengeId })).toMatchObject({
      code: 40001,
      msg: 'Time is up; sign in again',
    })
  })

  it('is good for ten minutes and one browser', async () => {
    expect((await signIn(loginId, password, { headers: { 'user-agent': 'Browser B' } })).code).toBe(40001)
    const challengeId = await challenge()
    kit.clock.advance(10 * minute)
    expect((await signIn(loginId, password, { challengeId })).code).toBe(40001)
    expect((await signIn(loginId, password, { challengeId: 'made-up' })).code).toBe(40001)
  })

  it('asks for no slide, and is given thirty times a minute', async () => {
    const other = await openKit({ modules: [authModule({ secretKey: Buffer.alloc(32) })] })
    const answers = []
    for (let n = 0; n < 31; n++) answers.push(await other.call(user.challenge, {}))
    await other.close()
    expect(answers[0]).toMatchObject({
      code: 0,
      data: { slideRequired: false, expireTime: '2026-03-02T07:10:00.000Z' },
    })
    expect(answers.at(29)?.code).toBe(0)
    expect(answers.at(30)).toMatchObject({
      code: 42901,
      msg: expect.stringMatching(/^Too many attempts; try again in \d+ s$/),
    })
  })
})

describe('signing out', () => {
  it('ends this session and no other', async () => {
    const here = { userNo: someone.userNo, token: done(await signIn(loginId)).token }
    expect((await kit.call(user.signOut, {}, { as: here })).code).toBe(0)
    expect((await kit.call(user.self, {}, { as: here })).code).toBe(-10)
    expect((await kit.call(user.self, {}, { as: someone })).code).toBe(0)
  })
})

describe('changing the password', () => {
  const change = (newPassword: string, o: { oldPassword?: string; confirmPassword?: string; as?: Person } = {}) =>
    kit.call(
      user.changePwd,
      { oldPassword: o.oldPassword ?? password, newPassword, confirmPassword: o.confirmPassword ?? newPassword },
      { as: o.as ?? someone },
    )

  it('ends the other sessions, keeps this one, and only the new password works', async () => {
    const other = { userNo: someone.userNo, token: done(await signIn(loginId)).token }
    expect(await change('Papyrus-Reed-9')).toMatchObject({ code: 0, data: { ended: 1 } })
    expect((await kit.call(user.self, {}, { as: someone })).code).toBe(0)
    expect((await kit.call(user.self, {}, { as: other })).code).toBe(-10)
    expect((await signIn(loginId)).code).toBe(40001)
    expect((await signIn(loginId, 'Papyrus-Reed-9')).code).toBe(0)
    const lines = await rows(
      sql<object>`select after from audit_log where action = 'user.changePwd' and object_no = ${someone.userNo}`,
    )
    expect(lines).toEqual([{ after: { sessionsEnded: 1, tokensEnded: 0 } }])
  })

  it.each([
    ['short-1', 'The password needs at least 8 characters'],
    [password, 'The new password must differ from the old one'],
    ['password123', 'This password is too common, choose another one'],
    ['aaaaaaaaa', 'This password is too common, choose another one'],
    ['Nile-Credit-2026', 'The password cannot contain the login name, your name or the company name'],
    ['xx-Person-secret-42', 'The password cannot contain the login name, your name or the company name'],
  ])('refuses %s', async (given, msg) => {
    expect(await change(given)).toMatchObject({ code: 40001, msg, data: { fields: [{ path: 'newPassword' }] } })
    expect((await signIn(loginId)).code).toBe(0)
  })

  it('refuses two different ones at the second field', async () => {
    expect(await change('Papyrus-Reed-9', { confirmPassword: 'Papyrus-Reed-8' })).toMatchObject({
      code: 40001,
      msg: 'The passwords are inconsistent',
      data: { fields: [{ path: 'confirmPassword' }] },
    })
  })

  it('ends the session at the fifth wrong original', async () => {
    for (let n = 0; n < 4; n++)
      expect(await change('Papyrus-Reed-9', { oldPassword: 'wrong-one' })).toMatchObject({
        code: 40001,
        msg: 'The original password is incorrect',
      })
    expect((await change('Papyrus-Reed-9', { oldPassword: 'wrong-one' })).code).toBe(-10)
    expect((await kit.call(user.self, {}, { as: someone })).code).toBe(-10)
    expect((await signIn(loginId)).code).toBe(0)
  })

  it('lets nothing else happen before an initial password is changed', async () => {
    const fresh = await worker({ initial: true })
    const data = done(await signIn(loginOf(fresh)))
    expect(data.passwordUpdateStatus).toBe(1)
    expect((await change('Papyrus-Reed-9', { as: { userNo: fresh.userNo, token: data.token } })).code).toBe(0)
    expect(
      (await kit.call(user.self, {}, { as: { userNo: fresh.userNo, token: data.token } })).data.passwordUpdateStatus,
    ).toBe(0)
  })
})
