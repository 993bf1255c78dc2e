import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import type { Actor } from '../../../rights/actor.ts'
import { transition } from '../../../states/transition.ts'
import { takeBackReward } from '../../after-loan/wallet/index.ts'
import { takeBackCoupon } from '../coupon/index.ts'
import type { Heard } from './heard.ts'
import { reachedBy } from './reached.ts'
import { type AwardRow, lockActivity, returnBudget } from './store.ts'

/** Takes a locked reward back, unless the customer has spent it. */
export const takeBack = async (
  tx: Tx,
  row: AwardRow,
  { as, reason, by }: { as: 'person' | 'system'; reason: string; by: Actor },
): Promise<boolean> => {
  const unspent = row.rewardNo
    ? await takeBackReward(tx, row.rewardNo, by)
    : await takeBackCoupon(tx, String(row.couponNo), reason, by)
  if (!unspent) return false
  const set = { decideReason: reason, decidedBy: by.name, decidedTime: tx.now }
  await transition(tx, 'activityAward', row, { event: 'award.reverse', as, set, payload: { reason } }, by)
  await returnBudget(tx, row.activityNo, row.awardAmount)
  return true
}

const undone = 'undone'

/** A payout or a settlement was undone: what it had earned is taken back if it is unspent, and not given if it is held. */
export const takeBackUndone = async (tx: Tx, heard: Heard, actor: Actor): Promise<void> => {
  const earned = await tx.rows(sql<Pick<AwardRow, 'awardNo' | 'activityNo'>>`
    select award_no, activity_no from activity_award where order_no = ${heard.orderNo} and award_status in ('held', 'given') order by activity_no, award_no`)
  for (const { awardNo, activityNo } of earned) {
    const activity = await lockActivity(tx, activityNo)
    const row = await tx.one(sql<AwardRow>`select * from activity_award where award_no = ${awardNo} for update`)
    const task = activity.tasks.find(one => one.taskKey === row.taskKey)
    if (!task || (await reachedBy(tx, activity, task, heard))) continue
    if (row.awardStatus === 'held') {
      const set = { decideReason: undone, decidedBy: actor.name, decidedTime: tx.now }
      await transition(tx, 'activityAward', row, { event: 'award.decide', as: 'refuse', set, payload: set }, actor)
      await returnBudget(tx, activityNo, row.awardAmount)
    } else if (!(await takeBack(tx, row, { as: 'system', reason: undone, by: actor })))
      await tx.exec(sql`
        update activity_award set undone_time = ${tx.now}, version = version + 1 where award_no = ${awardNo}`)
  }
}
