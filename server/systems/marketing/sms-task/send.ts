import { type Selectable, sql } from 'kysely'
import type { Language } from '../../../../core/i18n/language.ts'
import { isWithin } from '../../../../core/rules/message/contact-guard.ts'
import { mul } from '../../../../core/rules/money.ts'
import type { Tx } from '../../../db/database.ts'
import type { DB } from '../../../db/types.gen.ts'
import type { Scheduled } from '../../../module.ts'
import { post } from '../../../outgoing/post.ts'
import { system } from '../../../rights/actor.ts'
import { transition } from '../../../states/transition.ts'
import { isUsedUp } from '../../merchant/consumption/index.ts'
import { contactWindow } from '../../operation/message-engine/index.ts'
import { stillUnrenewed } from '../unrenewed/matching.ts'
import { type Audience, matched } from './audience.ts'
import { balanceShort, giveBack, priceOfPart, takeBudget } from './budget.ts'
import { composer, type Recipient, type Text } from './compose.ts'
import { refreshCounts } from './counts.ts'

/** A task as it is stored. */
export type TaskRecord = Selectable<DB['smsTask']>

const everySeconds = 5
/** Recipients that one transaction takes at most. */
const chunkSize = 500
/** Texts of a task that wait to be handed over at most: a slow vendor holds the task back and not everybody else's messages. */
const mostWaiting = 1_000
const actor = system('marketing.send')

/** What the texts of a rule's task cost at most; those of people's tasks were counted before. */
const dearest = async (tx: Tx, { taskNo }: TaskRecord, price: string) => {
  const { parts } = await tx.one(sql<{ parts: number }>`
    select coalesce(sum(t.segments), 0)::int as parts from sms_task_recipient r join sms_template t using (template_no)
    where r.task_no = ${taskNo} and r.taken_time is null`)
  return mul(price, String(parts))
}

/** Takes what a task will cost out of the budget, unless that was done. @returns what changes in the task; null where too little is left */
const paidFor = async (tx: Tx, task: TaskRecord): Promise<Record<string, unknown> | null> => {
  if (task.budgetMonth !== null) return {}
  const partPrice = await priceOfPart(tx)
  const costEstimate = await dearest(tx, task, partPrice)
  const budgetMonth = await takeBudget(tx, costEstimate)
  return budgetMonth === null ? null : { partPrice, costEstimate, takenAmount: costEstimate, budgetMonth }
}

const start = async (tx: Tx): Promise<number> => {
  const due = await tx.rows(sql<TaskRecord>`
    select * from sms_task where sms_task_status = 'created' and send_time <= ${tx.now} and filled_time is not null and not awaits_approval
    order by held_back is not null, send_time, task_no limit 20 for update skip locked`)
  let started = 0
  for (const task of due) {
    const isUnpaid = await isUsedUp(tx, 'sms_part', task.merchantNo)
    const paid = isUnpaid ? null : await paidFor(tx, task)
    if (!paid) {
      const why = isUnpaid ? 'wallet' : 'budget'
      await tx.exec(sql`
        update sms_task set held_back = ${why} where task_no = ${task.taskNo} and held_back is distinct from ${why}`)
      continue
    }
    const set = { startedTime: tx.now, heldBack: null, ...paid }
    await transition(tx, 'smsTask', task, { event: 'sms.start', set }, actor)
    started++
  }
  return started
}

/** How many texts of a task wait; of very many no more than are worth counting. */
const waitingOf = async (tx: Tx, taskNo: string) =>
  (
    await tx.one(sql<{ n: number }>`
    select count(*)::int as n from (select 1 from message where object_type = 'sms_task' and object_no = ${taskNo} and message_status = 'queued'
      limit ${mostWaiting}) m`)
  ).n

