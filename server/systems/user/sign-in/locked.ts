import { sql } from 'kysely'
import { eatDateTime } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { enqueue } from '../../../jobs/queue.ts'
import type { QueueHandler } from '../../../module.ts'
import { postToStaff } from '../../../outgoing/post.ts'
import { countTry, type Try } from '../../../session/throttle.ts'

const queue = 'signIn.locked'

/**
 * Counts a try of a name. Where it closes the name its owner gets a letter: by a job, whether anybody has the name or not, so that the answer
 * takes as long for both.
 */
export const countAndTell = async (tx: Tx, name: string): Promise<Try> => {
  const counted = await countTry(tx, name)
  if (counted.closed) await enqueue(tx, queue, `${name} ${tx.now.toISOString()}`, { name })
  return counted
}

/** Tells people that their sign-in is paused. A lock that a right password has opened again is not spoken of. */
export const lockedQueue: QueueHandler = {
  queue,
  async handle(tx, { payload }) {
    const found = await tx.maybe(sql<{ userNo: string; lockedUntil: string }>`
      select u.user_no, t.locked_until from app_user u join login_throttle t on t.login_id = lower(u.login_id)
      where t.login_id = ${String(payload.name)} and t.locked_until > ${tx.now} and u.user_status = 'normal' and u.employee_status = 'on_job'`)
    if (found) await postToStaff(tx, found.userNo, 'locked', { time: eatDateTime(found.lockedUntil) })
  },
}
