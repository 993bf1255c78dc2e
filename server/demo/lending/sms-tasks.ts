import { sql } from 'kysely'
import { contract } from '../../../core/contract/contract.ts'
import type { InputOf } from '../../../core/contract/endpoint.ts'
import type { Tx } from '../../db/database.ts'
import { system } from '../../rights/actor.ts'
import { rightsOfPerson, type Session } from '../../session/session.ts'
import { transition } from '../../states/transition.ts'
import { attribute, refreshCounts } from '../../systems/marketing/sms-task/counts.ts'
import { fillHandler } from '../../systems/marketing/sms-task/fill.ts'
import type { TaskRecord } from '../../systems/marketing/sms-task/send.ts'
import { smsTaskModule } from '../../systems/marketing/sms-task/sms-task.ts'
import { groupsJob } from '../../systems/marketing/user-group/refresh.ts'
import { listValues } from '../../systems/risk/name-list/index.ts'
import { at, type Hand, handFor } from '../hand.ts'
import { randomFrom } from '../random.ts'
import { userNoOf } from '../staff.ts'
import { writeText } from './unrenewed.ts'

const { smsTasks } = contract
const dayMs = 86_400_000
const secretKey = Buffer.alloc(32)
const actor = system('demo sms task')

type End = 'done' | 'stopped' | 'half' | 'cancelled' | 'waits'
type Sample = {
  name: string
  merchantNo: string
  text: string
  statuses: readonly ('settled' | 'refused' | 'cancelled')[]
  daysAgo: number
  end: End
}
const samples: readonly Sample[] = [
  {
    name: 'Back to school',
    merchantNo: 'M1',
    text: 'Borrow again, 3 days',
    statuses: ['settled'],
    daysAgo: 20,
    end: 'done',
  },
  {
    name: 'Harvest, who repaid',
    merchantNo: 'M2',
    text: 'Borrow again, 3 days',
    statuses: ['settled'],
    daysAgo: 16,
    end: 'done',
  },
  {
    name: 'Second chance',
    merchantNo: 'M1',
    text: 'Borrow again, 7 days',
    statuses: ['refused', 'cancelled'],
    daysAgo: 12,
    end: 'stopped',
  },
  {
    name: 'Month end',
    merchantNo: 'M2',
    text: 'Borrow again, 30 days',
    statuses: ['settled'],
    daysAgo: 9,
    end: 'done',
  },
  {
    name: 'Wrong text',
    merchantNo: 'M1',
    text: 'Borrow again, 7 days',
    statuses: ['settled'],
    daysAgo: 5,
    end: 'cancelled',
  },
  {
    name: 'Weekend market',
    merchantNo: 'M2',
    text: 'Borrow again, 3 days',
    statuses: ['settled'],
    daysAgo: 2,
    end: 'half',
  },
  {
    name: 'Next week',
    merchantNo: 'M1',
    text: 'Borrow again, 3 days',
    statuses: ['settled'],
    daysAgo: 0,
    end: 'waits',
  },
]

type Desk = { tx: Tx; boss: Session; hand: Hand }

/** At ten in the morning of a day ago, when offers may be sent. */
const morning = (tx: Tx, daysAgo: number): Tx => {
  const now = new Date(tx.now.getTime() - daysAgo * dayMs)
  now.setUTCHours(7, 0, 0, 0)
  return at(tx, now)
}

const make = async ({ tx, boss, hand }: Desk, then: Tx, one: Sample): Promise<string | null> => {
  const text = await tx.maybe(sql<{ templateNo: string }>`
    select template_no from sms_template where merchant_no = ${one.merchantNo} and template_name = ${one.text} and template_status = 'enabled'`)
  if (!text) return null
  const asked = {
    ...{ merchantNo: one.merchantNo, audienceSource: 'filter', audienceStatuses: [...one.statuses], ...text },
    ...{ languageMode: 'customer', ratePerMinute: 600 },
    ...(one.end === 'waits' ? { sendTime: new Date(then.now.getTime() + 6 * dayMs).toISOString() } : {}),
  } as InputOf<typeof smsTasks.preview>
  const { previewToken, recipientCount } = await hand.call(then, boss, smsTasks.preview, asked)
  if (recipientCount === 0) return null
  const { taskNo } = await hand.call(then, boss, smsTasks.create, { ...asked, taskName: one.name, previewToken })
  await tx.flush()
  const fill = fillHandler(listValues(secretKey))
  while (await fill.step(then, { jobKey: taskNo, payload: {} })) await tx.flush()
  await tx.flush()
  await tx.exec(sql`delete from job where queue = 'marketing.fill' and job_key = ${taskNo}`)
  return taskNo
}

const read = (tx: Tx, taskNo: string) => tx.one(sql<TaskRecord>`select * from sms_task where task_no = ${taskNo}`)

/** Sends a task as it went, whole or in part. */
const send = async ({ tx, boss, hand }: Desk, then: Tx, taskNo: string, end: End): Promise<void> => {
  if (end === 'waits') return
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
  const some = end === 'done' ? waiting : waiting.slice(0, Math.ceil(waiting.length / 2))
  for (const one of some) {
    await tx.exec(
      sql`update sms_task_recipient set taken_time = ${then.now} where task_no = ${taskNo} and phone = ${one.phone}`,
    )
    await writeText(tx, then, { taskNo, one, random })
  }
  await tx.flush()
  if (end === 'stopped') await hand.call(then, boss, smsTasks.stop, await version())
  const over = { event: 'sms.end', as: 'all', set: { endedTime: then.now } }
  if (end === 'done') await transition(then, 'smsTask', await read(tx, taskNo), over, actor)
}

/** User groups by rule, and tasks that people made: sent, stopped, cancelled, under way and to come. */
export const writeSmsTasks = async (tx: Tx): Promise<void> => {
  await groupsJob.run(tx, { date: tx.today })
  const hand = handFor([smsTaskModule({ secretKey })])
  const boss = await rightsOfPerson(tx, userNoOf('admin'), 'en')
  for (const one of samples) {
    const then = morning(tx, one.daysAgo)
    const taskNo = await make({ tx, boss, hand }, then, one)
    if (!taskNo) continue
    await send({ tx, boss, hand }, then, taskNo, one.end)
    await tx.flush()
    await refreshCounts(tx, [taskNo])
  }
  await attribute(tx)
  await tx.flush()
}
