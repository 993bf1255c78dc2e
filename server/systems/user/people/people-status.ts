import { sql } from 'kysely'
import { people } from '../../../../core/contract/user/people.ts'
import { requestApproval } from '../../../approval/approval.ts'
import type { Tx } from '../../../db/database.ts'
import { checkVersion, stateConflict } from '../../../http/fault.ts'
import { type Call, serve, serveEach } from '../../../http/serve.ts'
import type { ApprovalAction, Scheduled } from '../../../module.ts'
import { type Actor, system } from '../../../rights/actor.ts'
import { freezePerson, leavePerson } from '../../../session/person.ts'
import { transition } from '../../../states/transition.ts'
import { releaseTasksOf } from '../../audit/allotment/index.ts'
import { passChannelsOn } from '../../operation/traffic/index.ts'
import { peopleBlocks } from './people-blocks.ts'
import { checkUntil } from './people-place.ts'
import { isManager, keepManager } from './people-roles.ts'
import { lockAny, lockPerson, type Person } from './people-source.ts'

const about = ({ userNo }: Person) => ({ objectType: 'user', objectNo: userNo })

/** What somebody had in hand goes to others; answers the orders that returned to their queue. */
const release = async (tx: Tx, userNo: string, actor: Actor): Promise<string[]> => {
  await passChannelsOn(tx, userNo, actor)
  return releaseTasksOf(tx, userNo, actor)
}

const freeze = serveEach(people.freeze, {
  ids: ({ userNos }) => [...new Set(userNos)],
  async row(userNo, call) {
    const { tx, session, input, actor, audit } = call
    const person = await lockPerson(tx, session, userNo)
    await peopleBlocks.check(call, people.freeze, userNo)
    const wasManager = await isManager(tx, userNo)
    const { ended } = await freezePerson(tx, person, { reason: 'manual', remark: input.reason }, actor)
    await keepManager(tx, wasManager)
    const returned = await release(tx, userNo, actor)
    audit({
      ...about(person),
      before: { userStatus: 'normal' },
      after: { userStatus: 'frozen', reason: input.reason, ended, returned: returned.length },
    })
  },
})

/** The counter of the login name begins again. */
const openLock = (tx: Tx, { loginId }: Person): Promise<number> =>
  tx.exec(sql`
    update login_throttle set failures = 0, locked_until = null, window_start = ${tx.now} where login_id = ${loginId.toLowerCase()}`)

const thaw = async (tx: Tx, person: Person, actor: Actor): Promise<void> => {
  const set = { freezeTime: null, freezeReason: null }
  await transition(tx, 'userAccount', person, { event: 'user.unfreeze', set }, actor)
  await openLock(tx, person)
}

const ask = (call: Call, person: Person, action: string, perm: string, reason: string): Promise<string> =>
  requestApproval(call, {
    ...about(person),
    action,
    perm,
    merchantNo: person.principalMerchantNo,
    version: person.version,
    payload: { userNo: person.userNo, reason },
    summary: [
      { label: 'fields.realName', before: null, after: person.realName },
      { label: 'fields.reason', before: null, after: reason },
    ],
  })

const unfreeze = serveEach(people.unfreeze, {
  ids: ({ userNos }) => [...new Set(userNos)],
  async row(userNo, call) {
    const { tx, session, actor, audit } = call
    const person = await lockPerson(tx, session, userNo)
    await peopleBlocks.check(call, people.unfreeze, userNo)
    const before = { userStatus: 'frozen', freezeReason: person.freezeReason }
    if (person.freezeReason === 'security') {
      const approvalNo = await ask(call, person, 'user.unfreeze', 'user:unfreeze', 'dict.FREEZE_REASON.security')
      return audit({ ...about(person), before, after: { approvalNo } })
    }
    await thaw(tx, person, actor)
    audit({ ...about(person), before, after: { userStatus: 'normal' } })
  },
})

const unlock = serve(people.unlock, async call => {
  const person = await lockPerson(call.tx, call.session, call.input.userNo)
  await peopleBlocks.check(call, people.unlock, person.userNo)
  await openLock(call.tx, person)
  call.audit({ ...about(person), after: { locked: false } })
  return {}
})

const expiry = serve(people.expiry, async call => {
  const { tx, session, input, actor, audit } = call
  const person = await lockPerson(tx, session, input.userNo)
  checkVersion(person, input.version)
  await peopleBlocks.check(call, people.expiry, person.userNo)
  checkUntil(tx, input.validUntil)
  const set = { validUntil: input.validUntil ?? null }
  const changed = await transition(tx, 'userAccount', person, { event: 'appUser.expire', set }, actor)
  audit({ ...about(person), before: { validUntil: person.validUntil }, after: set })
  return { approvalNo: null, version: changed.version }
})

const leave = serve(people.leave, async call => {
  const { tx, session, input, actor, audit } = call
  const person = await lockPerson(tx, session, input.userNo)
  checkVersion(person, input.version)
  await peopleBlocks.check(call, people.leave, person.userNo)
  const wasManager = await isManager(tx, person.userNo)
  const { ended } = await leavePerson(tx, person, input.lastDay, actor)
  await keepManager(tx, wasManager)
  const returned = await release(tx, person.userNo, actor)
  const after = { employeeStatus: 'left', lastDay: input.lastDay, ended, returned: returned.length }
  audit({ ...about(person), before: { employeeStatus: 'on_job' }, after })
  return { ended, returned: returned.length }
})

const rejoin = serve(people.rejoin, async call => {
  const { tx, session, input, audit } = call
  const person = await lockPerson(tx, session, input.userNo)
  checkVersion(person, input.version)
  await peopleBlocks.check(call, people.rejoin, person.userNo)
  const approvalNo = await ask(call, person, 'user.rejoin', 'user:update', input.reason)
  audit({ ...about(person), before: { employeeStatus: 'left' }, after: { approvalNo, reason: input.reason } })
  return { approvalNo }
})

/** A second person agrees that somebody may sign in again whom a security rule has stopped; nobody to their own. */
const unfreezeApproval: ApprovalAction = {
  action: 'user.unfreeze',
  perm: 'user:unfreeze',
  money: false,
  async execute(tx, { objectNo, checker }) {
    const person = await lockAny(tx, objectNo)
    if (person.employeeStatus !== 'on_job') throw stateConflict(person.employeeStatus, 'EMPLOYEE_STATUS')
    await thaw(tx, person, checker)
  },
}

/** A second person agrees that somebody works here again, who stays frozen until the account is opened. */
const rejoinApproval: ApprovalAction = {
  action: 'user.rejoin',
  perm: 'user:update',
  money: false,
  async execute(tx, { objectNo, checker }) {
    const person = await lockAny(tx, objectNo)
    await transition(tx, 'employee', person, { event: 'employee.rejoin', set: { lastDay: null } }, checker)
  },
}

const perRun = 500

/** Freezes those whose access has ended. */
const expire: Scheduled = {
  job: 'user.expire',
  every: { dailyAt: '00:05' },
  async run(tx) {
    const over = await tx.rows(sql<Person>`
      select u.* from app_user u where u.user_status = 'normal' and u.valid_until < ${tx.today} order by u.user_no limit ${perRun} for update skip locked`)
    const actor = system(`job:user.expire ${tx.today}`)
    for (const person of over) {
      await freezePerson(tx, person, { reason: 'expired' }, actor)
      await release(tx, person.userNo, actor)
    }
    return { frozen: over.length }
  },
}

export const statusServed = [freeze, unfreeze, unlock, expiry, leave, rejoin]
export const statusApprovals = [unfreezeApproval, rejoinApproval]
export const statusJobs = [expire]
