import { z } from 'zod'
import { endpoint, noun } from '../endpoint.ts'
import { field } from '../fields.ts'
import { Offer, sixDigits } from './mfa.ts'
import { signedIn } from './user.ts'

/** Width and height of the picture of a puzzle, and the side of its piece, in pixels. */
export const slideWidth = 320
export const slideHeight = 160
export const slidePiece = 48

/** A puzzle: the piece belongs where the picture is dark, at a height that is said; how far to the right is what has to be shown. */
export const Slide = z.object({
  /** Pictures as `data:` addresses. */
  background: z.string(),
  piece: z.string(),
  pieceY: z.int(),
  /** Good for one answer. */
  nonce: z.string(),
  expireTime: field.time(),
})
export type Slide = z.output<typeof Slide>

/** Where a code can be sent to; only channels that the person has verified. */
export const codeChannels = ['email', 'phone'] as const
export type CodeChannel = (typeof codeChannels)[number]

const expireTime = field.time()
const done = z.object({ nextStep: z.literal('done'), token: z.string(), ...signedIn })
const change = z.object({ nextStep: z.literal('change'), expireTime })
/** After the password, for the code or for the authenticator. */
const code = z.object({
  nextStep: z.literal('code'),
  expireTime,
  /** Where a code can be sent, masked; none where the person has no verified channel. */
  channels: z.array(z.object({ channel: z.enum(codeChannels), maskedTarget: z.string() })),
})
/** What a sign-in asks for next; with `done` the session has begun. */
const factor = [
  z.object({ nextStep: z.literal('mfa'), expireTime }),
  z.object({ nextStep: z.literal('bind'), expireTime }),
] as const
export const NextStep = z.discriminatedUnion('nextStep', [done, change, code, ...factor])
export type NextStep = z.output<typeof NextStep>
const recoveryCodes = z.array(z.string())

const challengeId = field.key(64)
/** A mark that the browser keeps. */
const deviceMark = field.key(64).optional()
const newPassword = {
  newPassword: z.string().min(8, 'validation.pwdShort').max(128, 'validation.pwdLong'),
  confirmPassword: z.string().max(128, 'validation.pwdLong'),
}
const same = (given: { newPassword: string; confirmPassword: string }) => given.newPassword === given.confirmPassword
const unlike = { path: ['confirmPassword'], message: 'validation.pwdMismatch' }

/** The steps of a sign-in (M01): each answers the next one, and is good for one network and one browser. */
export const signIn = noun('user/sign-in', {
  /** Begins. A slide is demanded by the policy, after failures of the name, or because the browser wants one. */
  challenge: endpoint({
    method: 'POST',
    path: '/noAuth/logon/challenge',
    auth: 'anon',
    input: z.strictObject({
      slideWanted: z.boolean().optional(),
      /** Who wants to sign in: what is begun too often, and failures, are counted by it. */
      username: z.string().trim().max(64).optional(),
    }),
    output: z.object({ challengeId: z.string(), slideRequired: z.boolean(), slide: Slide.nullable(), expireTime }),
  }),
  /** Shows where the piece was let go, and how it came there. A wrong answer gets another puzzle, the third one ends the sign-in. */
  slide: endpoint({
    method: 'POST',
    path: '/noAuth/logon/slide',
    auth: 'anon',
    input: z.strictObject({
      challengeId,
      nonce: field.key(64),
      x: z.int().min(0).max(slideWidth),
      /** Where the piece was, and after how many milliseconds. */
      track: z.array(z.strictObject({ x: z.int().min(0).max(slideWidth), t: z.int().min(0).max(600_000) })).max(2_000),
    }),
    output: z.object({ slideToken: z.string().nullable(), slide: Slide.nullable() }),
  }),
  login: endpoint({
    method: 'POST',
    path: '/noAuth/logon/login',
    auth: 'anon',
    input: z.strictObject({
      challengeId,
      slideToken: field.key(64).optional(),
      username: z.string().trim().min(1, 'validation.loginEmpty').max(64),
      password: z.string().min(1, 'validation.loginEmpty').max(128, 'validation.pwdLong'),
    }),
    output: NextStep,
  }),
  /** Sets the own password with a one-time link, and goes on as a sign-in does. */
  openLink: endpoint({
    method: 'POST',
    path: '/noAuth/logon/link',
    auth: 'anon',
    input: z.strictObject({ challengeId, link: z.string().min(1).max(100), ...newPassword }).refine(same, unlike),
    output: NextStep,
  }),
  /** Has a code sent to a channel of the person, where the policy of their organization wants one. */
  sendCode: endpoint({
    method: 'POST',
    path: '/noAuth/sendAuthUserValidateCode',
    auth: 'anon',
    input: z.strictObject({ challengeId, channel: z.enum(codeChannels) }),
    output: z.object({
      channel: z.enum(codeChannels),
      maskedTarget: z.string(),
      /** Seconds until another one may be sent. */
      resendAfter: z.int(),
      /** How long the code is good. */
      minutes: z.int(),
    }),
  }),
  /** Shows that code. */
  verifyCode: endpoint({
    method: 'POST',
    path: '/noAuth/logon/verifyCode',
    auth: 'anon',
    input: z.strictObject({ challengeId, code: sixDigits() }),
    output: z.discriminatedUnion('nextStep', [...factor]),
  }),
  /** Shows the code of the authenticator, or a recovery code in its place. */
  verifyMfa: endpoint({
    method: 'POST',
    path: '/noAuth/logon/verifyMfa',
    auth: 'anon',
    input: z.strictObject({
      challengeId,
      code: z.string().regex(/^(\d{6}|[A-Za-z2-7]{4}-[A-Za-z2-7]{4})$/, 'validation.codeFormat'),
      deviceMark,
    }),
    output: z.discriminatedUnion('nextStep', [done, change]),
  }),
  /** Draws the secret of the authenticator that the sign-in wants; asked again, another one. */
  mfaQr: endpoint({
    method: 'POST',
    path: '/noAuth/logon/mfaQr',
    auth: 'anon',
    input: z.strictObject({ challengeId }),
    output: Offer,
  }),
  /** Binds it with its first code. Answers ten recovery codes, this once. */
  bindMfa: endpoint({
    method: 'POST',
    path: '/noAuth/logon/bindMfa',
    auth: 'anon',
    input: z.strictObject({ challengeId, code: sixDigits(), deviceMark }),
    output: z.discriminatedUnion('nextStep', [done.extend({ recoveryCodes }), change.extend({ recoveryCodes })]),
  }),
  /** Sets another password where the old one must not stay. */
  changePwd: endpoint({
    method: 'POST',
    path: '/noAuth/logon/changePwd',
    auth: 'anon',
    input: z.strictObject({ challengeId, ...newPassword, deviceMark }).refine(same, unlike),
    output: done,
  }),
})
