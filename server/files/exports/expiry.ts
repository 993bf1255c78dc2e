import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import type { Scheduled } from '../../module.ts'
import { system } from '../../rights/actor.ts'
import { transition } from '../../states/transition.ts'
import type { ExportFiles } from './files.ts'
import { queue } from './request.ts'
import { type ExportJob, failExport } from './store.ts'

const actor = system('export.expiry')
/** How old a file must be before it can count as left over. */
const orphanMs = 3_600_000

const expire = async (tx: Tx, files: ExportFiles): Promise<number> => {
  const over = await tx.rows(sql<ExportJob>`
    select * from export_job where export_status = 'ready' and expire_time <= ${tx.now}
    order by expire_time limit 500 for update skip locked`)
  for (const job of over) {
    await transition(tx, 'exportJob', job, { event: 'clock.ttl' }, actor)
    tx.afterCommit(() => void files.remove(job.fileId).catch(() => undefined))
  }
  return over.length
}

/** Ends exports whose job was given up: they would wait forever. */
const giveUp = async (tx: Tx, files: ExportFiles): Promise<number> => {
  const stuck = await tx.rows(sql<ExportJob>`
    select e.* from export_job e where e.export_status in ('queued', 'running') and not exists (
      select 1 from job j where j.queue = ${queue} and j.state = 'ready' and j.payload ->> 'exportNo' = e.export_no)
    for update of e skip locked`)
  for (const job of stuck) await failExport(tx, files, job, 'error', actor)
  return stuck.length
}

/** Files that are younger are left: their rows may have come since. */
const sweep = async (tx: Tx, files: ExportFiles): Promise<void> => {
  const live = await tx.rows(
    sql<{ fileId: string }>`select file_id from export_job where export_status in ('running', 'ready')`,
  )
  const kept = new Set(live.map(job => job.fileId))
  tx.afterCommit(() => void files.sweep(kept, Date.now() - orphanMs).catch(() => undefined))
}

/** Ends the life of files whose time is over, and removes what nobody can fetch any more. */
export const expiry = (files: ExportFiles): Scheduled => ({
  job: 'export.expiry',
  every: { seconds: 60 },
  run: async tx => {
    await sweep(tx, files)
    return {
      expired: await expire(tx, files),
      givenUp: await giveUp(tx, files),
    }
  },
})
