import { sql } from 'kysely'
import { contract } from '../../../core/contract/contract.ts'
import type { InputOf } from '../../../core/contract/endpoint.ts'
import { networkOf } from '../../../core/rules/text/network.ts'
import { smsParts } from '../../../core/rules/text/sms-parts.ts'
import { addDays, startOfEatDay } from '../../../core/rules/time.ts'
import type { Tx } from '../../db/database.ts'
import { json } from '../../db/json.ts'
import { newNo } from '../../money/numbers.ts'
import { system } from '../../rights/actor.ts'
import { rightsOfPerson } from '../../session/session.ts'
import { create, transition } from '../../states/transition.ts'
import { composer, type Recipient } from '../../systems/marketing/sms-task/compose.ts'
import { refreshCounts } from '../../systems/marketing/sms-task/counts.ts'
import type { TaskRecord } from '../../systems/marketing/sms-task/send.ts'
import { matchedOn } from '../../systems/marketing/unrenewed/matching.ts'
import type { Rule } from '../../systems/marketing/unrenewed/run.ts'
import { unrenewedModule } from '../../systems/marketing/unrenewed/unrenewed.ts'
import { at, handFor } from '../hand.ts'
import { goes, refused } from '../messages/messages.ts'
import { type Random, randomFrom } from '../random.ts'
import { userNoOf } from '../staff.ts'

const { unrenewed } = contract
const dayMs = 24 * 60 * 60_000
const actor = system('demo unrenewed')

type Sample = {
  name: string
  merchantNo: string
  loanKind: 'first' | 'repeat'
  text: string
  days: number[]
  hour: string
  state: 'on' | 'off' | 'future'
}
const samples: readonly Sample[] = [
  {
    name: 'Boda, first loan',
    merchantNo: 'M1',
    loanKind: 'first',
    text: 'Borrow again, 3 days',
    days: [3, 7, 14, 30],
    hour: '10:00',
    state: 'on',
  },
  {
    name: 'Boda, repeat',
    merchantNo: 'M1',
    loanKind: 'repeat',
    text: 'Borrow again, 7 days',
    days: [2, 5, 10, 21],
    hour: '10:30',
    state: 'on',
  },
  {
    name: 'Market, first loan',
    merchantNo: 'M2',
    loanKind: 'first',
    text: 'Borrow again, 3 days',
    days: [1, 4, 8, 15],
    hour: '09:00',
    state: 'on',
  },
  {
    name: 'Market, repeat',
    merchantNo: 'M2',
    loanKind: 'repeat',
    text: 'Borrow again, 30 days',
    days: [30, 60],
    hour: '11:00',
    state: 'on',
  },
  {
    name: 'Planting season',
    merchantNo: 'M3',
    loanKind: 'repeat',
    text: 'Planting season',
    days: [6, 12],
    hour: '10:00',
    state: 'future',
  },
  {
    name: 'Boda, long ago',
    merchantNo: 'M1',
    loanKind: 'first',
    text: 'Borrow again, 14 days',
    days: [90, 180],
    hour: '15:00',
    state: 'off',
  },
]

/** The text of one recipient, as its vendor took it and reported on it, or refused it. */
export const writeText = async (
  tx: Tx,
  then: Tx,
  o: { taskNo: string; one: Recipient; random: Random; isRefused?: boolean },
): Promise<void> => {
  const { taskNo, one, random } = o
  const { language, content, values, body, templateVersion, appName } = (await composer(tx, [one]))(one)
  if (body === null) return
  const { phone, customerNo, merchantNo, orderNo, templateNo } = one
  const row = {
    ...{
      messageNo: newNo('MS', then.now),
      channelType: 'sms',
      template: 'node',
      language,
      params: json(values),
      recipient: phone,
    },
    ...{
      network: networkOf(phone),
      objectType: 'sms_task',
      objectNo: taskNo,
      occurrence: taskNo,
      channelAt: 0,
      content,
    },
    ...{
      templateNo,
      templateVersion,
      contactKind: 'marketing',
      isOwn: true,
      appCode: appName,
      merchantNo,
      customerNo,
      orderNo,
    },
    ...{ createdTime: then.now, begunTime: then.now, sendTime: then.now, tries: 1, segments: smsParts(body).parts },
    ...{ accountNo: 'sms-1', vendorName: 'Nile Text', senderId: 'NILECREDIT' },
  }
  await (o.isRefused ? refused(tx, then, row, random) : goes(tx, then, row, random))
}

