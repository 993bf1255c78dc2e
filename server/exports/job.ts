import { system } from '../actor.ts'
import type { Tx } from '../db/database.ts'
import { isPassing } from '../db/faults.ts'
import type { NetworkHandler } from '../module.ts'
import { rightsNow } from '../session.ts'
import { transition } from '../transition.ts'
import { columnsOf } from './cell.ts'
import { type ExportFiles, FileLost } from './files.ts'
import { queue } from './request.ts'
import { readChunk, takeKeys } from './rows.ts'
import {
  type Exportable,
  type ExportJob,
  type ExportList,
  type FailReason,
  failExport,
  finishExport,
  lockExport,
  mayExport,
  writers,
} from './store.ts'
import { added, type Sums, totalsLine } from './sums.ts'
import { together, type Written } from './writer.ts'

/** One chunk, read and about to be written. */
type Prepared = { job: ExportJob; of: Exportable; chunk: Awaited<ReturnType<typeof readChunk>> }
type Outcome =
  | { is: 'going'; written: Written & { sums: Sums }; rows: number }
  | { is: 'ready'; size: number }
  | { is: 'lost' }
  | { is: 'failed'; why: FailReason; error: unknown }

/** Servers that share a database and not their files would begin again for ever. */
const maxRestarts = 3

const actorFor = (job: ExportJob) => system(`export:${job.exportNo}`)

/** Reads the next chunk within the rights that its owner has now; null when there is nothing to write. */
const prepare = async (
  tx: Tx,
  files: ExportFiles,
  lists: ReadonlyMap<ExportList, Exportable>,
  exportNo: string,
): Promise<Prepared | null> => {
  let job = await lockExport(tx, exportNo)
  if (job.exportStatus !== 'queued' && job.exportStatus !== 'running') return null
  const of = lists.get(job.exportList)
  const session = await rightsNow(tx, job.userNo, job.language)
  if (!of || !session || !mayExport(session, of)) {
    await failExport(tx, files, job, 'no_right', actorFor(job))
    return null
  }
  const begin = job.exportStatus === 'queued'
  try {
    return await tx.attempt(async inner => {
      if (begin) {
        const set = { rowCount: await takeKeys(inner, of, session, job) }
        job = await transition(inner, 'exportJob', job, { event: 'export.run', set }, actorFor(job))
      }
      return { job, of, chunk: await readChunk(inner, of, session, job) }
    })
  } catch (error) {
    if (isPassing(error)) throw error
    await failExport(tx, files, await lockExport(tx, exportNo), 'error', actorFor(job), error)
    return null
  }
}

const isBegun = (written: Partial<Written>): written is Written => written.offset !== undefined

/** Writes a chunk behind what is there, and behind the last one what all add up to, and the end. */
const write = async (files: ExportFiles, { job, of, chunk }: Prepared): Promise<Outcome> => {
  const writer = writers[job.exportFormat]
  const columns = columnsOf(of.list.row, job.columns, job.language)
  const { sums = {}, ...before } = job.written ?? {}
  const begun = isBegun(before)
    ? { bytes: Buffer.alloc(0), written: before }
    : writer.begin(columns.map(one => one.header))
  const last = totalsLine(of, job, columns, sums)
  const cells = chunk
    ? chunk.rows.map(row => columns.map((column, at) => column.cell(row[job.columns[at] as string])))
    : last
      ? [last]
      : []
  const lines = cells.length ? together(begun, writer.rows(begun.written, cells)) : begun
  const part = chunk ? lines : together(lines, writer.end(lines.written))
  try {
    await files.append(job.fileId, isBegun(before) ? before.offset : 0, part.bytes)
    if (chunk) {
      const written = { ...part.written, sums: added(of, job, sums, chunk.rows) }
      return { is: 'going', written, rows: chunk.rows.length }
    }
    await files.seal(job.fileId)
    return { is: 'ready', size: part.written.offset }
  } catch (error) {
    if (error instanceof FileLost) return { is: 'lost' }
    return { is: 'failed', why: (error as NodeJS.ErrnoException).code === 'ENOSPC' ? 'disk_full' : 'error', error }
  }
}

const progress = (
  tx: Tx,
  { exportNo }: ExportJob,
  to: Pick<ExportJob, 'rowsDone' | 'chunksDone' | 'written'> & { restarts?: number },
): Promise<unknown> => tx.k.updateTable('exportJob').set(to).where('exportNo', '=', exportNo).execute()

/** Notes how far the file is. What was cancelled meanwhile leaves no file. */
const note = async (tx: Tx, files: ExportFiles, { job: seen }: Prepared, outcome: Outcome): Promise<void> => {
  const job = await lockExport(tx, seen.exportNo)
  if (job.exportStatus !== 'running' || job.fileId !== seen.fileId) {
    tx.afterCommit(() => void files.remove(seen.fileId).catch(() => undefined))
    return
  }
  if (job.chunksDone !== seen.chunksDone) return
  switch (outcome.is) {
    case 'failed':
      await failExport(tx, files, job, outcome.why, actorFor(job), outcome.error)
      return
    case 'ready':
      await finishExport(tx, job, { rowsDone: job.rowsDone, fileSize: outcome.size }, actorFor(job))
      return
    case 'lost':
      if (job.restarts >= maxRestarts)
        await failExport(tx, files, job, 'error', actorFor(job), new FileLost('the file was lost again and again'))
      else await progress(tx, job, { rowsDone: 0, chunksDone: 0, written: null, restarts: job.restarts + 1 })
      return
    case 'going':
      await progress(tx, job, {
        rowsDone: job.rowsDone + outcome.rows,
        chunksDone: job.chunksDone + 1,
        written: outcome.written,
      })
  }
}

/**
 * Writes exports, one chunk a round: read within a transaction, written to the file, noted. A crash loses at most the
 * chunk that was being written; the next round goes on behind the last one that was noted.
 */
export const exportQueue = (
  files: ExportFiles,
  lists: ReadonlyMap<ExportList, Exportable>,
): NetworkHandler<never, never> => {
  const handler: NetworkHandler<Prepared, Outcome> = {
    queue,
    before: (tx, { payload }) => prepare(tx, files, lists, String(payload.exportNo)),
    send: prepared => write(files, prepared),
    after: (tx, prepared, outcome) => note(tx, files, prepared, outcome),
    again: (_, outcome) => outcome.is === 'going' || outcome.is === 'lost',
  }
  return handler as unknown as NetworkHandler<never, never>
}
