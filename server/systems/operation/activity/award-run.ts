import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { json } from '../../../db/json.ts'
import type { Scheduled } from '../../../module.ts'
import type { Heard } from './heard.ts'

/** The most that are made up in one run; the next one goes on. */
const most = 200

type Missed = { activityNo: string; taskKey: string; heard: Heard }
type Reward = (tx: Tx, activityNo: string, taskKey: string, heard: Heard) => Promise<'given' | 'missed' | 'nothing'>

/** Keeps a reward that the budget had too little left for. */
export const keepMissed = (tx: Tx, { activityNo, taskKey, heard }: Missed): Promise<number> =>
  tx.exec(sql`
    insert into activity_missed (activity_no, task_key, order_no, heard, missed_time) values (${activityNo}, ${taskKey}, ${heard.orderNo}, ${json(heard)}, ${heard.at}::timestamptz)
    on conflict do nothing`)

/** Rewards whose activity has money again, the oldest first; those that others make up at the moment are left to them. */
const lockMissed = (tx: Tx): Promise<Missed[]> =>
  tx.rows(sql<Missed>`
    select m.activity_no, m.task_key, m.heard from activity_missed m join activity x using (activity_no)
    where x.deleted_time is null and x.budget_used_time is null and x.budget_spent < x.budget_amount
    order by m.activity_no, m.missed_time, m.order_no, m.task_key limit ${most} for update of m skip locked`)

/** What was earned while a budget was used up is given as soon as there is more; what has come to nothing since is forgotten. */
export const awardRun = (reward: Reward): Scheduled => ({
  job: 'awardRun',
  every: { seconds: 600 },
  run: async tx => {
    const counts = { given: 0, dropped: 0 }
    const usedUp = new Set<string>()
    for (const { activityNo, taskKey, heard } of await lockMissed(tx)) {
      if (usedUp.has(activityNo)) continue
      const became = await reward(tx, activityNo, taskKey, heard)
      if (became === 'missed') {
        usedUp.add(activityNo)
        continue
      }
      counts[became === 'given' ? 'given' : 'dropped'] += 1
      await tx.exec(sql`
        delete from activity_missed where activity_no = ${activityNo} and task_key = ${taskKey} and order_no = ${heard.orderNo}`)
    }
    return counts
  },
})
