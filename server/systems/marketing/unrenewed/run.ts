import { type Selectable, sql } from 'kysely'
import { startOfEatDay } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import type { DB } from '../../../db/types.gen.ts'
import type { Scheduled } from '../../../module.ts'
import { newNo } from '../../../money/numbers.ts'
import { system } from '../../../rights/actor.ts'
import { create } from '../../../states/transition.ts'
import { nextMoment } from '../../operation/message-engine/index.ts'
import { matchedOn, type Target } from './matching.ts'

/** A rule as its row holds it. */
export type Rule = Omit<Selectable<DB['unrenewedConfig']>, keyof Target> & Target & { configNo: string }
const ratePerMinute = 600

/** When a task of a day begins: at the hour of its rule; at once where that has passed. */
const beginsAt = (tx: Tx, { textTime }: Rule, date: string): Promise<Date> => {
  const [hours = 0, minutes = 0] = textTime.split(':').map(Number)
  const at = Date.parse(startOfEatDay(date)) + (hours * 60 + minutes) * 60_000
  return nextMoment(tx, 'marketing', null, new Date(Math.max(at, tx.now.getTime())))
}

/** Makes the task of a rule for a day, with its recipients; a second run of the day makes none. */
const runRule = async (tx: Tx, rule: Rule, date: string): Promise<number> => {
  const { configNo, configName } = rule
  const there = await tx.maybe(sql`select 1 from sms_task where config_no = ${configNo} and business_date = ${date}`)
  if (there) return 0
  const matched = await matchedOn(tx, rule, date)
  if (matched.length === 0) return 0
  const taskNo = newNo('SK', tx.now)
  const actor = system(`unrenewed ${date}`)
  const values = {
    ...{
      taskNo,
      taskName: `${configName} ${date}`,
      configNo,
      businessDate: date,
      sendTime: await beginsAt(tx, rule, date),
    },
    ...{ ratePerMinute, matchedCount: matched.length, recipientCount: matched.length, filledTime: tx.now },
    ...{ merchantNo: rule.merchantNos[0], createdBy: 'system', createdTime: tx.now },
  }
  await create(tx, 'smsTask', values, { event: 'sms.create' }, actor)
  await tx.flush()
  const [phones, customers, merchants, orders, texts] = [
    matched.map(one => one.phone),
    matched.map(one => one.customerNo),
    matched.map(one => one.merchantNo),
    matched.map(one => one.orderNo),
    matched.map(one => one.templateNo),
  ]
  await tx.exec(sql`
    insert into sms_task_recipient (task_no, phone, customer_no, merchant_no, order_no, template_no)
    select ${taskNo}, * from unnest(${phones}::text[], ${customers}::text[], ${merchants}::text[], ${orders}::text[], ${texts}::text[])`)
  return 1
}

/** Once a day, for each rule in force; a day that was missed is not caught up. */
export const unrenewedJob: Scheduled = {
  job: 'marketing.unrenewed',
  every: { dailyAt: '07:00' },
  async run(tx, { date }) {
    // A run of another day, late, would speak of loans that were settled on other days than the rules say.
    if (date !== tx.today) return { tasks: 0 }
    const rules = await tx.rows(sql<Rule>`
      select * from unrenewed_config where enabled = 'enabled' and deleted_time is null and effective_time <= ${tx.now} order by config_no for share`)
    let tasks = 0
    for (const rule of rules) tasks += await runRule(tx, rule, date)
    return { tasks }
  },
}
