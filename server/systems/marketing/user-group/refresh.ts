import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import type { Scheduled } from '../../../module.ts'
import { newNo } from '../../../money/numbers.ts'

type Frag = RawBuilder<unknown>
type Rule = { key: string; name: string; where: Frag }

const daysSince = (tx: Tx, time: Frag): Frag => sql`(${tx.today}::date - (${time} at time zone 'Africa/Kampala')::date)`
const settled = (tx: Tx, from: number, to: number): Frag =>
  sql`o.order_status = 'settled' and ${daysSince(tx, sql`o.settled_time`)} between ${from} and ${to}`

/** The groups that the program keeps, by the last order of each customer at each merchant. */
const rulesOf = (tx: Tx): readonly Rule[] => [
  {
    key: 'approved_not_taken',
    name: 'Approved, not taken',
    where: sql`o.order_status = 'cancelled' and o.approval_time is not null and o.payout_time is null`,
  },
  { key: 'settled_3_7', name: 'Repaid 3 to 7 days ago', where: settled(tx, 3, 7) },
  { key: 'settled_8_30', name: 'Repaid 8 to 30 days ago', where: settled(tx, 8, 30) },
  { key: 'settled_31_90', name: 'Repaid 31 to 90 days ago', where: settled(tx, 31, 90) },
  { key: 'settled_91', name: 'Repaid over 90 days ago', where: settled(tx, 91, 3_650) },
  {
    key: 'refused_60',
    name: 'Refused over 60 days ago',
    where: sql`o.order_status in ('machine_refused', 'approval_rejected') and ${daysSince(tx, sql`o.status_time`)} >= 60`,
  },
]

const groupOf = async (tx: Tx, { key, name }: Rule): Promise<string> => {
  await tx.exec(sql`
    insert into user_group (user_group_no, user_group_name, user_group_kind, rule_key, created_by, created_time)
    values (${newNo('UG', tx.now)}, ${name}, 'rule', ${key}, 'system', ${tx.now}) on conflict (rule_key) do nothing`)
  const { no } = await tx.one(sql<{ no: string }>`
    select user_group_no as no from user_group where rule_key = ${key} for update`)
  return no
}

/** Writes who is in a group now; those of merchants' last orders alone, in statements whose work the database does. */
const refresh = async (tx: Tx, rule: Rule): Promise<number> => {
  const no = await groupOf(tx, rule)
  await tx.exec(sql`delete from user_group_member where user_group_no = ${no}`)
  const count = await tx.exec(sql`
    insert into user_group_member (user_group_no, merchant_no, phone, customer_no)
    select distinct on (mc.merchant_no, mc.phone) ${no}, mc.merchant_no, mc.phone, mc.customer_no
    from merchant_customer mc join customer c on c.customer_no = mc.customer_no
      join lateral (select l.* from loan_order l where l.customer_no = mc.customer_no and l.merchant_no = mc.merchant_no
        order by l.apply_time desc, l.order_no desc limit 1) o on true
    where not c.technical and ${rule.where} order by mc.merchant_no, mc.phone, mc.customer_no`)
  await tx.exec(sql`
    update user_group set member_count = ${count}, refresh_time = ${tx.now}, version = version + 1,
      merchant_nos = coalesce((select array_agg(distinct g.merchant_no order by g.merchant_no) from user_group_member g where g.user_group_no = ${no}), '{}')
    where user_group_no = ${no}`)
  return count
}

/** Groups by rule are new each morning; tasks that were made for one before keep whom they were made for. */
export const groupsJob: Scheduled = {
  job: 'marketing.groups',
  every: { dailyAt: '05:30' },
  async run(tx) {
    let members = 0
    for (const rule of rulesOf(tx)) members += await refresh(tx, rule)
    return { members }
  },
}
