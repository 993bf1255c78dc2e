import { signIn } from '../../../../core/contract/user/sign-in.ts'
import { Fault } from '../../../http/fault.ts'
import { type PublicCall, type Served, servePublic } from '../../../http/serve.ts'
import { recoveryOf } from '../../../session/recovery.ts'
import { stepOf } from '../../../session/totp.ts'
import { transition } from '../../../states/transition.ts'
import { type Binding, lockBinding, mfaSealer, tellRecoveryUsed } from '../account/index.ts'
import { actorOf, type Challenge, challengeFailed, note, openChallenge, type User, userOf } from './challenge.ts'
import { proven, refuseLocked, wrongCode } from './enter.ts'

type At = { row: Challenge; user: User; binding: Binding }

/** The code of the authenticator, or a recovery code in its place, as the second factor of a sign-in. */
export const factorsServed = (secretKey: Buffer): Served[] => {
  const sealer = mfaSealer(secretKey)
  const recovery = recoveryOf(secretKey)

  /** Uses the code up. Answers why it is none, or null. */
  const use = async (call: PublicCall, { user, binding }: At, code: string) => {
    const { tx } = call
    const actor = actorOf(call, user)
    if (code.includes('-')) {
      if (!(await recovery.use(tx, user.userNo, code))) return 'codeWrong' as const
      await transition(tx, 'mfa', binding, { event: 'recovery.use' }, actor)
      await tellRecoveryUsed(tx, user.userNo, actor)
      return null
    }
    const secret = sealer.open(String(binding.sealedSecret), user.userNo)
    const found = stepOf(secret, code, tx.now, Number(binding.lastStep))
    if (found === 'used') {
      note(tx, call, 'user.totpReplay', user.loginId, user)
      return 'codeUsed' as const
    }
    if (found === null) return 'codeWrong' as const
    await transition(tx, 'mfa', binding, { event: 'totp.use', set: { lastStep: found } }, actor)
    return null
  }

  const verifyMfa = servePublic(signIn.verifyMfa, async call => {
    const { tx, input } = call
    const event = input.code.includes('-') ? 'recovery.verify' : 'totp.verify'
    const row = await openChallenge(call, input.challengeId, event)
    const user = await userOf(tx, row)
    const binding = await lockBinding(tx, user.userNo)
    if (binding?.mfaStatus !== 'bound') throw challengeFailed()
    const at = { row, user, binding }
    const locked = await refuseLocked(call, at, event)
    if (locked) return locked
    const why = await use(call, at, input.code)
    if (why === null) return proven(call, at, { event, deviceMark: input.deviceMark })
    const left = await wrongCode(call, { ...at, tries: row.tries + 1 }, event)
    if (left instanceof Fault) return left
    const key = `validation.${why}` as const
    return new Fault('validation', key, { n: left }, { fields: [{ path: 'code', key, params: { n: left } }] })
  })

  return [verifyMfa]
}
