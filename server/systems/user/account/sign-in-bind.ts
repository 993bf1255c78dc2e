import { sql } from 'kysely'
import { user as contract } from '../../../../core/contract/user/user.ts'
import { Fault } from '../../../http/fault.ts'
import { type PublicCall, type Served, servePublic } from '../../../http/serve.ts'
import { binderOf } from './mfa-bind.ts'
import { challengeOver, clientOf, enter, type User, userWhere } from './sign-in.ts'

type Binding = { user: User; drawn: boolean }

/** Who binds an authenticator before the first session, locked until the step is done. */
const binding = async ({ tx, request }: PublicCall, challengeId: string): Promise<Binding> => {
  const row = await tx.maybe(sql<{ userNo: string; step: string }>`
    select user_no, step from login_challenge
    where challenge_id = ${challengeId} and step in ('bind', 'binding') and expires_time > ${tx.now} and client = ${clientOf(request)} for update`)
  const user = row && (await userWhere(tx, sql`u.user_no = ${row.userNo}`))
  if (!user?.mayEnter) throw challengeOver()
  return { user, drawn: row?.step === 'binding' }
}

const ownerOf = ({ tx, actor }: PublicCall, user: User) => ({
  tx,
  actor: { ...actor, no: user.userNo, name: user.realName },
  session: user,
})

/** The steps of a sign-in that wants an authenticator first. */
export const signInBind = (secretKey: Buffer): Served[] => {
  const binder = binderOf(secretKey)

  const mfaQr = servePublic(contract.mfaQr, async call => {
    const { tx, input } = call
    const { user, drawn } = await binding(call, input.challengeId)
    const owner = ownerOf(call, user)
    const offer = drawn ? await binder.again(owner) : await binder.begin(owner)
    await tx.exec(
      sql`update login_challenge set step = 'binding', expires_time = ${offer.expireTime} where challenge_id = ${input.challengeId}`,
    )
    return offer
  })

  const bindMfa = servePublic(contract.bindMfa, async call => {
    const { tx, input } = call
    const { user } = await binding(call, input.challengeId)
    const step = (is: 'done' | 'failed') =>
      tx.exec(sql`update login_challenge set step = ${is} where challenge_id = ${input.challengeId}`)
    const recoveryCodes = await binder.confirm(ownerOf(call, user), input.code)
    if (recoveryCodes instanceof Fault) {
      if (recoveryCodes.key === 'errors.mfaTries') await step('failed')
      return recoveryCodes
    }
    await step('done')
    return { recoveryCodes, ...(await enter(call, user, input.deviceMark)) }
  })

  return [mfaQr, bindMfa]
}
