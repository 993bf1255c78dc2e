import { sql } from 'kysely'
import type { ActivityStat, ActivityTask } from '../../../../core/contract/operation/activity.ts'
import { activity } from '../../../../core/contract/operation/activity.ts'
import { type Money, sub } from '../../../../core/rules/money.ts'
import { addDays } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { type Activity, activitySeen } from './store.ts'

const standing = sql`a.award_status in ('held', 'given')`
const day = sql`(a.award_time at time zone 'Africa/Kampala')::date`

type Counted = Omit<ActivityStat['steps'][number], 'taskThreshold'>

const stepsOf = async (tx: Tx, activityNo: string, tasks: readonly ActivityTask[]): Promise<ActivityStat['steps']> => {
  const found = await tx.rows(sql<Counted>`
    select a.task_key, count(distinct a.customer_no) filter (where ${standing})::int as customers,
      count(*) filter (where a.award_status = 'given')::int as given_awards, count(*) filter (where a.award_status = 'held')::int as held_awards,
      count(*) filter (where a.award_status = 'refused')::int as refused_awards, count(*) filter (where a.award_status = 'reversed')::int as reversed_awards,
      coalesce(sum(a.award_amount) filter (where ${standing}), 0)::numeric(18,2) as award_amount
    from activity_award a where a.activity_no = ${activityNo} group by a.task_key`)
  const none = { customers: 0, givenAwards: 0, heldAwards: 0, refusedAwards: 0, reversedAwards: 0, awardAmount: '0.00' }
  return tasks.map(({ taskKey, taskThreshold }) => ({
    ...none,
    ...found.find(one => one.taskKey === taskKey),
    taskKey,
    taskThreshold,
  }))
}

/** Friends who were invited, and those who applied afterwards. */
const invitedTo = (tx: Tx, activityNo: string) =>
  tx.one(sql<{ invited: number; joined: number }>`
    select count(*)::int as invited, count(*) filter (where exists (
      select 1 from merchant_customer mc join loan_order o on o.customer_no = mc.customer_no and o.merchant_no = mc.merchant_no
      where mc.phone = i.phone and o.apply_time >= i.invited_time))::int as joined
    from activity_invite i where i.activity_no = ${activityNo}`)

const daysOf = (tx: Tx, activityNo: string) =>
  tx.rows(sql<ActivityStat['byDay'][number]>`
    select d::date::text as date, coalesce(s.amount, 0)::numeric(18,2) as budget_spent, coalesce(s.n, 0)::int as award_count
    from generate_series(${addDays(tx.today, -29)}::date, ${tx.today}::date, interval '1 day') d
    left join (select ${day} as date, sum(a.award_amount) as amount, count(*) as n from activity_award a
      where a.activity_no = ${activityNo} and ${standing} group by 1) s on s.date = d::date order by d`)

/** Days that the rest lasts at the pace of the last seven. */
const daysLeft = async (tx: Tx, activityNo: string, remaining: Money): Promise<number | null> => {
  const { n } = await tx.one(sql<{ n: number | null }>`
    select floor(${remaining}::numeric * 7 / nullif(sum(a.award_amount), 0))::int as n from activity_award a
    where a.activity_no = ${activityNo} and ${standing} and a.award_time > ${tx.now}::timestamptz - interval '7 days'`)
  return n
}

/** Held rewards that share a device or an account, to be looked at before they are given. */
const clustersOf = (tx: Tx, activityNo: string) =>
  tx.rows(sql<ActivityStat['clusters'][number]>`
    select a.cluster_no, min(a.award_hold) as award_hold, count(*)::int as award_count, count(distinct a.customer_no)::int as customers,
      sum(a.award_amount)::numeric(18,2) as award_amount,
      (array_agg(distinct coalesce(v.customer_name, c.customer_name)))[1:10] as names
    from activity_award a join customer c on c.customer_no = a.customer_no left join customer v on v.customer_no = a.invitee_no
    where a.activity_no = ${activityNo} and a.award_status = 'held' and a.cluster_no is not null
    group by a.cluster_no order by sum(a.award_amount) desc, a.cluster_no limit 50`)

/** How far customers came, what was spent day by day, how long the rest lasts, and what looks like fraud. */
export const stat = serve(activity.stat, async ({ tx, session, input: { activityNo } }) => {
  const row = await tx.maybe(sql<Activity>`
    select x.* from activity x where x.activity_no = ${activityNo} and x.deleted_time is null and ${activitySeen(session)}`)
  if (!row) throw notFound()
  const remainingAmount = sub(row.budgetAmount, row.budgetSpent)
  const friends = row.activityType === 'invite' ? await invitedTo(tx, activityNo) : null
  return {
    steps: await stepsOf(tx, activityNo, row.tasks),
    invited: friends?.invited ?? null,
    joined: friends?.joined ?? null,
    byDay: await daysOf(tx, activityNo),
    remainingAmount,
    daysLeft: await daysLeft(tx, activityNo, remainingAmount),
    clusters: await clustersOf(tx, activityNo),
  }
})
