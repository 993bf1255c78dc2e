import { sql } from 'kysely'
import { endpoints } from '../../../../core/contract/contract.ts'
import { mfa } from '../../../../core/contract/user/mfa.ts'
import { requestApproval } from '../../../approval/approval.ts'
import type { Tx } from '../../../db/database.ts'
import { endTokens } from '../../../embed/token.ts'
import { Fault, notFound, stateConflict } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { homeRoute, tell } from '../../../messages/message.ts'
import type { ApprovalAction } from '../../../module.ts'
import { postToStaff } from '../../../outgoing/post.ts'
import type { Actor } from '../../../rights/actor.ts'
import { rightsOf } from '../../../rights/held-rights.ts'
import { peopleScope } from '../../../rights/people-scope.ts'
import { drop } from '../../../session/recovery.ts'
import { requireEvent, transition } from '../../../states/transition.ts'
import { lockBinding } from './mfa-store.ts'

const action = 'user.resetMfa'
const perm = 'user:resetMfa'

const proven = new Set(endpoints.flatMap(({ endpoint }) => (endpoint.stepUp === true ? endpoint.perm : []) ?? []))

/** Codes under which money moves, or with which somebody agrees that it may. */
export const isMoney = (code: string): boolean => proven.has(code) || code.endsWith(':check')

const movesMoney = async (tx: Tx, userNo: string): Promise<boolean> =>
  [...(await rightsOf(tx, userNo)).perms].some(isMoney)

/** Resets an authenticator: its owner is signed out everywhere and notified. */
const reset = async (tx: Tx, userNo: string, o: { reason: string; by: Actor }): Promise<number> => {
  const row = await lockBinding(tx, userNo)
  if (!row) throw stateConflict('unbound', 'MFA_STATUS')
  const set = { sealedSecret: null, boundTime: null, moneyFrom: null, resetTime: tx.now, lastStep: 0 }
  await transition(tx, 'mfa', row, { event: 'mfa.reset', set, payload: { reason: o.reason } }, o.by)
  await drop(tx, userNo)
  const ended = await tx.exec(
    sql`update session set ended_time = ${tx.now}, ended_reason = 'mfa.reset' where user_no = ${userNo} and ended_time is null`,
  )
  const tokens = await endTokens(tx, { userNo }, 'mfa.reset', o.by)
  tell(tx, {
    to: userNo,
    messageType: 'notice',
    template: 'mfaReset',
    params: { name: o.by.name, reason: o.reason },
    objectType: 'user',
    objectNo: userNo,
    route: homeRoute({ dialog: 'authenticator' }),
  })
  await postToStaff(tx, userNo, 'mfaReset', { name: o.by.name })
  return ended + tokens
}

type Person = { userNo: string; realName: string; principalMerchantNo: string; version: number }

export const resetServed = serve(mfa.reset, async call => {
  const { tx, session, input, actor, audit } = call
  const person = await tx.maybe(sql<Person>`
    select u.user_no, u.real_name, u.principal_merchant_no, u.version from app_user u
    where lower(u.login_id) = ${input.loginId.toLowerCase()} and ${peopleScope(session, perm)} for update of u`)
  if (!person) throw notFound()
  if (person.userNo === session.userNo) throw new Fault('forbidden', 'errors.mfaOwn')
  const row = await lockBinding(tx, person.userNo)
  if (!row) throw stateConflict('unbound', 'MFA_STATUS')
  requireEvent('mfa', row.mfaStatus, 'mfa.reset')
  const about = { objectType: 'user', objectNo: person.userNo }
  if (!(await movesMoney(tx, person.userNo))) {
    const ended = await reset(tx, person.userNo, { reason: input.reason, by: actor })
    audit({ ...about, before: { mfaStatus: 'bound' }, after: { mfaStatus: 'unbound', reason: input.reason, ended } })
    return { approvalNo: null, ended }
  }
  const approvalNo = await requestApproval(call, {
    ...about,
    action,
    perm,
    merchantNo: person.principalMerchantNo,
    version: row.version,
    payload: { userNo: person.userNo, reason: input.reason },
    summary: [
      { label: 'fields.realName', before: null, after: person.realName },
      { label: 'fields.mfaStatus', before: 'dict.MFA_STATUS.bound', after: 'dict.MFA_STATUS.unbound' },
      { label: 'fields.reason', before: null, after: input.reason },
    ],
  })
  audit({ ...about, after: { approvalNo, reason: input.reason } })
  return { approvalNo, ended: 0 }
})

/** A second person approves the reset for somebody who moves money; nobody approves their own. */
export const resetApproval: ApprovalAction = {
  action,
  perm,
  money: true,
  async execute(tx, { objectNo, payload, checker }) {
    if (objectNo === checker.no) throw new Fault('forbidden', 'errors.mfaOwn')
    await reset(tx, objectNo, { reason: String(payload.reason), by: checker })
  },
}
