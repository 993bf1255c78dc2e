import { type Selectable, sql } from 'kysely'
import { isWithin, plainWindow } from '../../../../core/rules/message/contact-guard.ts'
import type { Tx } from '../../../db/database.ts'
import type { DB } from '../../../db/types.gen.ts'
import type { Scheduled } from '../../../module.ts'
import { post } from '../../../outgoing/post.ts'
import { system } from '../../../rights/actor.ts'
import { transition } from '../../../states/transition.ts'
import { composer, type Recipient, type Text } from './compose.ts'

/** A task as it is stored. */
export type TaskRecord = Selectable<DB['smsTask']>
/** Whether somebody still is one whom a task is for, asked right before they get its text. */
export type StillFits = (tx: Tx, task: TaskRecord, one: Recipient) => Promise<boolean>

const everySeconds = 5
/** Recipients that one transaction takes at most. */
const chunkSize = 500
const actor = system('marketing.send')

const start = async (tx: Tx): Promise<number> => {
  const due = await tx.rows(sql<TaskRecord>`
    select * from sms_task where sms_task_status = 'created' and send_time <= ${tx.now} order by send_time, task_no limit 20 for update skip locked`)
  for (const task of due)
    await transition(tx, 'smsTask', task, { event: 'sms.start', set: { startedTime: tx.now } }, actor)
  return due.length
}

const take = (tx: Tx, { taskNo, ratePerMinute }: TaskRecord): Promise<Recipient[]> =>
  tx.rows(sql<Recipient>`
    update sms_task_recipient r set taken_time = ${tx.now}
    where r.task_no = ${taskNo} and r.phone in (select phone from sms_task_recipient where task_no = ${taskNo} and taken_time is null order by phone
      limit ${Math.min(chunkSize, Math.max(1, Math.floor((ratePerMinute * everySeconds) / 60)))} for update)
    returning r.phone, r.customer_no, r.merchant_no, r.order_no, r.template_no`)

/** Queues the text of one recipient, or writes down why there is none; the contact guard is asked when it is handed over. */
const give = (tx: Tx, { taskNo }: TaskRecord, one: Recipient, text: Text, fits: boolean): Promise<string> => {
  const { language, content, values, body, templateVersion, appName } = text
  const blocked = fits ? (body === null ? 'missing_value' : null) : 'not_needed'
  const { phone, customerNo, merchantNo, orderNo, templateNo } = one
  return post(
    tx,
    {
      ...{
        channel: 'sms',
        to: phone,
        template: 'node',
        language,
        params: values,
        objectType: 'sms_task',
        objectNo: taskNo,
      },
      ...(blocked ? { blocked } : {}),
      node: {
        ...{ nodeNo: null, templateNo, templateVersion, title: null, content, contactKind: 'marketing', isOwn: true },
        ...{ occurrence: taskNo, channelAt: 0, appCode: appName, merchantNo, customerNo, orderNo },
      },
    },
    undefined,
    actor,
  )
}

type Ended = { waiting: boolean; all: number; accepted: number }
const ended = (tx: Tx, { taskNo }: TaskRecord): Promise<Ended> =>
  tx.one(sql<Ended>`
    select exists (select 1 from sms_task_recipient r where r.task_no = ${taskNo} and r.taken_time is null)
        or exists (select 1 from message m where m.object_type = 'sms_task' and m.object_no = ${taskNo} and m.message_status = 'queued') as waiting,
      (select count(*)::int from message m where m.object_type = 'sms_task' and m.object_no = ${taskNo}) as all,
      (select count(*)::int from message m where m.object_type = 'sms_task' and m.object_no = ${taskNo} and m.vendor_ref is not null) as accepted`)

/** Ends a task once each of its texts has been handed over, or will not be. */
const end = async (tx: Tx, task: TaskRecord): Promise<boolean> => {
  const { waiting, all, accepted } = await ended(tx, task)
  if (waiting) return false
  const as = accepted === 0 ? 'none' : accepted === all ? 'all' : 'some'
  await transition(tx, 'smsTask', task, { event: 'sms.end', as, set: { endedTime: tx.now } }, actor)
  return true
}

/** Starts tasks whose time has come, gives texts to their recipients within the hours and the pace of each, and ends them. */
export const sendJob = (stillFits: StillFits): Scheduled => ({
  job: 'marketing.send',
  every: { seconds: everySeconds },
  async run(tx) {
    const started = await start(tx)
    await tx.flush()
    const open = await tx.rows(sql<TaskRecord>`
      select * from sms_task where sms_task_status = 'sending' order by send_time, task_no limit 20 for update skip locked`)
    const counts = { started, given: 0, ended: 0 }
    for (const task of open) {
      const taken = isWithin(plainWindow, tx.now) ? await take(tx, task) : []
      const textFor = await composer(tx, taken)
      for (const one of taken) await give(tx, task, one, textFor(one), await stillFits(tx, task, one))
      counts.given += taken.length
      await tx.flush()
      if (taken.length === 0 && (await end(tx, task))) counts.ended++
    }
    return counts
  },
})
