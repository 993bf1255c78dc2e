import { z } from 'zod'
import { mfa as mfaMachine } from '../../rules/machines/user/mfa.ts'
import { command, endpoint, noun, read } from '../endpoint.ts'
import { field } from '../fields.ts'

/** The secret of an authenticator that is being bound, as letters and as the address that apps take; shown to nobody else, and not twice. */
export const Offer = z.object({
  secretText: z.string(),
  otpauthUrl: z.string(),
  /** Until when its first code may be given. */
  expireTime: field.time(),
  /** The same in seconds, for a browser whose clock is wrong. */
  secondsLeft: z.int().nonnegative(),
  /** How many more times the secret may be drawn. */
  refreshLeft: z.int().nonnegative(),
})
export type Offer = z.output<typeof Offer>

/** The code of an authenticator: six digits. */
export const sixDigits = () => z.string().regex(/^\d{6}$/, 'validation.codeFormat')

/** The authenticator of the caller, and taking away that of somebody else. */
export const mfa = noun('user/mfa', {
  mine: read('/user/mfa', {
    input: {},
    output: z.object({
      mfaStatus: field.state(mfaMachine),
      boundTime: field.time().nullable(),
      recoveryLeft: z.int().nonnegative(),
      /** Until then this authenticator moves no money, because the one before it was taken away. */
      moneyFrom: field.time().nullable(),
    }),
  }),
  /** Draws a secret; the password is asked for again. What was drawn before and not confirmed is void. */
  start: endpoint({
    method: 'POST',
    path: '/user/mfa/start',
    writes: true,
    input: z.strictObject({ password: z.string().min(1, 'validation.contentEmpty').max(200) }),
    output: Offer,
  }),
  /** Draws another secret in the place of one that was not confirmed yet. */
  refresh: endpoint({
    method: 'POST',
    path: '/user/mfa/refreshQr',
    writes: true,
    input: z.strictObject({}),
    output: Offer,
  }),
  /** The first code of the secret binds it. Answers ten recovery codes, this once. */
  confirm: endpoint({
    method: 'POST',
    path: '/user/mfa/confirm',
    writes: true,
    input: z.strictObject({ code: sixDigits() }),
    output: z.object({ recoveryCodes: z.array(z.string()) }),
  }),
  /** Resets the authenticator of somebody else; for a person who moves money only once a second person agrees. */
  reset: command({
    path: '/user/resetMFA',
    perm: 'user:resetMfa',
    audit: 'user.resetMfa',
    stepUp: true,
    input: z.strictObject({
      loginId: z.string().trim().min(1, 'validation.contentEmpty').max(64),
      reason: field.remark(30),
    }),
    output: z.object({ approvalNo: field.key().nullable(), ended: z.int() }),
  }),
})
