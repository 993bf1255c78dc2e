import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { Displaced } from '../../../../core/contract/user/session.ts'
import { hashPassword } from '../../../session/password.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { frozen, left } from '../../../testing/people.ts'
import { asks, signedIn } from '../../../testing/sign-in.ts'
import { selfModule } from '../account/self.ts'
import { signInModule } from './sign-in.ts'

const { signIn: contractOf, user } = contract
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
      signInModule({ secretKey: Buffer.alloc(32) }, { challenges: 10_000, perAddress: 10_000, failures: 10_000 }),
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
const worker = async (change: { status?: string; employee?: string } = {}) => {
  const person = await kit.person({ perms: ['audit:self:page'] })
  await kit.db.withTx(async tx => {
    await tx.exec(sql`update app_user set password_hash = ${passwordHash} where user_no = ${person.userNo}`)
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
const challenge = async () => (await kit.call(contractOf.challenge, {}, { headers: browser })).data.challengeId
type Given = { challengeId?: string; headers?: Record<string, string>; language?: 'zh' | 'en' | 'sw' }
/** Name and password, with the slide where one is asked for; `challengeId` is of a sign-in that was begun without a name. */
const signIn = async (username: string, given = password, o: Given = {}) => {
  const from = { headers: o.headers ?? browser, language: o.language }
  if (o.challengeId === undefined) {
    const { challengeId, ...answer } = await asks(kit, { username, password: given }, from)
    return answer
  }
  return kit.call(contractOf.login, { challengeId: o.challengeId, username, password: given }, from)
}
const enter = (from: Parameters<typeof signedIn>[2] = { headers: browser }) =>
  signedIn(kit, { username: loginId, password }, from)
const rows = <T>(query: ReturnType<typeof sql<T>>) => kit.db.read(tx => tx.rows(query))

describe('signing in', () => {
  it('keeps the mark of the browser with the session, as a hash', async () => {
    await signedIn(kit, { username: loginId, password, deviceMark: 'the browser at desk 4' })
    const [newest] = await rows(
      sql<{ device: string }>`select device from session where user_no = ${someone.userNo} and device is not null`,
    )
    expect(newest?.device).toMatch(/^[0-9a-f]{64}$/)
  })

  it('answers the token with who I am and what I may, and the token works', async () => {
    const data = await signedIn(kit, { username: `  ${loginId.toUpperCase()} `, password })
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

  it('B5: stores neither token nor password, and leaves a line in the audit log', async () => {
    const data = await enter()
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
      { action: 'user.passwordShown', objectNo: someone.userNo, actor: someone.userNo },
      { action: 'user.mfaStart', objectNo: someone.userNo, actor: someone.userNo },
      { action: 'user.mfaBound', objectNo: someone.userNo, actor: someone.userNo },
      { action: 'user.login', objectNo: someone.userNo, actor: someone.userNo },
      { action: 'user.loginFailed', objectNo: loginId.toLowerCase(), actor: 'anonymous' },
    ])
  })

  it('tells when and from where the sign-in before was', async () => {
    kit.clock.advance(minute)
    const before = kit.clock.now().toISOString()
    await enter()
    kit.clock.advance(5 * minute)
    expect((await enter()).userInfo.lastLoginTime).toBe(before)
  })

  it('keeps at most three sessions, the oldest goes', async () => {
    const tokens = []
    for (let n = 0; n < 4; n++) {
      kit.clock.advance(minute)
      tokens.push((await enter(chrome)).token)
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

  it('A1: checks no more of many tries at once than a name has', async () => {
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
    await enter()
    expect((await signIn(loginId, 'wrong-password')).code).toBe(40001)
    expect((await signIn(loginId)).code).toBe(0)
  })

  it('A1: does not lengthen a lock by trying', async () => {
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
    const challengeId = await challenge()
    const elsewhere = { challengeId, headers: { 'user-agent': 'Browser B' } }
    expect((await signIn(loginId, password, elsewhere)).code).toBe(40001)
    kit.clock.advance(10 * minute)
    expect((await signIn(loginId, password, { challengeId })).code).toBe(40001)
    expect((await signIn(loginId, password, { challengeId: 'made-up' })).code).toBe(40001)
  })

  it('asks for no slide, and is given thirty times a minute', async () => {
    const other = await openKit({ modules: [signInModule({ secretKey: Buffer.alloc(32) })] })
    const answers = []
    for (let n = 0; n < 31; n++) answers.push(await other.call(contractOf.challenge, {}))
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
