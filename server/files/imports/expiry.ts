import { sql } from 'kysely'
import { confirmMinutes } from '../../../core/contract/common/imports.ts'
import type { Tx } from '../../db/database.ts'
import { enqueue } from '../../jobs/queue.ts'
import type { Scheduled } from '../../module.ts'
import { type Actor, system } from '../../rights/actor.ts'
import { transition } from '../../states/transition.ts'
import type { ExportFiles } from '../exports/files.ts'
import { actorFor, endBadly, type Given } from './read-job.ts'
import { checkQueue, readQueue, resultQueue, runQueue } from './request.ts'
import { type ImportJob, progress } from './store.ts'

type Kept = Pick<Given, 'files' | 'uploads'>

/** How old a file must be before it can count as left over. */
const orphanMs = 3_600_000

/** The cells of rows that nobody will need any more. */
const forget = async (tx: Tx, files: ExportFiles, { importNo, fileId }: ImportJob): Promise<void> => {
  await tx.exec(sql`update import_row set cells = null where import_no = ${importNo} and cells is not null`)
  tx.afterCommit(() => void files.remove(fileId).catch(() => undefined))
}

/** Gives up what was never taken in: the file that was brought, and what was read of it. */
export const discard = async (tx: Tx, o: Kept, before: ImportJob, actor: Actor) => {
  await o.uploads.release(tx, before.uploadNo, actor)
  await forget(tx, o.files, before)
}

/** Previews that nobody confirmed, and files that were never read. */
const cancelOld = async (tx: Tx, o: Kept): Promise<number> => {
  const old = new Date(tx.now.getTime() - confirmMinutes * 60_000)
  const over = await tx.rows(sql<ImportJob>`
    select * from import_job where (import_status = 'preview' and confirm_time <= ${tx.now}) or (import_status = 'uploaded' and request_time <= ${old})
    order by request_time limit 500 for update skip locked`)
  for (const job of over) {
    const set = { finishTime: tx.now.toISOString() }
    const actor = system('import.expiry')
    await transition(tx, 'importJob', job, { event: 'import.cancel', set }, actor)
    await discard(tx, o, job, actor)
  }
  return over.length
}

const expire = async (tx: Tx, files: ExportFiles): Promise<number> => {
  const over = await tx.rows(sql<ImportJob>`
    select * from import_job where expire_time <= ${tx.now} and file_size is not null order by expire_time limit 500 for update skip locked`)
  for (const job of over) {
    await progress(tx, job, { fileSize: null, expireTime: null })
    await forget(tx, files, job)
  }
  return over.length
}

const queues = sql`(${sql.join([readQueue, checkQueue, runQueue, resultQueue])})`

/** Imports whose job was given up would wait forever: a running one continues behind its last row, one that was only read ends. */
const wake = async (tx: Tx, o: Kept): Promise<number> => {
  const stuck = await tx.rows(sql<ImportJob>`
    select i.* from import_job i where i.import_status in ('validating', 'running') and not exists (
      select 1 from job j where j.queue in ${queues} and j.state = 'ready' and j.payload ->> 'importNo' = i.import_no)
    for update of i skip locked`)
  for (const job of stuck) {
    if (job.importStatus === 'validating') {
      await endBadly(tx, o, job, { why: 'error' })
      continue
    }
    await transition(
      tx,
      'importJob',
      job,
      { event: 'worker.crash', payload: { rowCursor: job.rowCursor } },
      actorFor(job),
    )
    await enqueue(tx, runQueue, `${job.importNo}.${job.version}`, { importNo: job.importNo })
  }
  return stuck.length
}

/** Files that are younger are left: their rows may have come since. */
const sweep = async (tx: Tx, files: ExportFiles): Promise<void> => {
  const live = await tx.rows(sql<{ fileId: string }>`
    select file_id from import_job where import_status in ('uploaded', 'validating', 'preview', 'running') or file_size is not null or written is not null`)
  const kept = new Set(live.map(job => job.fileId))
  tx.afterCommit(() => void files.sweep(kept, Date.now() - orphanMs).catch(() => undefined))
}

/** Ends what nobody confirmed, wakes what no job is left for, and removes results whose time is over. */
export const expiry = ({ files, uploads }: Kept): Scheduled => ({
  job: 'import.expiry',
  every: { seconds: 60 },
  run: async tx => {
    await sweep(tx, files)
    return {
      cancelled: await cancelOld(tx, { files, uploads }),
      woken: await wake(tx, { files, uploads }),
      expired: await expire(tx, files),
    }
  },
})
