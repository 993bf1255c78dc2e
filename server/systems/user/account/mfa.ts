import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { endTokens } from '../../../embed/token.ts'
import { Fault } from '../../../http/fault.ts'
import { type Call, serve } from '../../../http/serve.ts'
import type { Deps, Module } from '../../../module.ts'
import { recoveryOf } from '../../../session/recovery.ts'
import { signedOut } from '../../../session/session.ts'
import { openProof } from '../../../session/step-up.ts'
import { throttleOf } from '../../../session/throttle.ts'
import { stepOf } from '../../../session/totp.ts'
import { transition } from '../../../states/transition.ts'
import { bindingExpiry, bindServed } from './mfa-bind.ts'
import { resetApproval, resetServed } from './mfa-reset.ts'
import { type Binding, lockBinding, mfaSealer, noteOwn, tellRecoveryUsed } from './mfa-store.ts'

/** The authenticator of each person: bound by themselves, taken away by others, and asked for once more before money moves. */
export const mfaModule = ({ secretKey }: Pick<Deps, 'secretKey'>): Module => {
  const sealer = mfaSealer(secretKey)
  const recovery = recoveryOf(secretKey)

  /** Uses the given code up. Answers why it is none, or null. */
  const used = async (call: Call, row: Binding, code: string): Promise<'codeUsed' | 'codeWrong' | null> => {
    const { tx, session, actor } = call
    if (code.includes('-')) {
      if (!(await recovery.use(tx, session.userNo, code))) return 'codeWrong'
      await transition(tx, 'mfa', row, { event: 'recovery.use' }, actor)
      await tellRecoveryUsed(tx, session.userNo, actor)
      return null
    }
    const step = stepOf(sealer.open(String(row.sealedSecret), row.userNo), code, tx.now, Number(row.lastStep))
    if (typeof step !== 'number') return step === 'used' ? 'codeUsed' : 'codeWrong'
    await transition(tx, 'mfa', row, { event: 'totp.use', set: { lastStep: step } }, actor)
    return null
  }

  /** Five wrong codes in 15 minutes end the session, or the person's tokens at the partner. */
  const stepUp = serve(contract.user.stepUp, async call => {
    const { tx, input, session } = call
    const throttle = await throttleOf(tx, `mfa:${session.userNo}`)
    const row = await lockBinding(tx, session.userNo)
    if (row?.mfaStatus !== 'bound' || row.sealedSecret === null) throw new Fault('forbidden', 'errors.mfaUnbound')
    if (throttle.isLocked) throw new Fault('tooMany', 'errors.tooManyAttempts', { seconds: throttle.secondsLeft })
    const why = await used(call, row, input.code)
    if (why === null) {
      await throttle.reset()
      noteOwn(call, 'user.stepUp')
      return openProof(tx, session)
    }
    noteOwn(call, 'user.stepUpFailed')
    if (await throttle.fail()) {
      const { userNo, sessionNo, embed } = session
      if (embed) await endTokens(tx, { userNo, partnerNo: embed.partnerNo }, 'mfa.guessed', call.actor)
      else
        await tx.exec(
          sql`update session set ended_time = ${tx.now}, ended_reason = 'mfa.guessed' where session_no = ${sessionNo}`,
        )
      return signedOut()
    }
    const key = `validation.${why}` as const
    const params = { n: throttle.triesLeft }
    return new Fault('validation', key, params, { fields: [{ path: 'code', key, params }] })
  })

  return {
    served: [stepUp, ...bindServed(secretKey), resetServed],
    scheduled: [bindingExpiry],
    approvals: [resetApproval],
  }
}
