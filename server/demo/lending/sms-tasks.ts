import { sql } from 'kysely'
import type { SmsTaskMax } from '../../../core/contract/common/business-config.ts'
import { contract } from '../../../core/contract/contract.ts'
import type { InputOf } from '../../../core/contract/endpoint.ts'
import type { Tx } from '../../db/database.ts'
import { system } from '../../rights/actor.ts'
import { rightsOfPerson, type Session } from '../../session/session.ts'
import { transition } from '../../states/transition.ts'
import { taskMax } from '../../systems/marketing/sms-task/budget.ts'
import { attribute, refreshCounts } from '../../systems/marketing/sms-task/counts.ts'
import { fillHandler } from '../../systems/marketing/sms-task/fill.ts'
import type { TaskRecord } from '../../systems/marketing/sms-task/send.ts'
import { smsTaskModule } from '../../systems/marketing/sms-task/sms-task.ts'
import { groupsJob } from '../../systems/marketing/user-group/refresh.ts'
import { isUsedUp } from '../../systems/merchant/consumption/index.ts'
import { listValues } from '../../systems/risk/name-list/index.ts'
import { at, type Hand, handFor } from '../hand.ts'
import { randomFrom } from '../random.ts'
import { userNoOf } from '../staff.ts'
import { writeText } from './unrenewed.ts'

const { smsTasks } = contract
const dayMs = 86_400_000
const secretKey = Buffer.alloc(32)
const actor = system('demo sms task')

type End = 'done' | 'mixed' | 'refused' | 'stopped' | 'half' | 'cancelled' | 'waits' | 'approval'
type Status = 'settled' | 'refused' | 'cancelled'
/** Days ago, merchant, name, text, to whom, and how it went. */
type Sample = readonly [number, 'M1' | 'M2' | 'M3', string, string, readonly Status[], End]
const samples: readonly Sample[] = [
  [56, 'M1', 'New stages', 'Borrow again, 14 days', ['settled'], 'done'],
  [54, 'M2', 'Stall owners', 'Borrow again, 3 days', ['settled'], 'mixed'],
  [52, 'M3', 'First rains', 'Planting season', ['settled'], 'done'],
  [47, 'M1', 'Try once more', 'Borrow again, 7 days', ['refused'], 'done'],
  [45, 'M2', 'Wrong sender', 'Borrow again, 30 days', ['settled'], 'refused'],
  [43, 'M1', 'Riders of Jinja', 'Borrow again, 3 days', ['settled'], 'mixed'],
  [38, 'M2', 'Approved, not taken', 'Approved, not taken', ['cancelled'], 'done'],
  [36, 'M3', 'Seed and fertiliser', 'Planting season', ['settled', 'refused'], 'mixed'],
  [34, 'M1', 'Twice by mistake', 'Borrow again, 3 days', ['settled'], 'cancelled'],
  [31, 'M1', 'Tyres and fuel', 'Borrow again, 14 days', ['settled'], 'done'],
  [29, 'M2', 'Friday stock', 'Borrow again, 3 days', ['settled'], 'stopped'],
  [20, 'M1', 'Back to school', 'Borrow again, 3 days', ['settled'], 'done'],
  [16, 'M2', 'Harvest, who repaid', 'Borrow again, 3 days', ['settled'], 'done'],
  [14, 'M3', 'Second season', 'Planting season', ['settled'], 'done'],
  [12, 'M1', 'Second chance', 'Borrow again, 7 days', ['refused', 'cancelled'], 'stopped'],
  [9, 'M2', 'Month end', 'Borrow again, 30 days', ['settled'], 'done'],
  [5, 'M1', 'Wrong text', 'Borrow again, 7 days', ['settled'], 'cancelled'],
  [2, 'M2', 'Weekend market', 'Borrow again, 3 days', ['settled'], 'half'],
  [0, 'M1', 'Next week', 'Borrow again, 3 days', ['settled'], 'waits'],
  [0, 'M2', 'Easter market', 'Borrow again, 3 days', ['settled'], 'waits'],
  [0, 'M1', 'All who were refused', 'Borrow again, 7 days', ['refused', 'cancelled'], 'approval'],
  [0, 'M3', 'Dry season', 'Planting season', ['settled'], 'cancelled'],
]

type Desk = { tx: Tx; boss: Session; hand: Hand }

/** At ten in the morning of a day ago, when offers may be sent. */
const morning = (tx: Tx, daysAgo: number): Tx => {
  const now = new Date(tx.now.getTime() - daysAgo * dayMs)
  now.setUTCHours(7, 0, 0, 0)
  return at(tx, now)
}

