import type { EatDate } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { enqueue } from '../../../jobs/queue.ts'

export const reconQueueName = 'recon.run'

/** Has an account and day compared, once per key. */
export const runRecon = (tx: Tx, fundAccountNo: string, date: EatDate, key: string) =>
  enqueue(tx, reconQueueName, `${fundAccountNo}:${date}:${key}`, { fundAccountNo, date })
