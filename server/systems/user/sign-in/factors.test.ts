import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { hashPassword } from '../../../session/password.ts'
import { fromBase32, hotp, stepAt } from '../../../session/totp.ts'
import { type Kit, openKit } from '../../../testing/kit.ts'
import { asks, shownBy, slid } from '../../../testing/sign-in.ts'
import { signInModule } from './sign-in.ts'

const { signIn } = contract
const minute = 60_000
const password = 'Nile-Boat-47'
const newPassword = 'Papyrus-Reed-9'

let kit: Kit
let hash: string
let username: string
let userNo: string
let secretText: string
let papers: string[]

beforeAll(async () => {
  hash = await hashPassword(password)
  kit = await openKit({
    modules: [
      signInModule({ secretKey: Buffer.alloc(32) }, { challenges: 10_000, perAddress: 10_000, failures: 10_000 }),
    ],
  })
})
beforeEach(async () => {
  kit.clock.advance(24 * 60 * minute)
  ;({ userNo } = await kit.person({ perms: [] }))
  username = `login.${userNo}`
  await exec(sql`update app_user set password_hash = ${hash} where user_no = ${userNo}`)
  const { challengeId } = await known()
  secretText = (await kit.call(signIn.mfaQr, { challengeId })).data.secretText
  const bound = await kit.call(signIn.bindMfa, { challengeId, code: shownBy(kit, secretText) })
  papers = bound.data.recoveryCodes
  kit.clock.advance(5 * minute)
})
afterAll(() => kit.close())

const exec = (query: ReturnType<typeof sql>) => kit.db.withTx(tx => tx.exec(query))
const known = () => asks(kit, { username, password })
const code = (steps = 0) => hotp(fromBase32(secretText), stepAt(kit.clock.now()) + steps)
const show = (challengeId: string, given: string) => kit.call(signIn.verifyMfa, { challengeId, code: given })
const statusOf = async (challengeId: string) =>
  (
    await kit.db.read(tx =>
      tx.one(
        sql<{ is: string }>`select challenge_status as is from login_challenge where challenge_id = ${challengeId}`,
      ),
    )
  ).is
const throttle = () =>
  kit.db.read(tx =>
    tx.one(sql<{ failures: number; locks: number }>`
      select failures, locks from login_throttle where login_id = ${username.toLowerCase()}`),
  )

describe('the second factor', () => {
  it('is asked for after the password, which opens nothing by itself', async () => {
    const { challengeId, data } = await known()
    expect(data).toEqual({ nextStep: 'mfa', expireTime: expect.any(String) })
    expect((await show(challengeId, code())).data.nextStep).toBe('done')
    expect(await statusOf(challengeId)).toBe('done')
    expect((await show(challengeId, code(1))).code).toBe(40001)
  })

  it('A11: a code is good once, also for two sign-ins at the same moment', async () => {
    const [one, two] = [await known(), await known()]
    const answers = await Promise.all([show(one.challengeId, code()), show(two.challengeId, code())])
    expect(answers.map(answer => answer.code).sort()).toEqual([0, 40001])
    expect(answers.find(answer => answer.code !== 0)?.msg).toContain('already used')
  })

  it('A12: is taken one step off, not two, and never again after the clock went back', async () => {
    for (const off of [-2, 2]) expect((await show((await known()).challengeId, code(off))).code).toBe(40001)
    const late = code(1)
    expect((await show((await known()).challengeId, late)).code).toBe(0)
    for (const used of [late, code(0), code(-1)])
      expect((await show((await known()).challengeId, used)).code).toBe(40001)
  })

  it('is a recovery code in its place, once', async () => {
    const [paper] = papers
    expect((await show((await known()).challengeId, paper as string)).code).toBe(0)
    expect((await show((await known()).challengeId, paper as string)).code).toBe(40001)
  })

  it('ends the sign-in at the fifth wrong code, and the name is closed after five of those', async () => {
    for (let round = 0; round < 5; round++) {
      const { challengeId } = await known()
      for (let n = 1; n < 5; n++) expect((await show(challengeId, '000000')).msg).toContain(`${5 - n} tr`)
      expect(await show(challengeId, '000000')).toMatchObject({ code: 40901, msg: 'Five wrong codes; sign in again' })
      expect(await statusOf(challengeId)).toBe('failed')
      expect((await throttle()).failures).toBe((round + 1) % 5)
    }
    expect((await throttle()).locks).toBe(1)
    expect((await known()).code).toBe(40001)
  })

  it('is not looked at for a sign-in that began before its name was closed', async () => {
    const early = await known()
    for (let n = 0; n < 5; n++) await asks(kit, { username, password: 'wrong-password' })
    expect((await show(early.challengeId, code())).code).toBe(40901)
  })
})

