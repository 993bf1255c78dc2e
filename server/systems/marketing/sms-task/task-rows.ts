import { type RawBuilder, sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { blocks } from '../../../approval/blocks.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, notFound } from '../../../http/fault.ts'
import { merchantsOf, scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import type { TaskRecord } from './send.ts'

type Frag = RawBuilder<unknown>
const { stop, cancel, retry, page } = contract.smsTasks
/** How often a task of which nothing was accepted is tried again. */
export const mostRetries = 3

/** Tasks `x` that a person sees: those of merchants that they serve; of a rule, where they serve each of its merchants. */
export const taskSeen = (session: Session, code: string = page.perm as string): Frag => {
  const own = merchantsOf(session, code)
  const rule =
    own === null
      ? sql``
      : sql` and not exists (select 1 from unrenewed_config u where u.config_no = x.config_no and not u.merchant_nos <@ ${[...own]}::text[])`
  return sql`(${scope(session, { merchant: 'x.merchant_no', holder: () => sql`true`, perm: code })}${rule})`
}

/** A task, locked. @throws notFound */
export const lockTask = async (tx: Tx, taskNo: string, where: Frag = sql`true`): Promise<TaskRecord> => {
  const task = await tx.maybe(
    sql<TaskRecord>`select x.* from sms_task x where x.task_no = ${taskNo} and ${where} for update of x`,
  )
  if (!task) throw notFound()
  return task
}

export const waitingMaker: Frag = sql`(select a.maker_name from approval a where a.object_type = 'sms_task' and a.object_no = x.task_no and a.approval_status = 'pending' limit 1)`

type Facts = { taskNo: string; smsTaskStatus: string; retries: number; unsent: number; maker: string | null }

/** What a task of which nothing was accepted would send again: what no vendor ever took, for certain. */
export const unsentOf = (
  alias: string,
): Frag => sql`m.object_type = 'sms_task' and m.object_no = ${sql.ref(`${alias}.task_no`)}
  and m.message_status = 'failed' and m.vendor_ref is null and m.fail_reason is not null`

/** Why a task is not stopped, cancelled or tried again. */
export const taskBlocks = blocks<Facts>({
  read: async (tx, keys) => {
    const found = await tx.rows(sql<Facts>`
      select x.task_no, x.sms_task_status, x.retries, ${waitingMaker} as maker,
        case when x.sms_task_status = 'failed' then (select count(*)::int from message m where ${unsentOf('x')}) else 0 end as unsent
      from sms_task x where x.task_no = any(${[...keys]})`)
    return new Map(found.map(facts => [facts.taskNo, facts]))
  },
  states: ({ smsTaskStatus }) => ({ smsTask: smsTaskStatus }),
  waits: ({ maker }) => maker !== null,
  commands: [
    { command: stop },
    { command: cancel },
    {
      command: retry,
      refuses: ({ smsTaskStatus, retries, unsent }) => {
        if (smsTaskStatus !== 'failed') return null
        if (retries >= mostRetries) return new Fault('stateConflict', 'errors.retriedEnough', { max: mostRetries })
        return unsent === 0 ? new Fault('stateConflict', 'errors.nothingUnsent') : null
      },
    },
  ],
})
