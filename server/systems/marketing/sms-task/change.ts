import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { mul, sum } from '../../../../core/rules/money.ts'
import type { Tx } from '../../../db/database.ts'
import { checkVersion, Fault } from '../../../http/fault.ts'
import { type Call, serve } from '../../../http/serve.ts'
import type { Message } from '../../../outgoing/post.ts'
import type { Actor } from '../../../rights/actor.ts'
import { transition } from '../../../states/transition.ts'
import { budgetLeft, giveBack, takeBudget } from './budget.ts'
import { refreshCounts } from './counts.ts'
import { settledCost, type TaskRecord } from './send.ts'
import { lockTask, taskBlocks, taskSeen, unsentOf } from './task-rows.ts'

const { smsTasks } = contract
const objectType = 'sms_task'
type Asked = { taskNo: string; version: number }
type Command = typeof smsTasks.stop | typeof smsTasks.cancel | typeof smsTasks.retry

const lock = async (call: Call<Asked>, command: Command): Promise<TaskRecord> => {
  const { tx, session, input } = call
  const task = await lockTask(tx, input.taskNo, taskSeen(session, command.perm))
  await taskBlocks.check(call, command, task.taskNo)
  checkVersion(task, input.version)
  return task
}

const noted = async ({ tx, audit }: Call<Asked>, before: TaskRecord, after: TaskRecord) => {
  await tx.flush()
  await refreshCounts(tx, [before.taskNo])
  const { smsTaskStatus } = after
  audit({
    objectType,
    objectNo: before.taskNo,
    before: { smsTaskStatus: before.smsTaskStatus },
    after: { smsTaskStatus },
  })
  return { smsTaskStatus: smsTaskStatus as 'partial' }
}

/** Texts that wait and have not begun; the one that is being handed over ends by itself. */
const withdraw = async (tx: Tx, taskNo: string, actor: Actor): Promise<void> => {
  const waiting = await tx.rows(sql<Message>`
    select * from message where object_type = ${objectType} and object_no = ${taskNo} and message_status = 'queued' and begun_time is null
    order by message_no for update`)
  for (const one of waiting) await transition(tx, 'message', one, { event: 'msg.cancel', as: 'stopped' }, actor)
}

const stop = serve(smsTasks.stop, async call => {
  const { tx, actor } = call
  const task = await lock(call, smsTasks.stop)
  await withdraw(tx, task.taskNo, actor)
  await tx.flush()
  const set = { endedTime: tx.now, takenAmount: await settledCost(tx, task) }
  return noted(call, task, await transition(tx, 'smsTask', task, { event: 'sms.stop', set }, actor))
})

const cancel = serve(smsTasks.cancel, async call => {
  const { tx, actor } = call
  const task = await lock(call, smsTasks.cancel)
  const set = { endedTime: tx.now, takenAmount: await giveBack(tx, task, '0.00') }
  return noted(call, task, await transition(tx, 'smsTask', task, { event: 'sms.cancel', set }, actor))
})

/** Lets recipients get another try whose text no vendor ever took; the old ones stay as tried. @returns how many */
const again = async (tx: Tx, { taskNo }: TaskRecord): Promise<number> => {
  const tried = sql`select m.recipient from sms_task x join message m on ${unsentOf('x')} where x.task_no = ${taskNo}`
  const count = await tx.exec(
    sql`update sms_task_recipient set taken_time = null where task_no = ${taskNo} and phone in (${tried})`,
  )
  await tx.exec(sql`
    update message m set object_type = 'sms_task_tried', occurrence = null from sms_task x where x.task_no = ${taskNo} and ${unsentOf('x')}`)
  return count
}

const retry = serve(smsTasks.retry, async call => {
  const { tx, actor } = call
  const task = await lock(call, smsTasks.retry)
  const parts = task.partsEstimate ?? 0
  const count = await again(tx, task)
  const cost = mul(task.partPrice ?? '0.00', String(Math.max(parts, count)))
  const budgetMonth = await takeBudget(tx, cost)
  if (!budgetMonth) throw new Fault('stateConflict', 'errors.smsBudget', { left: await budgetLeft(tx) })
  const set = { retries: task.retries + 1, endedTime: null, budgetMonth, takenAmount: sum([task.takenAmount, cost]) }
  return noted(call, task, await transition(tx, 'smsTask', task, { event: 'sms.retry', set }, actor))
})

export const changeServed = [stop, cancel, retry]
