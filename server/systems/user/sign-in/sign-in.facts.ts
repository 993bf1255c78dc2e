import { sql } from 'kysely'
import { signIn } from '../../../../core/contract/user/sign-in.ts'
import { hashPassword } from '../../../session/password.ts'
import { type Fixture, facts, way } from '../../../testing/facts.ts'
import type { Person } from '../../../testing/kit.ts'
import { asks, shownBy, slid } from '../../../testing/sign-in.ts'

const password = 'Nile-Boat-47'

/** Somebody new, who signs in with a password; `initial` ones have to change it. */
const somebody = async (fixture: Fixture, initial = false): Promise<Person> => {
  const person = await fixture.reviewer()
  const hash = await hashPassword(password)
  await fixture.exec(sql`
    update app_user set password_hash = ${hash}, password_update_status = ${initial ? 1 : 0} where user_no = ${person.userNo}`)
  return person
}
const loginOf = ({ userNo }: Person) => `login.${userNo}`
const begin = async (fixture: Fixture, slideWanted: boolean, username?: string) =>
  fixture.must(await fixture.call(signIn.challenge, { slideWanted, ...(username ? { username } : {}) }))
const known = (fixture: Fixture, person: Person) => asks(fixture, { username: loginOf(person), password })
const wrong = '000000'

/** The secret that a sign-in draws. */
const drawn = async (fixture: Fixture, challengeId: string) =>
  fixture.must(await fixture.call(signIn.mfaQr, { challengeId })).secretText
const bind = async (fixture: Fixture, challengeId: string, code?: string) => {
  const secretText = await drawn(fixture, challengeId)
  const { data } = await fixture.call(signIn.bindMfa, { challengeId, code: code ?? shownBy(fixture, secretText) })
  return { secretText, recoveryCodes: data?.recoveryCodes ?? [] }
}
/** Somebody who has an authenticator, and what it and its paper show. */
const bound = async (fixture: Fixture) => {
  const person = await somebody(fixture)
  return { person, ...(await bind(fixture, (await known(fixture, person)).challengeId)) }
}
const again = (fixture: Fixture, person: Person, status: 0 | 1) =>
  fixture.exec(sql`update app_user set password_update_status = ${status} where user_no = ${person.userNo}`)

const throughSlides = async (fixture: Fixture): Promise<void> => {
  const person = await somebody(fixture)
  const off = { x: 1, track: [] }
  const lost = await begin(fixture, true)
  let nonce = lost.slide?.nonce ?? ''
  for (let n = 0; n < 3; n++) {
    const { data } = await fixture.call(signIn.slide, { challengeId: lost.challengeId, nonce, ...off })
    nonce = data?.slide?.nonce ?? ''
  }
  const solved = async () => {
    const { challengeId, slide } = await begin(fixture, true)
    const { slideToken } = fixture.must(await slid(fixture, { challengeId, nonce: slide?.nonce ?? '' }))
    return { challengeId, slideToken: slideToken ?? undefined, username: loginOf(person) }
  }
  await fixture.call(signIn.login, { ...(await solved()), password: 'another' })
  const { challengeId } = await solved().then(async given => {
    fixture.must(await fixture.call(signIn.login, { ...given, password }))
    return given
  })
  await bind(fixture, challengeId)
  fixture.must(await fixture.call(signIn.login, { ...(await solved()), password }))
  await solved()
  await begin(fixture, false)
}

const throughBinding = async (fixture: Fixture): Promise<void> => {
  const person = await somebody(fixture, true)
  await asks(fixture, { username: loginOf(person), password: 'another' })
  const failed = await known(fixture, person)
  for (let n = 0; n < 5; n++)
    await fixture.call(signIn.bindMfa, {
      challengeId: failed.challengeId,
      code: n === 0 ? (await drawn(fixture, failed.challengeId)) && wrong : wrong,
    })
  const { challengeId } = await known(fixture, person)
  await drawn(fixture, challengeId)
  await bind(fixture, challengeId)
  await known(fixture, await somebody(fixture))
}

const throughFactors = async (fixture: Fixture): Promise<void> => {
  const { person, secretText, recoveryCodes } = await bound(fixture)
  const enter = async (code: string, status: 0 | 1 = 0) => {
    await again(fixture, person, status)
    await fixture.pass(1)
    const { challengeId } = await known(fixture, person)
    return { challengeId, ...(await fixture.call(signIn.verifyMfa, { challengeId, code })) }
  }
  const burn = async (code: string) => {
    const { challengeId } = await enter(code)
    for (let n = 0; n < 4; n++) await fixture.call(signIn.verifyMfa, { challengeId, code })
  }
  const shown = () =>
    shownBy({ clock: { ...fixture.clock, now: () => new Date(fixture.clock.now().getTime() + 60_000) } }, secretText)
  await burn(wrong)
  await burn('AAAA-AAAA')
  await enter(shown())
  await enter(recoveryCodes[0] ?? '')
  await enter(recoveryCodes[1] ?? '', 1)
  const { challengeId } = await enter(shown(), 1)
  const newPassword = 'Papyrus-Reed-9'
  fixture.must(await fixture.call(signIn.changePwd, { challengeId, newPassword, confirmPassword: newPassword }))
}

/** Sign-ins that nobody goes on with, one at each step. */
const leftAlone = async (fixture: Fixture): Promise<void> => {
  const { person, secretText } = await bound(fixture)
  await again(fixture, person, 1)
  await fixture.pass(1)
  const { challengeId } = await known(fixture, person)
  fixture.must(await fixture.call(signIn.verifyMfa, { challengeId, code: shownBy(fixture, secretText) }))
  await known(fixture, person)
  const { challengeId: binding } = await known(fixture, await somebody(fixture))
  await drawn(fixture, binding)
  await begin(fixture, false)
  const { challengeId: slidden, slide } = await begin(fixture, true)
  fixture.must(await slid(fixture, { challengeId: slidden, nonce: slide?.nonce ?? '' }))
  await fixture.pass(11)
  await fixture.tick('signIn.expire')
  await fixture.tick('mfa.ttl')
}

export default facts({
  machines: {
    loginChallenge: {
      row: {
        challengeId: 'CH1',
        createdTime: '2026-03-02T07:00:00Z',
        expiresTime: '2026-03-02T07:10:00Z',
        client: 'client',
      },
    },
  },
  ways: [
    way('people bring the piece of a puzzle to its place, or not', throughSlides),
    way('people bind an authenticator on their way in', throughBinding),
    way('people show the code of their authenticator, or of their paper', throughFactors),
    way('people begin to sign in and leave it', leftAlone),
  ],
  calls: [
    { call: signIn.login, remembers: 'a failed sign-in stands in the audit log' },
    { call: signIn.slide, remembers: 'a puzzle takes three answers' },
    { call: signIn.verifyMfa, remembers: 'a wrong code is counted' },
    { call: signIn.bindMfa, remembers: 'a wrong code is counted' },
  ],
})
