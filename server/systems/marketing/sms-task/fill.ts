import { sql } from 'kysely'
import { eatDate } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import type { StepHandler } from '../../../module.ts'
import type { ListValues } from '../../risk/name-list/index.ts'
import { type Audience, chunkSize, matched } from './audience.ts'
import type { Recipient } from './compose.ts'
import { leftOut, type Reason } from './left-out.ts'
import type { TaskRecord } from './send.ts'

/** The queue of tasks whose recipients are written down. */
export const fillQueue = 'marketing.fill'

const write = async (tx: Tx, taskNo: string, chunk: readonly Recipient[], why: ReadonlyMap<string, Reason>) => {
  const [phones, customers] = [chunk.map(one => one.phone), chunk.map(one => one.customerNo)]
  const [merchants, orders] = [chunk.map(one => one.merchantNo), chunk.map(one => one.orderNo)]
  const [texts, reasons] = [chunk.map(one => one.templateNo), chunk.map(one => why.get(one.phone) ?? null)]
  await tx.exec(sql`
    insert into sms_task_recipient (task_no, phone, customer_no, merchant_no, order_no, template_no, block_reason, taken_time)
    select ${taskNo}, r.*, case when r.block_reason is not null then ${tx.now}::timestamptz end
    from unnest(${phones}::text[], ${customers}::text[], ${merchants}::text[], ${orders}::text[], ${texts}::text[], ${reasons}::text[])
      r (phone, customer_no, merchant_no, order_no, template_no, block_reason)`)
}

/** Writes down whom a task is for, some at a time: each step goes on where the last one that was committed ended, so that nobody stands twice. */
export const fillHandler = (lists: ListValues): StepHandler => ({
  queue: fillQueue,
  async step(tx, { jobKey }) {
    const task = await tx.one(sql<TaskRecord>`select * from sms_task where task_no = ${jobKey} for update`)
    if (task.smsTaskStatus !== 'created' || task.filledTime !== null || !task.templateNo) return false
    const of = { ...(task.audience as unknown as Audience), templateNo: task.templateNo }
    const chunk = await matched(tx, of, { after: task.fillCursor ?? '', limit: chunkSize })
    const why = await leftOut(tx, lists, chunk, eatDate(task.sendTime))
    if (chunk.length) await write(tx, jobKey, chunk, why)
    const isOver = chunk.length < chunkSize
    await tx.exec(sql`
      update sms_task set fill_cursor = coalesce(${chunk.at(-1)?.phone ?? null}, fill_cursor), matched_count = matched_count + ${chunk.length},
        blocked_count = blocked_count + ${why.size}, recipient_count = recipient_count + ${chunk.length - why.size}, filled_time = ${isOver ? tx.now : null}
      where task_no = ${jobKey}`)
    tx.moved('smsTask')
    return !isOver
  },
})
