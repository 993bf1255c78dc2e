import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { hashPassword } from '../../../session/password.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { asks, signedIn } from '../../../testing/sign-in.ts'
import { signInModule } from '../sign-in/sign-in.ts'
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
    modules: [authModule(), signInModule({ secretKey: Buffer.alloc(32) }), selfModule({ demo: true })],
  })
})
beforeEach(async () => {
  kit.clock.advance(24 * 60 * minute)
  someone = await kit.person({ perms: ['audit:self:page'] })
  loginId = `login.${someone.userNo}`
  await kit.db.withTx(tx =>
    tx.exec(sql`update app_user set password_hash = ${passwordHash} where user_no = ${someone.userNo}`),
  )
})
afterAll(() => kit.close())

const signIn = (username: string, given = password) => asks(kit, { username, password: given })
const enter = () => signedIn(kit, { username: loginId, password })
const rows = <T>(query: ReturnType<typeof sql<T>>) => kit.db.read(tx => tx.rows(query))

describe('signing out', () => {
  it('ends this session and no other', async () => {
    const here = { userNo: someone.userNo, token: (await enter()).token }
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
    const other = { userNo: someone.userNo, token: (await enter()).token }
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
})
