import { sql } from 'kysely'
import { text } from '../../../core/i18n/server.ts'
import { waitsUntil } from '../../approval/visible.ts'
import type { Tx } from '../../db/database.ts'
import { tell, wordsOfKey } from '../../messages/message.ts'
import type { NetworkHandler } from '../../module.ts'
import type { Cell } from '../exports/cell.ts'
import { type ExportFiles, FileLost } from '../exports/files.ts'
import { writers } from '../exports/store.ts'
import { type Part, together, type Written } from '../exports/writer.ts'
import { resultQueue } from './request.ts'
import { columnWord, failWords, type ImportJob, languageOfJob, lifeHours, lockImport, progress } from './store.ts'
import type { RowMessage } from './values.ts'

/** Rows that are read and written at a time. */
const chunkRows = 1_000

type Row = { rowNo: number; rowStatus: string; cells: string[] | null; messages: RowMessage[] }
type Prepared = { job: ImportJob; rows: Row[] }
type Outcome = { is: 'going'; written: Written } | { is: 'ready'; size: number } | { is: 'lost' }

const ended: readonly string[] = ['success', 'partial', 'failure']

/** Whether there is a result to be written: an import that ended, with rows, whose result does not lie there yet. */
const isWanted = ({ importStatus, fileSize, rowsRead }: ImportJob): boolean =>
  ended.includes(importStatus) && fileSize === null && rowsRead > 0

const prepare = async (tx: Tx, importNo: string): Promise<Prepared | null> => {
  const job = await lockImport(tx, importNo)
  if (!isWanted(job)) {
    if (ended.includes(job.importStatus) && job.fileSize === null) tellEnd(tx, job)
    return null
  }
  const rows = await tx.rows(sql<Row>`
    select row_no, row_status, cells, messages from import_row where import_no = ${importNo} and row_no > ${job.writtenTo}
    order by row_no limit ${chunkRows}`)
  return { job, rows }
}

const saidOf = (job: ImportJob, { path, key, params }: RowMessage): string => {
  const words = wordsOfKey(job.language, key, params)
  return path ? `${columnWord(job.language, path)}: ${words}` : words
}

const cellsOf = (job: ImportJob, row: Row): Cell[] => [
  String(row.rowNo),
  text(job.language, `dict.IMPORT_ROW.${row.rowStatus}` as Parameters<typeof text>[1]),
  row.messages.map(message => saidOf(job, message)).join('; '),
  ...job.columns.map((_, at) => row.cells?.[at] ?? ''),
]

const headerOf = ({ language, columns }: ImportJob): string[] => [
  ...(['rowNo', 'rowStatus', 'rowMessage'] as const).map(name => text(language, `fields.${name}`)),
  ...columns.map(name => columnWord(language, name)),
]

/** Writes a part behind what is there, and the end behind the last one. */
const write = async (files: ExportFiles, { job: given, rows }: Prepared): Promise<Outcome> => {
  const job = { ...given, language: languageOfJob(given) }
  const writer = writers[job.importFormat]
  const before = job.written ?? undefined
  const begun: Part = before ? { bytes: Buffer.alloc(0), written: before } : writer.begin(headerOf(job))
  const part = together(
    begun,
    rows.length
      ? writer.rows(
          begun.written,
          rows.map(row => cellsOf(job, row)),
        )
      : writer.end(begun.written),
  )
  try {
    await files.append(job.fileId, before?.offset ?? 0, part.bytes)
    if (rows.length) return { is: 'going', written: part.written }
    await files.seal(job.fileId)
    return { is: 'ready', size: part.written.offset }
  } catch (error) {
    if (error instanceof FileLost) return { is: 'lost' }
    throw error
  }
}

/** Tells the person who brought the file its result. */
const tellEnd = (tx: Tx, job: ImportJob): void => {
  const { importNo, userNo, fileName, okCount, wrongCount, duplicateCount, failCount } = job
  const isBad = job.failReason !== null
  tell(tx, {
    to: userNo,
    messageType: 'file',
    template: isBad ? 'importFailed' : 'importDone',
    params: {
      ...failWords(languageOfJob(job), job.failParams),
      fileName,
      ok: okCount,
      fail: wrongCount + duplicateCount + failCount,
      ...(job.failReason ? { reason: `dict.IMPORT_FAIL.${job.failReason}` } : {}),
    },
    objectType: 'import',
    objectNo: importNo,
    route: null,
  })
}

/** Until when a result is kept: longer than a second person may look into it before they agree. */
const keptUntil = async (tx: Tx, { importNo }: ImportJob): Promise<Date> => {
  const waits = await waitsUntil(tx, { objectType: 'import', objectNo: importNo })
  return new Date((waits ?? tx.now).getTime() + lifeHours * 3_600_000)
}

const note = async (tx: Tx, { job: seen, rows }: Prepared, outcome: Outcome): Promise<void> => {
  const job = await lockImport(tx, seen.importNo)
  if (!isWanted(job) || job.writtenTo !== seen.writtenTo) return
  if (outcome.is === 'lost') await progress(tx, job, { written: null, writtenTo: 0 })
  else if (outcome.is === 'going')
    await progress(tx, job, { written: outcome.written, writtenTo: rows.at(-1)?.rowNo ?? job.writtenTo })
  else {
    await progress(tx, job, { written: null, fileSize: outcome.size, expireTime: await keptUntil(tx, job) })
    tellEnd(tx, job)
  }
}

/** Writes the result of each row, some thousand rows a round; a crash loses at most the current round. */
export const resultJob = (files: ExportFiles): NetworkHandler<never, never> => {
  const handler: NetworkHandler<Prepared, Outcome> = {
    queue: resultQueue,
    before: (tx, { payload }) => prepare(tx, String(payload.importNo)),
    send: prepared => write(files, prepared),
    after: note,
    again: (_, outcome) => outcome.is !== 'ready',
  }
  return handler as unknown as NetworkHandler<never, never>
}
