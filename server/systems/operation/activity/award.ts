import { sql } from 'kysely'
import type { ActivityTask } from '../../../../core/contract/operation/activity.ts'
import type { Money } from '../../../../core/rules/money.ts'
import type { Tx } from '../../../db/database.ts'
import type { QueueHandler } from '../../../module.ts'
import { newNo } from '../../../money/numbers.ts'
import { type Actor, system } from '../../../rights/actor.ts'
import { create, transition } from '../../../states/transition.ts'
import { giveReward } from '../../after-loan/wallet/index.ts'
import { findTemplate, issueCoupon } from '../coupon/index.ts'
import { awardRun, keepMissed } from './award-run.ts'
import { activityQueue, type Heard } from './heard.ts'
import { eventOf, type Reached, reachedBy, sharedIn } from './reached.ts'
import { type Activity, type AwardRow, lockActivity, returnBudget, takeBudget } from './store.ts'
import { takeBackUndone } from './take-back.ts'

const actor = system('activity.award')

/** What a task rewards with; null where its kind of coupon cannot be given any more. */
const amountOf = async (tx: Tx, task: ActivityTask): Promise<Money | null> => {
  if (task.awardKind === 'wallet') return (task.awardAmount ?? null) as Money | null
  const template = await findTemplate(tx, String(task.couponTemplateNo))
  return template?.faceAmount ?? null
}

type Earned = { activity: Activity; task: ActivityTask; reached: Reached }

/** Whether one more reward stands against what the customer has already: each multiple of the threshold once, up to the most of the activity. */
const isDue = async (tx: Tx, { activity, task, reached }: Earned): Promise<boolean> => {
  const { customerNo, subjectNo, count } = reached
  const had = await tx.one(sql<{ subject: boolean; ofTask: number; all: number }>`
    select coalesce(bool_or(task_key = ${task.taskKey} and subject_no = ${subjectNo}), false) as subject,
      count(*) filter (where task_key = ${task.taskKey} and award_status <> 'reversed')::int as of_task,
      count(*) filter (where award_status in ('held', 'given'))::int as all
    from activity_award where activity_no = ${activity.activityNo} and customer_no = ${customerNo}`)
  return !had.subject && Math.floor(count / task.taskThreshold) > had.ofTask && had.all < activity.awardsPerCustomer
}

type Gift = Pick<
  AwardRow,
  'awardNo' | 'customerNo' | 'merchantNo' | 'awardKind' | 'awardAmount' | 'couponTemplateNo'
> & { activityName: string; activityType: string }

/** Hands a reward over: money into the wallet, or a coupon. A coupon that its own rules refuse is not given. */
export const handOver = async (
  tx: Tx,
  gift: Gift,
  by: Actor,
): Promise<{ rewardNo: string } | { couponNo: string } | { fail: string }> => {
  const { awardNo, customerNo, merchantNo, awardAmount } = gift
  if (gift.awardKind === 'wallet') {
    const rewardType = gift.activityType === 'invite' ? 'invite' : 'activity'
    const of = { customerNo, merchantNo, rewardType, activityType: gift.activityName } as const
    return { rewardNo: await giveReward(tx, { ...of, sourceNo: awardNo, rewardAmount: awardAmount }, by) }
  }
  const couponTemplateNo = String(gift.couponTemplateNo)
  const given = await issueCoupon(
    tx,
    {
      ...{ couponTemplateNo, named: customerNo, startTime: tx.now, faceAmount: awardAmount },
      ...{ source: 'activity', sourceNo: awardNo },
    },
    by,
  )
  return 'fail' in given ? { fail: given.fail } : { couponNo: given.couponNo }
}

