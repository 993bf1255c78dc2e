import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import type { Scheduled } from '../../module.ts'
import { system } from '../../rights/actor.ts'
import { transition } from '../../states/transition.ts'
import type { UploadFiles } from './files.ts'
import type { Upload } from './store.ts'

const actor = system('upload.gc')
/** How old bytes must be before they can count as left over. */
const orphanMs = 3_600_000

/** Ids of files that a row answers for. */
export const liveFileIds = async (tx: Tx): Promise<Set<string>> => {
  const live = await tx.rows(
    sql<{ fileId: string }>`select file_id from upload where upload_status not in ('rejected', 'purged')`,
  )
  return new Set(live.map(({ fileId }) => fileId))
}

const purge = async (tx: Tx, files: UploadFiles): Promise<number> => {
  const over = await tx.rows(sql<Upload>`
    select * from upload where upload_status in ('token_issued', 'receiving', 'ready') and expire_time <= ${tx.now}
    order by expire_time limit 500 for update skip locked`)
  for (const row of over) {
    await transition(tx, 'upload', row, { event: 'clock.gc' }, actor)
    await tx.exec(sql`delete from upload_chunk where upload_no = ${row.uploadNo}`)
    tx.afterCommit(() => void files.remove(row.fileId, true).catch(() => undefined))
  }
  return over.length
}

/** Removes files that belong to nothing after a day, and bytes that no row answers for. */
export const collection = (files: UploadFiles): Scheduled => ({
  job: 'upload.gc',
  every: { seconds: 300 },
  run: async tx => {
    const purged = await purge(tx, files)
    const kept = await liveFileIds(tx)
    tx.afterCommit(() => void files.sweep(kept, Date.now() - orphanMs).catch(() => undefined))
    return { purged }
  },
})
