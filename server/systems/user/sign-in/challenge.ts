import { createHash } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { can } from '../../../../core/rules/machines/machine.ts'
import { loginChallenge } from '../../../../core/rules/machines/user/login-challenge.ts'
import type { Tx } from '../../../db/database.ts'
import type { DB } from '../../../db/types.gen.ts'
import { Fault, stateConflict } from '../../../http/fault.ts'
import type { PublicCall, Request } from '../../../http/serve.ts'
import type { Scheduled } from '../../../module.ts'
import { type Actor, system } from '../../../rights/actor.ts'
import { mayEnter } from '../../../session/session.ts'
import { type Move, transition } from '../../../states/transition.ts'

/** How long a sign-in may take from its start; the binding of an authenticator moves the end. */
export const challengeMinutes = 10

export type Challenge = Selectable<DB['loginChallenge']>

/** Where a sign-in comes from: one network and one browser. A challenge is good for nobody else. */
export const clientOf = ({ ip, browser }: Request): string => {
  const address = ip?.replace(/^::ffff:/, '') ?? ''
  const network = address.includes(':')
    ? address.split(':').slice(0, 4).join(':')
    : address.split('.').slice(0, 3).join('.')
  return createHash('sha256')
    .update(`${network} ${browser ?? ''}`)
    .digest('base64url')
}

export const challengeOver = () => new Fault('validation', 'errors.challengeOver')
/** Five wrong codes: the sign-in begins again. */
export const challengeFailed = () => new Fault('stateConflict', 'errors.signInTries')

/** The sign-in that a call goes on with, locked; one that is over, unknown or somebody else's is said to be over. */
export const openChallenge = async (
  { tx, request }: Pick<PublicCall, 'tx' | 'request'>,
  challengeId: string,
  event: string,
): Promise<Challenge> => {
  const row = await tx.maybe(sql<Challenge>`
    select * from login_challenge
    where challenge_id = ${challengeId} and client = ${clientOf(request)} and expires_time > ${tx.now}
      and challenge_status not in ('done', 'failed', 'expired') for update`)
  if (!row) throw challengeOver()
  if (!can(loginChallenge, row.challengeStatus, event)) throw stateConflict(row.challengeStatus, loginChallenge.dict)
  return row
}

/** Moves a sign-in to its next step. */
export const step = (tx: Tx, row: Challenge, move: Move, actor: Actor): Promise<Challenge> =>
  transition(tx, 'loginChallenge', row, move, actor)

/** The person who signs in, as the steps need to know them. */
export type User = {
  userNo: string
  loginId: string
  realName: string
  userName: string
  companyName: string
  orgNo: string
  passwordHash: string
  passwordUpdateStatus: number
  isBound: boolean
  mayEnter: boolean
}

/** Reads the person of a sign-in. */
export const userWhere = (tx: Tx, where: ReturnType<typeof sql>): Promise<User | undefined> =>
  tx.maybe(sql<User>`
    select u.user_no, u.login_id, u.real_name, u.user_name, co.company_name, d.org_no, u.password_hash, u.password_update_status,
      exists (select 1 from user_mfa m where m.user_no = u.user_no and m.mfa_status = 'bound') as is_bound, ${mayEnter} as may_enter
    from app_user u join dept d using (dept_no) join org o using (org_no) join company co using (company_code) where ${where}`)

/** The person of a step whose password was right, if they may still come in. */
export const userOf = async (tx: Tx, { userNo }: Challenge): Promise<User> => {
  const user = userNo === null ? undefined : await userWhere(tx, sql`u.user_no = ${userNo}`)
  if (!user?.mayEnter) throw challengeOver()
  return user
}

/** The actor of steps after the password: the person, who has no session yet. */
export const actorOf = ({ actor }: Pick<PublicCall, 'actor'>, user: User): Actor => ({
  ...actor,
  no: user.userNo,
  name: user.realName,
})

/** Writes into the audit log what somebody did who is not signed in yet. */
export const note = (tx: Tx, { actor }: Pick<PublicCall, 'actor'>, action: string, loginId: string, user?: User) =>
  tx.append('auditLog', {
    action,
    objectType: 'user',
    objectNo: user?.userNo ?? loginId,
    orderNo: null,
    actor: user?.userNo ?? actor.no,
    actorName: user?.realName ?? loginId,
    at: tx.now,
    requestId: actor.requestId,
    ip: actor.ip,
    before: null,
    after: null,
  })

/** Sign-ins that nobody ended in their time. */
export const challengeExpiry: Scheduled = {
  job: 'signIn.expire',
  every: { seconds: 60 },
  run: async tx => {
    const rows = await tx.rows(sql<Challenge>`
      select * from login_challenge where expires_time <= ${tx.now} and challenge_status not in ('done', 'failed', 'expired')
      order by expires_time limit 500 for update skip locked`)
    for (const row of rows) await step(tx, row, { event: 'clock.ttl' }, system('signIn.expire'))
    return { expired: rows.length }
  },
}
