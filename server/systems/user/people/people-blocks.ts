import { sql } from 'kysely'
import { mfa } from '../../../../core/contract/user/mfa.ts'
import { people } from '../../../../core/contract/user/people.ts'
import { type Asker, blocks } from '../../../approval/blocks.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, stateConflict } from '../../../http/fault.ts'
import { managers } from './people-source.ts'

/** What decides what may be done about a person. */
export type PersonFacts = {
  userNo: string
  userStatus: string
  employeeStatus: string
  reachable: boolean
  locked: boolean
  mfaStatus: string
  /** Nobody else who may sign in changes roles. */
  lastManager: boolean
  /** Actions that wait for a second person. */
  waiting: string[]
}

const read = async (tx: Tx, keys: readonly string[]): Promise<ReadonlyMap<string, PersonFacts>> => {
  const rows = await tx.rows(sql<PersonFacts>`
    select u.user_no, u.user_status, u.employee_status, coalesce(u.email, u.phone) is not null as reachable,
      exists (select 1 from login_throttle t where t.login_id = lower(u.login_id) and t.locked_until > ${tx.now}) as locked,
      coalesce((select b.mfa_status from user_mfa b where b.user_no = u.user_no), 'unbound') as mfa_status,
      u.user_no in ${managers} and (select count(*) from ${managers} able) = 1 as last_manager,
      array(select a.approval_action from approval a where a.object_type = 'user' and a.object_no = u.user_no and a.approval_status = 'pending') as waiting
    from app_user u where u.user_no = any(${[...keys]})`)
  return new Map(rows.map(row => [row.userNo, row]))
}

const own = ({ userNo }: PersonFacts, { session }: Asker) =>
  session?.userNo === userNo ? new Fault('forbidden', 'errors.userSelf') : null

/** Neither oneself, nor the last one who can let others in. */
const shutsOut = (facts: PersonFacts, at: Asker) =>
  own(facts, at) ?? (facts.lastManager ? new Fault('stateConflict', 'errors.lastManager') : null)

const waits = (action: string) => (facts: PersonFacts) =>
  facts.waiting.includes(action) ? new Fault('stateConflict', 'errors.approvalExists') : null

/** Why a person does not take a command: said in the rows, and refused with. */
export const peopleBlocks = blocks<PersonFacts>({
  read,
  states: ({ userStatus, employeeStatus }) => ({ userAccount: userStatus, employee: employeeStatus }),
  commands: [
    {
      command: people.freeze,
      refuses: (facts, at) => (facts.userStatus === 'normal' ? shutsOut(facts, at) : null),
    },
    {
      command: people.unfreeze,
      refuses: facts =>
        facts.userStatus === 'frozen' && facts.employeeStatus !== 'on_job'
          ? stateConflict(facts.employeeStatus, 'EMPLOYEE_STATUS')
          : waits('user.unfreeze')(facts),
    },
    {
      command: people.unlock,
      refuses: facts => (facts.locked ? null : new Fault('stateConflict', 'errors.userNotLocked')),
    },
    {
      command: people.resetPwd,
      refuses: (facts, at) =>
        own(facts, at) ?? (facts.reachable ? null : new Fault('stateConflict', 'errors.userNoChannel')),
    },
    {
      command: mfa.reset,
      refuses: (facts, at) =>
        own(facts, at) ??
        (facts.mfaStatus === 'bound' ? waits('user.resetMfa')(facts) : stateConflict(facts.mfaStatus, 'MFA_STATUS')),
    },
    {
      command: people.leave,
      refuses: (facts, at) => (facts.employeeStatus === 'on_job' ? shutsOut(facts, at) : null),
    },
    {
      command: people.rejoin,
      refuses: facts => (facts.employeeStatus === 'left' ? waits('user.rejoin')(facts) : null),
    },
    { command: people.expiry },
    { command: people.update },
  ],
})
