import { sql } from 'kysely'
import type { OutputOf } from '../../core/contract/endpoint.ts'
import { signIn } from '../../core/contract/user/sign-in.ts'
import { fromBase32, hotp, stepAt, toBase32 } from '../session/totp.ts'
import type { Kit } from './kit.ts'

type At = Pick<Kit, 'call' | 'db' | 'clock'>
type From = Parameters<Kit['call']>[2]
type Given = { username: string; password: string; deviceMark?: string }

/** Authenticators of people who bound one on their way in, by the server and their login name. */
const apps = new WeakMap<object, Map<string, string>>()
const appsOf = (at: At) => {
  const known = apps.get(at.db) ?? new Map<string, string>()
  apps.set(at.db, known)
  return known
}

/** What an authenticator shows now. */
export const shownBy = ({ clock }: Pick<At, 'clock'>, secretText: string): string =>
  hotp(fromBase32(secretText), stepAt(clock.now()))

/** Puts an authenticator of a known secret into somebody's hands. */
export const carries = (at: At, username: string, secret: Buffer): void =>
  void appsOf(at).set(username.trim().toLowerCase(), toBase32(secret))

/** Brings the piece of a puzzle to its place, as a hand would; answers the token for the password. */
export const slid = async (at: At, begun: { challengeId: string; nonce: string }, from: From = {}) => {
  const [row] = await at.db.read(tx =>
    tx.rows(sql<{ x: number }>`select slide_x as x from login_challenge where challenge_id = ${begun.challengeId}`),
  )
  const x = row?.x ?? 0
  const track = Array.from({ length: 12 }, (_, n) => ({ x: Math.round((x * n) / 11), t: n * 40 }))
  return at.call(signIn.slide, { ...begun, x, track }, from)
}

/** Name and password of a sign-in that has begun, with the slide where one is asked for; answers what comes next. */
export const asks = async (at: At, given: Omit<Given, 'deviceMark'>, from: From = {}) => {
  const begun = await at.call(signIn.challenge, { username: given.username }, from)
  if (begun.code !== 0) throw new Error(begun.msg)
  const { challengeId, slide } = begun.data
  const token = slide ? (await slid(at, { challengeId, nonce: slide.nonce }, from)).data.slideToken : null
  const input = { challengeId, ...given, ...(token ? { slideToken: token } : {}) }
  return { challengeId, ...(await at.call(signIn.login, input, from)) }
}

/** A code is good once, also for people whom a test lets in again within its thirty seconds. */
const forget = (at: At, username: string) =>
  at.db.withTx(tx =>
    tx.exec(sql`
      update user_mfa set last_step = 0 where user_no = (select user_no from app_user where lower(login_id) = ${username})`),
  )

type Entered = Extract<OutputOf<typeof signIn.verifyMfa>, { nextStep: 'done' }>

/** Signs somebody in, to the end; a person without an authenticator binds one on the way. */
export const signedIn = async (at: At, { deviceMark, ...given }: Given, from: From = {}): Promise<Entered> => {
  const { challengeId, code, msg, data } = await asks(at, given, from)
  if (code !== 0) throw new Error(msg)
  const name = given.username.trim().toLowerCase()
  const known = appsOf(at)
  if (data.nextStep === 'bind') {
    const { secretText } = (await at.call(signIn.mfaQr, { challengeId }, from)).data
    known.set(name, secretText)
    const bound = await at.call(signIn.bindMfa, { challengeId, code: shownBy(at, secretText), deviceMark }, from)
    if (bound.code !== 0 || bound.data.nextStep !== 'done') throw new Error(bound.msg)
    return bound.data
  }
  const secretText = known.get(name)
  if (data.nextStep !== 'mfa' || !secretText) throw new Error(`${name}: ${data.nextStep}`)
  await forget(at, name)
  const shown = await at.call(signIn.verifyMfa, { challengeId, code: shownBy(at, secretText), deviceMark }, from)
  if (shown.code !== 0 || shown.data.nextStep !== 'done') throw new Error(shown.msg)
  return shown.data
}