describe('a password that may not stay', () => {
  const change = (challengeId: string, given = newPassword) =>
    kit.call(signIn.changePwd, { challengeId, newPassword: given, confirmPassword: given })

  it('is changed before the session begins', async () => {
    await exec(sql`update app_user set password_update_status = 1 where user_no = ${userNo}`)
    const { challengeId } = await known()
    expect((await change(challengeId)).code).toBe(40901)
    expect((await show(challengeId, code())).data).toEqual({ nextStep: 'change', expireTime: expect.any(String) })
    for (const bad of [password, 'password123', `${username}-99`])
      expect((await change(challengeId, bad)).data).toMatchObject({ fields: [{ path: 'newPassword' }] })
    expect((await change(challengeId)).data).toMatchObject({ nextStep: 'done', passwordUpdateStatus: 0 })
    expect((await known()).code).toBe(40001)
    expect((await asks(kit, { username, password: newPassword })).data).toMatchObject({ nextStep: 'mfa' })
  })
})

describe('portal 4: the slide', () => {
  const begin = (name = username, slideWanted?: boolean) =>
    kit.call(signIn.challenge, { username: name, ...(slideWanted ? { slideWanted } : {}) })
  const login = (challengeId: string, given: string, slideToken?: string) =>
    kit.call(signIn.login, { challengeId, username, password: given, ...(slideToken ? { slideToken } : {}) })

  it('is asked for at the third sign-in after two failures, for names that nobody has as well', async () => {
    for (const name of [username, 'nobody.at.all']) {
      expect((await begin(name)).data.slideRequired, name).toBe(false)
      for (let n = 0; n < 2; n++) await asks(kit, { username: name, password: 'wrong-password' })
      expect((await begin(name)).data.slideRequired, name).toBe(true)
    }
  })

  it('cannot be left out, also where the sign-in was begun for another name; the words are those of a wrong password', async () => {
    const early = (await begin('somebody.else')).data
    for (let n = 0; n < 2; n++) await asks(kit, { username, password: 'wrong-password' })
    const msg = 'Username or password is incorrect'
    expect(await login(early.challengeId, password)).toMatchObject({ code: 40001, msg })
    const asked = (await begin()).data
    expect(await login(asked.challengeId, password, 'made-up')).toMatchObject({ code: 40001, msg })
    expect((await known()).code).toBe(0)
  })

  it('is always asked for where the policy says so', async () => {
    await exec(
      sql`insert into business_config (config_key, config_value) values ('SIGN_IN_POLICY', '{"slide": "always"}')`,
    )
    expect((await begin()).data.slideRequired).toBe(true)
    await exec(sql`delete from business_config where config_key = 'SIGN_IN_POLICY'`)
    expect((await begin()).data.slideRequired).toBe(false)
    expect((await begin(username, true)).data.slideRequired).toBe(true)
  })

  it('takes three answers, each nonce once, for two minutes, and no leap of a machine', async () => {
    const { challengeId, slide } = (await begin(username, true)).data
    const nonce = slide?.nonce ?? ''
    const { x } = await kit.db.read(tx =>
      tx.one(sql<{ x: number }>`select slide_x as x from login_challenge where challenge_id = ${challengeId}`),
    )
    const leap = {
      challengeId,
      nonce,
      x,
      track: [
        { x: 0, t: 0 },
        { x, t: 300 },
      ],
    }
    const second = (await kit.call(signIn.slide, leap)).data
    expect(second.slideToken).toBeNull()
    expect(await kit.call(signIn.slide, leap)).toMatchObject({
      code: 40901,
      msg: 'Verification failed, please sign in again',
    })
    expect(await statusOf(challengeId)).toBe('failed')

    const late = (await begin(username, true)).data
    kit.clock.advance(2 * minute)
    const answer = await slid(kit, { challengeId: late.challengeId, nonce: late.slide?.nonce ?? '' })
    expect(answer.data.slideToken).toBeNull()
    expect(answer.data.slide?.nonce).not.toBe(late.slide?.nonce)
  })

  it('shows pictures that do not say where the piece belongs', async () => {
    const { slide } = (await begin(username, true)).data
    expect(Object.keys(slide ?? {}).sort()).toEqual(['background', 'expireTime', 'nonce', 'piece', 'pieceY'])
    expect(slide?.background).toMatch(/^data:image\/jpeg;base64,/)
  })
})

it('A18: a password of more than 128 letters is refused before it is hashed, one of 128 is checked as it was typed', async () => {
  const { challengeId } = (await kit.call(signIn.challenge, { username })).data
  const started = performance.now()
  const long = await kit.call(signIn.login, { challengeId, username, password: 'x'.repeat(1_000_000) })
  expect(long).toMatchObject({ code: 40001, data: { fields: [{ path: 'password' }] } })
  expect(performance.now() - started).toBeLessThan(1000)
  for (const near of [` ${password}`, `${password} `, `${password}\0`, password.replace('N', 'Ν')])
    expect((await asks(kit, { username, password: near })).code, near).toBe(40001)
})