const take = async (tx: Tx, { taskNo, ratePerMinute }: TaskRecord): Promise<Recipient[]> => {
  const pace = Math.max(1, Math.floor((ratePerMinute * everySeconds) / 60))
  const most = Math.min(chunkSize, pace, mostWaiting - (await waitingOf(tx, taskNo)))
  if (most <= 0) return []
  return tx.rows(sql<Recipient>`
    update sms_task_recipient r set taken_time = ${tx.now}
    where r.task_no = ${taskNo} and r.phone in (select phone from sms_task_recipient where task_no = ${taskNo} and taken_time is null order by phone
      limit ${most} for update)
    returning r.phone, r.customer_no, r.merchant_no, r.order_no, r.template_no`)
}

/** Who of some recipients still is one whom the task is for. */
const stillFit = async (tx: Tx, task: TaskRecord, taken: readonly Recipient[]): Promise<ReadonlySet<string>> => {
  if (task.configNo !== null) return stillUnrenewed(tx, taken)
  const phones = taken.map(one => one.phone)
  // A group is read once, when the task is made.
  if (task.audienceSource !== 'filter' || !task.templateNo) return new Set(phones)
  const of = { ...(task.audience as unknown as Audience), templateNo: task.templateNo }
  return new Set((await matched(tx, of, { phones })).map(one => one.phone))
}

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

/** What a task cost by what may have reached somebody; the rest of what it took goes back to the budget. */
export const settledCost = async (tx: Tx, task: TaskRecord) => {
  const { parts } = await tx.one(sql<{ parts: number }>`
    select coalesce(sum(m.segments), 0)::int as parts from message m where m.object_type = 'sms_task' and m.object_no = ${task.taskNo}
      and m.begun_time is not null and (m.message_status <> 'failed' or m.vendor_ref is not null)`)
  return giveBack(tx, task, mul(task.partPrice ?? '0.00', String(parts)))
}

/** Ends a task once each of its texts has been handed over, or will not be. */
const end = async (tx: Tx, task: TaskRecord): Promise<boolean> => {
  const { waiting, all, accepted } = await ended(tx, task)
  if (waiting) return false
  const as = accepted === 0 ? 'none' : accepted === all ? 'all' : 'some'
  const set = { endedTime: tx.now, takenAmount: await settledCost(tx, task) }
  await transition(tx, 'smsTask', task, { event: 'sms.end', as, set }, actor)
  return true
}

const isShort = async (tx: Tx, { taskNo }: TaskRecord) =>
  (await tx.one(sql<{ short: boolean }>`select ${balanceShort(sql`${taskNo}`)} as short`)).short

/** Gives texts to the next recipients of a task, within its hours and its pace, while a vendor has money. @returns how many */
const giveSome = async (tx: Tx, task: TaskRecord): Promise<number> => {
  const isOpen = isWithin(await contactWindow(tx, 'marketing'), tx.now) && !(await isShort(tx, task))
  const taken = isOpen ? await take(tx, task) : []
  const fixed = task.languageMode === 'fixed' ? (task.language as Language) : undefined
  const textFor = await composer(tx, taken, fixed)
  const fitting = await stillFit(tx, task, taken)
  for (const one of taken) await give(tx, task, one, textFor(one), fitting.has(one.phone))
  await tx.flush()
  return taken.length
}

/** Starts tasks whose time has come, gives texts to their recipients within the hours and the pace of each, and ends them. */
export const sendJob: Scheduled = {
  job: 'marketing.send',
  every: { seconds: everySeconds },
  async run(tx) {
    const started = await start(tx)
    await tx.flush()
    const open = await tx.rows(sql<TaskRecord>`
      select * from sms_task where sms_task_status = 'sending' order by send_time, task_no limit 20 for update skip locked`)
    const counts = { started, given: 0, ended: 0 }
    for (const task of open) {
      const given = await giveSome(tx, task)
      counts.given += given
      if (given === 0 && (await end(tx, task))) counts.ended++
    }
    await tx.flush()
    await refreshCounts(
      tx,
      open.map(task => task.taskNo),
    )
    return counts
  },
}