/** What a rule did on one day that is over. */
const writeRun = async (tx: Tx, rule: Rule, date: string, random: Random): Promise<void> => {
  const matched = await matchedOn(tx, rule, date)
  if (matched.length === 0) return
  const [hours = 0, minutes = 0] = rule.textTime.split(':').map(Number)
  const start = Date.parse(startOfEatDay(date))
  const then = at(tx, new Date(start + (hours * 60 + minutes) * 60_000))
  const taskNo = newNo('SK', then.now)
  const values = {
    ...{
      taskNo,
      taskName: `${rule.configName} ${date}`,
      configNo: rule.configNo,
      businessDate: date,
      sendTime: then.now,
    },
    ...{
      ratePerMinute: 600,
      matchedCount: matched.length,
      merchantNo: rule.merchantNos[0],
      recipientCount: matched.length,
      filledTime: then.now,
      createdBy: 'system',
      createdTime: new Date(start + 7 * 3_600_000),
    },
  }
  await create(then, 'smsTask', values, { event: 'sms.create' }, actor)
  await tx.flush()
  const read = () => tx.one(sql<TaskRecord>`select * from sms_task where task_no = ${taskNo}`)
  await transition(then, 'smsTask', await read(), { event: 'sms.start', set: { startedTime: then.now } }, actor)
  for (const one of matched) {
    await tx.exec(sql`
      insert into sms_task_recipient (task_no, phone, customer_no, merchant_no, order_no, template_no, taken_time)
      values (${taskNo}, ${one.phone}, ${one.customerNo}, ${one.merchantNo}, ${one.orderNo}, ${one.templateNo}, ${then.now})`)
    await writeText(tx, then, { taskNo, one, random })
  }
  const end = { event: 'sms.end', as: 'all', set: { endedTime: then.now } }
  await transition(then, 'smsTask', await read(), end, actor)
  await tx.flush()
  await refreshCounts(tx, [taskNo])
}

/** Rules for customers who did not borrow again: in force, off and to come, with what they did in the last 30 days. */
export const writeUnrenewed = async (tx: Tx): Promise<void> => {
  const hand = handFor([unrenewedModule({ secretKey: Buffer.alloc(32) })])
  const boss = await rightsOfPerson(tx, userNoOf('admin'), 'en')
  const then = at(tx, new Date(tx.now.getTime() - 31 * dayMs))
  for (const { name, merchantNo, loanKind, text, days, hour, state } of samples) {
    const found = await tx.maybe(sql<{ templateNo: string }>`
      select template_no from sms_template where merchant_no = ${merchantNo} and template_name = ${text} and template_status = 'enabled'`)
    if (!found) continue
    const input = {
      ...{
        configName: name,
        merchantNos: [merchantNo],
        loanKind,
        maxOverdueDays: 0,
        perCustomerMax: 4,
        textTime: hour,
      },
      sendDays: days.map(daysAfter => ({ daysAfter, ...found })),
      effectiveTime: (state === 'future' ? new Date(tx.now.getTime() + 9 * dayMs) : then.now).toISOString(),
    }
    const { key } = await hand.call(then, boss, unrenewed.save, input as InputOf<typeof unrenewed.save>)
    await tx.flush()
    if (state === 'off') continue
    await hand.call(then, boss, unrenewed.state, { configNo: String(key), enabled: true, version: 0 } as InputOf<
      typeof unrenewed.state
    >)
    await tx.flush()
  }
  const random = randomFrom(20261130)
  const rules = await tx.rows(sql<Rule>`
    select * from unrenewed_config where enabled = 'enabled' and effective_time <= ${tx.now} order by config_no`)
  for (let n = 30; n >= 1; n--) for (const rule of rules) await writeRun(tx, rule, addDays(tx.today, -n), random)
  await tx.flush()
}
