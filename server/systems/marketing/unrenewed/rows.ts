import { type RawBuilder, sql } from 'kysely'
import { add, type Money } from '../../../../core/rules/amount.ts'
import { mul } from '../../../../core/rules/money.ts'
import { addDays } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import type { ListValues } from '../../risk/name-list/index.ts'
import { dayOf, type Target } from './matching.ts'

type Frag = RawBuilder<unknown>
const week = 7
const monthMs = 30 * 86_400_000

/** Today and the six days after it. */
export const weekOf = ({ today }: Tx): string[] => Array.from({ length: week }, (_, n) => addDays(today, n))

/** What the list says of a rule: its days and texts, its last run, and who borrowed again. */
export const rowColumns = (tx: Tx): Record<string, Frag> => {
  const last = (what: Frag) =>
    sql`(select ${what} from sms_task t where t.config_no = x.config_no order by t.business_date desc limit 1)`
  const sent = sql`from message m join sms_task t on t.task_no = m.object_no where m.object_type = 'sms_task' and t.config_no = x.config_no
    and m.deliver_time > ${new Date(tx.now.getTime() - monthMs)}`
  const again = sql`exists (select 1 from loan_order n where n.customer_no = m.customer_no and n.apply_time >= m.deliver_time and n.apply_time < m.deliver_time + interval '7 days')`
  return {
    merchants: sql`(select string_agg(coalesce(m.brand_name, m.merchant_name), ', ' order by m.merchant_no) from merchant m where m.merchant_no = any(x.merchant_nos))`,
    dayOffsets: sql`(select string_agg(s ->> 'daysAfter', ', ' order by (s ->> 'daysAfter')::int) from jsonb_array_elements(x.send_days) s)`,
    texts: sql`(select string_agg(distinct p.template_name, ', ') from jsonb_array_elements(x.send_days) s join sms_template p on p.template_no = s ->> 'templateNo')`,
    lastRunDate: last(sql`t.business_date`),
    lastSent: last(
      sql`(select count(*)::int from message m where m.object_type = 'sms_task' and m.object_no = t.task_no and m.vendor_ref is not null)`,
    ),
    borrowedAgain: sql`(select count(distinct m.customer_no)::int ${sent} and ${again})`,
    borrowedShare: sql`(select round(100.0 * count(distinct m.customer_no) filter (where ${again}) / nullif(count(distinct m.customer_no), 0), 1)::float8 ${sent})`,
  }
}

/** What each rule would do on a day of the coming week, on average. */
export const withEffect = async (tx: Tx, lists: ListValues, rows: Record<string, unknown>[]) => {
  const rules = await tx.rows(sql<Target & { configNo: string }>`
    select config_no, merchant_nos, loan_kind, member_levels, send_days, max_overdue_days, per_customer_max from unrenewed_config
    where config_no = any(${rows.map(row => String(row.configNo))})`)
  type Effect = { customersADay: number; costADay: Money | null }
  const effects = new Map<string, Effect>()
  /** Rules that differ in their name alone are looked at once. */
  const alike = new Map<string, Effect>()
  for (const { configNo, ...rule } of rules) {
    const said = JSON.stringify(rule)
    const known = alike.get(said)
    if (known) {
      effects.set(configNo, known)
      continue
    }
    let [customers, cost]: [number, Money | null] = [0, null]
    for (const date of weekOf(tx)) {
      const day = await dayOf(tx, lists, rule, date)
      customers += day.recipientCount
      if (day.costEstimate !== null) cost = add(cost ?? '0.00', day.costEstimate)
    }
    const costADay = cost && mul(cost, (1 / week).toFixed(6))
    const effect = { customersADay: Math.round(customers / week), costADay }
    alike.set(said, effect)
    effects.set(configNo, effect)
  }
  return rows.map(row => ({ customersADay: 0, costADay: null, ...row, ...effects.get(String(row.configNo)) }))
}