/** Writes a reward whose budget is taken: it is given at once, or held where somebody should look at it first. */
const write = async (tx: Tx, { activity, task, reached }: Earned, awardAmount: Money): Promise<void> => {
  const { activityNo, activityName, activityType } = activity
  const { customerNo, merchantNo, subjectNo, orderNo, inviteeNo } = reached
  const awardNo = newNo('AW', tx.now)
  const { awardKind } = task
  const couponTemplateNo = task.couponTemplateNo ?? null
  const what = { awardNo, customerNo, merchantNo, awardKind, awardAmount, couponTemplateNo }
  const values = { ...what, activityNo, taskKey: task.taskKey, subjectNo, orderNo, inviteeNo, awardTime: tx.now }
  const shared = await sharedIn(tx, activityNo, reached)
  const given = shared ? null : await handOver(tx, { ...what, activityName, activityType }, actor)
  if (given && !('fail' in given)) {
    await create(tx, 'activityAward', { ...values, ...given }, { event: 'award.earn', as: 'given' }, actor)
    return
  }
  const held = shared ?? { awardHold: 'coupon_refused' }
  await create(tx, 'activityAward', { ...values, ...held }, { event: 'award.earn', as: 'held' }, actor)
}

/** Rewards an order for one task of an activity, once and within the budget; what the budget has too little left for is kept until there is more. */
const reward = async (
  tx: Tx,
  activityNo: string,
  taskKey: string,
  heard: Heard,
): Promise<'given' | 'missed' | 'nothing'> => {
  const activity = await lockActivity(tx, activityNo)
  const task = activity.tasks.find(one => one.taskKey === taskKey)
  const reached = task && (await reachedBy(tx, activity, task, heard))
  if (!task || !reached) return 'nothing'
  const earned = { activity, task, reached }
  const amount = await amountOf(tx, task)
  if (!amount || !(await isDue(tx, earned))) return 'nothing'
  if (!(await takeBudget(tx, activityNo, amount))) {
    await keepMissed(tx, { activityNo, taskKey, heard })
    return 'missed'
  }
  await write(tx, earned, amount)
  return 'given'
}

/** Makes up every ten minutes what a budget had too little left for. */
export const awardRunJob = awardRun(reward)

/** Activities that ran for a merchant and its app at a moment. */
const runningAt = (tx: Tx, { merchantNo, at }: Heard) =>
  tx.rows(sql<Pick<Activity, 'activityNo' | 'tasks'>>`
    select x.activity_no, x.tasks from activity x join merchant m on m.merchant_no = ${merchantNo}
    where x.deleted_time is null and ${merchantNo} = any(x.merchant_nos) and m.app_name = any(x.app_codes)
      and x.start_time <= ${at}::timestamptz and x.end_time > ${at}::timestamptz
      and x.enabled_time <= ${at}::timestamptz and (x.enabled = 'enabled' or x.stopped_time > ${at}::timestamptz)
    order by x.activity_no`)

/** What happened is rewarded as the activities say that ran then; what was undone is taken back. */
export const awardQueue: QueueHandler = {
  queue: activityQueue,
  async handle(tx, { payload }) {
    const heard = payload as unknown as Heard
    if (heard.event === 'undone') return takeBackUndone(tx, heard, actor)
    for (const { activityNo, tasks } of await runningAt(tx, heard))
      for (const task of tasks)
        if (eventOf[task.taskKey] === heard.event) await reward(tx, activityNo, task.taskKey, heard)
  },
}

type HeldAward = AwardRow & { activityName: string; activityType: string }

/** A held reward is given after all. */
export const releaseAward = async (tx: Tx, row: HeldAward, set: Record<string, unknown>, by: Actor) => {
  const given = await handOver(tx, row, by)
  if ('fail' in given) return given
  const { activityNo } = row
  await transition(
    tx,
    'activityAward',
    row,
    { event: 'award.decide', as: 'release', set: { ...set, ...given }, payload: { activityNo } },
    by,
  )
  return given
}

/** A held reward is not given; its amount is there for others. */
export const refuseAward = async (tx: Tx, row: AwardRow, set: Record<string, unknown>, by: Actor): Promise<void> => {
  await transition(tx, 'activityAward', row, { event: 'award.decide', as: 'refuse', set, payload: set }, by)
  await returnBudget(tx, row.activityNo, row.awardAmount)
}
