import { type Selectable, sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import type { DB } from '../../../db/types.gen.ts'
import type { Call } from '../../../http/serve.ts'
import { tell } from '../../../messages/message.ts'
import { postToStaff } from '../../../outgoing/post.ts'
import type { Actor } from '../../../rights/actor.ts'
import { recoveryLeft } from '../../../session/recovery.ts'
import { sealerOf } from '../../../session/seal.ts'
import type { Session } from '../../../session/session.ts'

export type Binding = Selectable<DB['userMfa']>

/** Of the secrets of authenticators. */
export const mfaSealer = (secretKey: Buffer) => sealerOf(secretKey, 'mfa')

/** What is known of somebody's authenticator, locked; nothing of those who never had one. */
export const lockBinding = (tx: Tx, userNo: string): Promise<Binding | undefined> =>
  tx.maybe(sql<Binding>`select * from user_mfa where user_no = ${userNo} for update`)

/** Somebody who acts on the own authenticator, signed in or about to. */
export type Owner = Pick<Call, 'tx' | 'actor'> & { session: Pick<Session, 'userNo' | 'loginId' | 'realName'> }

/** Writes into the audit log what the caller did with their own authenticator: never a code, never the secret. */
export const noteOwn = ({ tx, actor, session }: Owner, action: string): void =>
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

/** Tells the owner that one of their recovery codes was used. */
export const tellRecoveryUsed = async (tx: Tx, userNo: string, { ip }: Actor): Promise<void> => {
  const params = { left: await recoveryLeft(tx, userNo), ip: ip ?? '-' }
  const about = { to: userNo, objectType: 'user', objectNo: userNo, route: null }
  tell(tx, { ...about, messageType: 'notice', template: 'recoveryUsed', params })
  await postToStaff(tx, userNo, 'recoveryUsed', params)
}
