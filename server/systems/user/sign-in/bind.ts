import { signIn } from '../../../../core/contract/user/sign-in.ts'
import { Fault } from '../../../http/fault.ts'
import { type PublicCall, type Served, servePublic } from '../../../http/serve.ts'
import { binderOf } from '../account/index.ts'
import { actorOf, openChallenge, step, type User, userOf } from './challenge.ts'
import { proven } from './enter.ts'
import { countAndTell } from './locked.ts'

const ownerOf = (call: PublicCall, user: User) => ({ tx: call.tx, actor: actorOf(call, user), session: user })

/** The steps of a sign-in that wants an authenticator first. */
export const bindServed = (secretKey: Buffer): Served[] => {
  const binder = binderOf(secretKey)

  /** The first secret belongs to the right password; each further one is a refresh, and the sign-in lives as long as the newest. */
  const mfaQr = servePublic(signIn.mfaQr, async call => {
    const { tx, input } = call
    const row = await openChallenge(call, input.challengeId, 'qr.refresh')
    const user = await userOf(tx, row)
    const owner = ownerOf(call, user)
    const offer = row.qrDrawn ? await binder.again(owner) : await binder.begin(owner)
    const set = { qrDrawn: true, expiresTime: offer.expireTime }
    await step(tx, row, { event: 'qr.refresh', set }, owner.actor)
    return offer
  })

  const bindMfa = servePublic(signIn.bindMfa, async call => {
    const { tx, input } = call
    const row = await openChallenge(call, input.challengeId, 'bind.confirm')
    const user = await userOf(tx, row)
    const owner = ownerOf(call, user)
    const confirmed = await binder.confirm(owner, input.code)
    if (confirmed instanceof Fault) {
      const isOver = confirmed.key === 'errors.mfaTries'
      const move = { event: 'bind.confirm', as: isOver ? 'burned' : 'wrong', set: { tries: row.tries + 1 } }
      await step(tx, row, move, owner.actor)
      if (isOver) await countAndTell(tx, user.loginId.toLowerCase())
      return confirmed
    }
    const next = await proven(call, { row, user }, { event: 'bind.confirm', deviceMark: input.deviceMark })
    return { ...next, recoveryCodes: confirmed }
  })

  return [mfaQr, bindMfa]
}