/** Lets a task be as large as one that a second person decides about. */
const asLarge = async <T>(tx: Tx, work: () => Promise<T>): Promise<T> => {
  const before = await taskMax(tx)
  const set = (value: SmsTaskMax) =>
    tx.exec(sql`
      insert into business_config (config_key, config_value) values ('SMS_TASK_MAX', ${JSON.stringify(value)}::jsonb)
      on conflict (config_key) do update set config_value = excluded.config_value`)
  await set({ ...before, taskCost: '1.00' })
  const made = await work()
  await set(before)
  return made
}

const make = async ({ tx, boss, hand }: Desk, then: Tx, one: Sample): Promise<string | null> => {
  const [, merchantNo, taskName, name, statuses, end] = one
  // One merchant of the demo stands at the floor of its wallet.
  if (await isUsedUp(tx, 'sms_part', merchantNo)) return null
  const text = await tx.maybe(sql<{ templateNo: string }>`
    select template_no from sms_template where merchant_no = ${merchantNo} and template_name = ${name} and template_status = 'enabled'`)
  if (!text) return null
  const asked = {
    ...{ merchantNo, audienceSource: 'filter', audienceStatuses: [...statuses], ...text },
    ...{ languageMode: 'customer', ratePerMinute: 600 },
    ...(end === 'waits' || end === 'approval'
      ? { sendTime: new Date(then.now.getTime() + 6 * dayMs).toISOString() }
      : {}),
  } as InputOf<typeof smsTasks.preview>
  const { previewToken, recipientCount } = await hand.call(then, boss, smsTasks.preview, asked)
  if (recipientCount === 0) return null
  const create = () => hand.call(then, boss, smsTasks.create, { ...asked, taskName, previewToken })
  const { taskNo } = await (end === 'approval' ? asLarge(tx, create) : create())
  await tx.flush()
  const fill = fillHandler(listValues(secretKey))
  while (await fill.step(then, { jobKey: taskNo, payload: {} })) await tx.flush()
  await tx.flush()
  await tx.exec(sql`delete from job where queue = 'marketing.fill' and job_key = ${taskNo}`)
  return taskNo
}

const read = (tx: Tx, taskNo: string) => tx.one(sql<TaskRecord>`select * from sms_task where task_no = ${taskNo}`)

const asOver: Partial<Record<End, string>> = { mixed: 'some', refused: 'none' }

/** Sends a task as it went, whole or in part. */
const send = async ({ tx, boss, hand }: Desk, then: Tx, taskNo: string, end: End): Promise<void> => {
  if (end === 'waits' || end === 'approval') return
  const version = async () => ({ taskNo, version: (await read(tx, taskNo)).version })
  if (end === 'cancelled') {
    await hand.call(then, boss, smsTasks.cancel, await version())
    return
  }
  const random = randomFrom(Number(taskNo.replace(/\D/g, '').slice(0, 8)))
  await transition(
    then,
    'smsTask',
    await read(tx, taskNo),
    { event: 'sms.start', set: { startedTime: then.now } },
    actor,
  )
  const waiting = await tx.rows(sql<Parameters<typeof writeText>[2]['one']>`
    select phone, customer_no, merchant_no, order_no, template_no from sms_task_recipient where task_no = ${taskNo} and taken_time is null order by phone`)
  const isWhole = ['done', 'mixed', 'refused'].includes(end)
  const some = isWhole ? waiting : waiting.slice(0, Math.ceil(waiting.length / 2))
  for (const [n, one] of some.entries()) {
    await tx.exec(
      sql`update sms_task_recipient set taken_time = ${then.now} where task_no = ${taskNo} and phone = ${one.phone}`,
    )
    const isRefused = end === 'refused' || (end === 'mixed' && (n === 0 || random.chance(0.15)))
    await writeText(tx, then, { taskNo, one, random, isRefused })
  }
  await tx.flush()
  if (end === 'stopped') await hand.call(then, boss, smsTasks.stop, await version())
  const over = { event: 'sms.end', as: asOver[end] ?? 'all', set: { endedTime: then.now } }
  if (isWhole) await transition(then, 'smsTask', await read(tx, taskNo), over, actor)
}

/** User groups by rule, and tasks that people made: sent, stopped, cancelled, under way and to come. */
export const writeSmsTasks = async (tx: Tx): Promise<void> => {
  await groupsJob.run(tx, { date: tx.today })
  const hand = handFor([smsTaskModule({ secretKey })])
  const boss = await rightsOfPerson(tx, userNoOf('admin'), 'en')
  for (const one of samples) {
    const [daysAgo, , , , , end] = one
    const then = morning(tx, daysAgo)
    const taskNo = await make({ tx, boss, hand }, then, one)
    if (!taskNo) continue
    await send({ tx, boss, hand }, then, taskNo, end)
    await tx.flush()
    await refreshCounts(tx, [taskNo])
  }
  await attribute(tx)
  await tx.flush()
}
