import { type RawBuilder, sql } from 'kysely'
import { type ActivityTask, activity } from '../../../../core/contract/operation/activity.ts'
import type { Money } from '../../../../core/rules/money.ts'
import type { Tx } from '../../../db/database.ts'
import { scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'

type Frag = RawBuilder<unknown>

/** An activity as it stands. */
export type Activity = {
  activityNo: string
  activityName: string
  activityType: string
  merchantNos: string[]
  startTime: string
  endTime: string
  budgetAmount: Money
  budgetSpent: Money
  awardsPerCustomer: number
  tasks: ActivityTask[]
  version: number
}

/** A reward as it stands. */
export type AwardRow = {
  awardNo: string
  awardStatus: string
  activityNo: string
  taskKey: string
  customerNo: string
  merchantNo: string
  subjectNo: string
  orderNo: string
  inviteeNo: string | null
  awardKind: 'coupon' | 'wallet'
  awardAmount: Money
  couponTemplateNo: string | null
  couponNo: string | null
  rewardNo: string | null
  awardHold: string | null
  version: number
}

/** Activities `x` for the customers of a merchant that a person serves. */
export const activitySeen = (session: Session, perm = activity.page.perm): Frag =>
  sql`exists (select 1 from merchant tm where tm.merchant_no = any(x.merchant_nos)
    and ${scope(session, { merchant: 'tm.merchant_no', holder: () => sql`true`, perm })})`

/** Rewards `a` of customers of merchants that a person serves. */
export const awardSeen = (session: Session): Frag =>
  scope(session, { merchant: 'a.merchant_no', holder: () => sql`true`, perm: activity.awards.perm })

/** Where an activity `x` stands now. */
export const stateOf = (tx: Tx): Frag => sql`(case
  when x.enabled <> 'enabled' then 'off' when x.end_time <= ${tx.now} then 'ended' when x.start_time > ${tx.now} then 'planned'
  when x.budget_used_time is not null or x.budget_spent >= x.budget_amount then 'budget_used' else 'running' end)`

/** An activity, locked: rewards of it are given one after the other. */
export const lockActivity = (tx: Tx, activityNo: string): Promise<Activity> =>
  tx.one(sql<Activity>`select * from activity where activity_no = ${activityNo} for update`)

/** Takes the amount of a reward of the budget, in one statement; the activity stops where it does not suffice. */
export const takeBudget = async (tx: Tx, activityNo: string, amount: Money): Promise<boolean> => {
  const taken = await tx.exec(sql`
    update activity set budget_spent = budget_spent + ${amount}::numeric
    where activity_no = ${activityNo} and budget_used_time is null and budget_spent + ${amount}::numeric <= budget_amount`)
  if (taken === 1) return true
  await tx.exec(sql`
    update activity set budget_used_time = coalesce(budget_used_time, ${tx.now}) where activity_no = ${activityNo}`)
  return false
}

/** The amount of a reward that nobody has any more is there for others. */
export const returnBudget = (tx: Tx, activityNo: string, amount: Money) =>
  tx.exec(sql`
    update activity set budget_spent = budget_spent - ${amount}::numeric, budget_used_time = null where activity_no = ${activityNo}`)
