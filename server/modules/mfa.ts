import { type Selectable, sql } from 'kysely'
import { contract } from '../../core/contract/contract.ts'
import type { Tx } from '../db/database.ts'
import type { DB } from '../db/types.gen.ts'
import { Fault } from '../fault.ts'
import type { Deps, Module } from '../module.ts'
import { sealerOf } from '../seal.ts'
import { type Call, serve } from '../serve.ts'
import { signedOut } from '../session.ts'
import { openProof } from '../step-up.ts'
import { throttleOf } from '../throttle.ts'
import { stepOf } from '../totp.ts'
import { transition } from '../transition.ts'

type Bound = Selectable<DB['userMfa']> & { sealedSecret: string }

/** Of the secrets of authenticators. */
export const mfaSealer = (secretKey: Buffer) => sealerOf(secretKey, 'mfa')

const lockedBinding = async (tx: Tx, userNo: string): Promise<Bound> => {
  const row = await tx.maybe(
    sql<Selectable<DB['userMfa']>>`select * from user_mfa where user_no = ${userNo} for update`,
  )
  if (row?.mfaStatus !== 'bound' || row.sealedSecret === null) throw new Fault('forbidden', 'errors.mfaUnbound')
  return row as Bound
}

const note = ({ tx, actor, session }: Call, action: string) =>
  tx.append('auditLog', {
    action,
    objectType: 'user',
    objectNo: session.userNo,
    orderNo: null,
    actor: session.userNo,
    actorName: session.realName,
    at: tx.now,
    requestId: actor.requestId,
    ip: actor.ip,
    before: null,
    after: null,
  })

/** The code of the authenticator once more, before money moves: five wrong ones in 15 minutes end the session. */
export const mfaModule = ({ secretKey }: Pick<Deps, 'secretKey'>): Module => {
  const sealer = mfaSealer(secretKey)

  const stepUp = serve(contract.user.stepUp, async call => {
    const { tx, input, session, actor } = call
    const throttle = await throttleOf(tx, `mfa:${session.userNo}`)
    const bound = await lockedBinding(tx, session.userNo)
    if (throttle.isLocked) throw new Fault('tooMany', 'errors.tooManyAttempts', { seconds: throttle.secondsLeft })
    const step = stepOf(sealer.open(bound.sealedSecret, bound.userNo), input.code, tx.now, Number(bound.lastStep))
    if (typeof step === 'number') {
      await throttle.reset()
      await transition(tx, 'mfa', bound, { event: 'totp.use', set: { lastStep: step } }, actor)
      note(call, 'user.stepUp')
      return openProof(tx, session.sessionNo)
    }
    note(call, 'user.stepUpFailed')
    if (await throttle.fail()) {
      await tx.exec(
        sql`update session set ended_time = ${tx.now}, ended_reason = 'mfa.guessed' where session_no = ${session.sessionNo}`,
      )
      return signedOut()
    }
    const key = step === 'used' ? 'validation.codeUsed' : 'validation.codeWrong'
    const params = { n: throttle.triesLeft }
    return new Fault('validation', key, params, { fields: [{ path: 'code', key, params }] })
  })

  return { served: [stepUp] }
}
