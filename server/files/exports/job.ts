import type { Tx } from '../../db/database.ts'
import { isPassing } from '../../db/faults.ts'
import type { NetworkHandler } from '../../module.ts'
import { system } from '../../rights/actor.ts'
import { rightsNow } from '../../session/session.ts'
import { transition } from '../../states/transition.ts'
import { type Column, columnsOf } from './cell.ts'
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
  type Sums,
  writers,
} from './store.ts'
import { added, totalsLine } from './sums.ts'
import { type Piece, together, type Written } from './writer.ts'

/** What exports are written from, and where to; a chunk is what is noted at a time. */
type Exporting = { files: ExportFiles; lists: ReadonlyMap<ExportList, Exportable>; chunkRows: number }

/** What stands in one chunk, and is about to be written: its rows piece by piece, and what all so far add up to. Without pieces it is the end. */
type Prepared = { job: ExportJob; of: Exportable; columns: Column[]; sums: Sums; pieces: Promise<Piece>[] | null }
type Outcome =
  | { is: 'going'; written: Written & { sums: Sums }; rows: number }
  | { is: 'ready'; size: number }
  | { is: 'lost' }
  | { is: 'failed'; why: FailReason; error: unknown }

/** A limit on restarts: servers that share a database but not their files would start over forever. */
const maxRestarts = 3

const actorFor = (job: ExportJob) => system(`export:${job.exportNo}`)

/** Rows as they will stand in the file: each piece is packed while the next one is read. */
const piecesOf = async (
  { job, of, columns }: Pick<Prepared, 'job' | 'of' | 'columns'>,
  parts: AsyncIterable<Record<string, unknown>[]>,
) => {
  const writer = writers[job.exportFormat]
  const pieces: Promise<Piece>[] = []
  let { sums = {} } = job.written ?? {}
  let above = job.written?.rows ?? 1
  for await (const rows of parts) {
    const cells = rows.map(row => columns.map((column, at) => column.cell(row[job.columns[at] as string])))
    pieces.push(writer.piece(above, cells))
    above += rows.length
    sums = added(of, job, sums, rows)
  }
  return { pieces, sums }
}

/** Reads the next chunk within the rights that its owner has now; null when there is nothing to write. */
const prepare = async (tx: Tx, { files, lists, chunkRows }: Exporting, exportNo: string): Promise<Prepared | null> => {
  let job = await lockExport(tx, exportNo)
  if (job.exportStatus !== 'queued' && job.exportStatus !== 'running') return null
  const of = lists.get(job.exportList)
  const session = await rightsNow(tx, job.userNo, job.language)
  if (!of || !session || !mayExport(session, of)) {
    await failExport(tx, files, job, 'no_right', actorFor(job))
    return null
  }
  const begin = job.exportStatus === 'queued'
  const who = { inList: true, desensitized: session.desensitized, full: session.fullyMasked }
  try {
    return await tx.attempt(async inner => {
      if (begin) {
        const set = { rowCount: await takeKeys(inner, { of, session, job, chunkRows }) }
        job = await transition(inner, 'exportJob', job, { event: 'export.run', set }, actorFor(job))
      }
      const columns = columnsOf(of.list.row, job.columns, job.language, who)
      const parts = await readChunk(inner, of, session, job)
      const done = parts && (await piecesOf({ job, of, columns }, parts))
      return { job, of, columns, sums: done?.sums ?? job.written?.sums ?? {}, pieces: done?.pieces ?? null }
    })
  } catch (error) {
    if (isPassing(error)) throw error
    await failExport(tx, files, await lockExport(tx, exportNo), 'error', actorFor(job), error)
    return null
  }
}

const isBegun = (written: Partial<Written>): written is Written => written.offset !== undefined

/** Writes a chunk behind what is there, and behind the last one what all add up to, and the end. */
const write = async (files: ExportFiles, { job, of, columns, sums, pieces }: Prepared): Promise<Outcome> => {
  const writer = writers[job.exportFormat]
  const { sums: _, ...before } = job.written ?? {}
  const offset = isBegun(before) ? before.offset : 0
  const begun = isBegun(before)
    ? { bytes: Buffer.alloc(0), written: before }
    : writer.begin(columns.map(one => one.header))
  try {
    if (pieces) {
      const found = await Promise.all(pieces)
      let { written } = begun
      for (const piece of found) ({ written } = writer.behind(written, piece))
      await files.append(job.fileId, offset, Buffer.concat([begun.bytes, ...found.map(piece => piece.bytes)]))
      return { is: 'going', written: { ...written, sums }, rows: found.reduce((all, { rows }) => all + rows, 0) }
    }
    const last = totalsLine(of, job, columns, sums)
    const lines = last ? together(begun, writer.rows(begun.written, [last])) : begun
    const part = together(lines, writer.end(lines.written))
    await files.append(job.fileId, offset, part.bytes)
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
): Promise<unknown> => tx.exec(tx.k.updateTable('exportJob').set(to).where('exportNo', '=', exportNo))

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
export const exportQueue = (given: Exporting): NetworkHandler<never, never> => {
  const { files } = given
  const handler: NetworkHandler<Prepared, Outcome> = {
    queue,
    before: (tx, { payload }) => prepare(tx, given, String(payload.exportNo)),
    send: prepared => write(files, prepared),
    after: (tx, prepared, outcome) => note(tx, files, prepared, outcome),
    again: (_, outcome) => outcome.is === 'going' || outcome.is === 'lost',
  }
  return handler as unknown as NetworkHandler<never, never>
}
