import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Offer } from '../../../../core/contract/user/mfa.ts'
import { signIn as contractOf } from '../../../../core/contract/user/sign-in.ts'
import { user } from '../../../../core/contract/user/user.ts'
import { hashPassword } from '../../../session/password.ts'
import { fromBase32, hotp, stepAt } from '../../../session/totp.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { frozen } from '../../../testing/people.ts'
import { selfModule } from '../account/self.ts'
import { makeLink } from './link.ts'
import { signInModule } from './sign-in.ts'

const minute = 60_000
const password = 'Nile-Boat-47'
const headers = { 'user-agent': 'Browser A' }
let kit: Kit
let someone: Person
let hash: string

beforeAll(async () => {
  hash = await hashPassword(password)
  const secretKey = Buffer.from('a key of this installation, kept well')
  kit = await openKit({
    handmade: true,
    modules: [signInModule({ secretKey }, { challenges: 1000 }), selfModule({ demo: false })],
  })
})
beforeEach(async () => {
  kit.clock.advance(24 * 60 * minute)
  someone = await kit.person({ perms: ['audit:self:page'] })
  await exec(sql`update app_user set password_hash = ${hash} where user_no = ${someone.userNo}`)
  await exec(sql`delete from session where user_no = ${someone.userNo}`)
})
afterAll(() => kit.close())

const exec = (query: ReturnType<typeof sql>) => kit.db.withTx(tx => tx.exec(query))
const loginId = () => `login.${someone.userNo}`
const begin = async () => (await kit.call(contractOf.challenge, {}, { headers })).data.challengeId
const signIn = async (given = password) => {
  const challengeId = await begin()
  const answer = await kit.call(contractOf.login, { challengeId, username: loginId(), password: given }, { headers })
  return { ...answer, challengeId }
}
const draw = (challengeId: string, browser = headers) =>
  kit.call(contractOf.mfaQr, { challengeId }, { headers: browser })
const codeOf = ({ secretText }: Offer, off = 0) => hotp(fromBase32(secretText), stepAt(kit.clock.now()) + off)
const bind = (challengeId: string, code: string) => kit.call(contractOf.bindMfa, { challengeId, code }, { headers })
const sessions = async () =>
  (await kit.db.read(tx => tx.rows(sql<object>`select 1 from session where user_no = ${someone.userNo}`))).length

describe('somebody without an authenticator', () => {
  it('gets no session before one is bound, and then ten recovery codes with it', async () => {
    const { data, challengeId } = await signIn()
    expect(data).toEqual({ nextStep: 'bind', expireTime: expect.any(String) })
    expect(await sessions()).toBe(0)
    const { data: offer } = await draw(challengeId)
    const { code, data: bound } = await bind(challengeId, codeOf(offer))
    expect(code).toBe(0)
    expect(bound.recoveryCodes).toHaveLength(10)
    if (bound.nextStep !== 'done') throw new Error(bound.nextStep)
    expect((await kit.call(user.self, {}, { as: { ...someone, token: bound.token } })).code).toBe(0)
    expect((await bind(challengeId, codeOf(offer, 1))).code).toBe(40001)
    expect((await signIn()).data.nextStep).toBe('mfa')
  })

  it('draws another secret, and the one before is void', async () => {
    const { challengeId } = await signIn()
    const first = (await draw(challengeId)).data
    const second = (await draw(challengeId)).data
    expect(second.refreshLeft).toBe(first.refreshLeft - 1)
    expect((await bind(challengeId, codeOf(first))).msg).toContain('4 tries left')
    expect((await bind(challengeId, codeOf(second))).code).toBe(0)
  })

  it('A13: begins again after five wrong codes, or when ten minutes are over', async () => {
    const { challengeId } = await signIn()
    const offer = (await draw(challengeId)).data
    const wrong = codeOf(offer, 7)
    for (let n = 0; n < 4; n++) expect((await bind(challengeId, wrong)).code).toBe(40001)
    expect((await bind(challengeId, wrong)).code).toBe(40901)
    expect((await bind(challengeId, codeOf(offer))).msg).toContain('Time is up')
    const late = await signIn()
    const drawn = (await draw(late.challengeId)).data
    kit.clock.advance(10 * minute)
    expect((await bind(late.challengeId, codeOf(drawn))).msg).toContain('Time is up')
    expect(await sessions()).toBe(0)
  })

  it('A13: binds nothing with a challenge of another browser, without a right password, or once frozen', async () => {
    const fresh = await begin()
    expect((await draw(fresh)).code).toBe(40901)
    const refused = await signIn('wrong-password')
    expect((await draw(refused.challengeId)).code).toBe(40001)
    const { challengeId } = await signIn()
    expect((await draw(challengeId, { 'user-agent': 'Browser B' })).code).toBe(40001)
    const offer = (await draw(challengeId)).data
    await kit.db.withTx(tx => frozen(tx, someone.userNo))
    expect((await bind(challengeId, codeOf(offer))).code).toBe(40001)
  })
})

describe('a one-time link', () => {
  const link = () => kit.db.withTx(tx => makeLink(tx, someone.userNo))
  const open = async (given: string, newPassword = 'Papyrus-Reed-9') => {
    const challengeId = await begin()
    const input = { challengeId, link: given, newPassword, confirmPassword: newPassword }
    return { ...(await kit.call(contractOf.openLink, input, { headers })), challengeId }
  }

  it('sets the password once and goes on to the authenticator', async () => {
    const given = await link()
    const { data, challengeId } = await open(given)
    expect(data.nextStep).toBe('bind')
    const offer = (await draw(challengeId)).data
    expect((await bind(challengeId, codeOf(offer))).code).toBe(0)
    expect((await open(given)).msg).toBe('This link has been used or is no longer valid. Ask for a new one')
    expect((await signIn()).code).toBe(40001)
    expect((await signIn('Papyrus-Reed-9')).data.nextStep).toBe('mfa')
  })

  it('is good for a day, until the next one is made, and nowhere to be read', async () => {
    const [first, second] = [await link(), await link()]
    expect((await open(first)).code).toBe(40001)
    const kept = await kit.db.read(tx => tx.rows(sql<object>`select * from sign_in_link`))
    expect(JSON.stringify(kept)).not.toContain(second)
    kit.clock.advance(24 * 60 * minute)
    expect((await open(second)).code).toBe(40001)
    expect((await open('mkopo_link_guessed')).code).toBe(40001)
  })

  it('is not used up by a password that is refused, and lets one of two in', async () => {
    const given = await link()
    expect((await open(given, 'password123')).data).toMatchObject({ fields: [{ path: 'newPassword' }] })
    const codes = (await Promise.all([open(given), open(given)])).map(answer => answer.code)
    expect(codes.sort()).toEqual([0, 40001])
  })
})
