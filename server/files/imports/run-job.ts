import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { isPassing } from '../../db/faults.ts'
import { Fault } from '../../http/fault.ts'
import { enqueue } from '../../jobs/queue.ts'
import type { StepHandler } from '../../module.ts'
import { rightsNow, type Session } from '../../session/session.ts'
import { transition } from '../../states/transition.ts'
import { actorFor, type Lists } from './read-job.ts'
import { resultQueue, runQueue } from './request.ts'
import { actorOf, callFor } from './row-call.ts'
import { type Importable, type ImportJob, lockImport, mayImport, progress } from './store.ts'
import { messagesOf, readRow } from './values.ts'

/** Rows of one transaction where no money moves. */
const plainRows = 500

type Row = { rowNo: number; cells: string[] }

/** Takes one row in, or nothing of it; answers the refusal. */
const takeIn = async (tx: Tx, of: Importable, job: ImportJob, session: Session, row: Row): Promise<string | Fault> => {
  const read = readRow(of.list.importing.row, job.columns, row.cells)
  if (!('values' in read)) return new Fault('validation', 'validation.wrongValue', {}, { fields: read.messages })
  try {
    return await tx.attempt(inner => of.row(callFor(inner, of, job, session, row.rowNo), read.values))
  } catch (error) {
    if (error instanceof Fault) return error
    if (isPassing(error)) throw error
    return new Fault('internal', 'errors.rowNotTaken')
  }
}

const noted = (tx: Tx, { importNo }: ImportJob, rowNo: number, outcome: string | Fault) =>
  outcome instanceof Fault
    ? tx.exec(sql`
        update import_row set row_status = 'failed', messages = ${JSON.stringify(messagesOf(outcome))}::jsonb
        where import_no = ${importNo} and row_no = ${rowNo}`)
    : tx.exec(sql`
        update import_row set row_status = 'done', effect_no = ${outcome} where import_no = ${importNo} and row_no = ${rowNo}`)

const endingOf = ({ okCount, rowCount }: ImportJob) => (okCount === rowCount ? 'all' : okCount > 0 ? 'some' : 'none')

const finish = async (tx: Tx, of: Importable, job: ImportJob, session: Session | null): Promise<void> => {
  const { importNo, okCount } = job
  const set = { finishTime: tx.now.toISOString() }
  const ended = await transition(tx, 'importJob', job, { event: 'import.end', as: endingOf(job), set }, actorFor(job))
  if (okCount > 0 && session) await of.ended?.({ tx, session, actor: actorOf(job, session) }, ended)
  await enqueue(tx, resultQueue, importNo, { importNo })
}

/** The person who brought the file may not go on working: the rest of it is not taken in. */
const giveUp = async (tx: Tx, job: ImportJob): Promise<number> =>
  tx.exec(sql`
    update import_row set row_status = 'failed', messages = ${JSON.stringify([{ path: '', key: 'errors.forbidden', params: {} }])}::jsonb
    where import_no = ${job.importNo} and row_status = 'valid'`)

const step = async (tx: Tx, lists: Lists, importNo: string): Promise<boolean> => {
  const job = await lockImport(tx, importNo)
  if (job.importStatus !== 'running') return false
  const of = lists.get(job.importList) as Importable
  const session = await rightsNow(tx, job.userNo, job.language)
  if (!session || !mayImport(session, of)) {
    const failCount = job.failCount + (await giveUp(tx, job))
    await progress(tx, job, { failCount })
    await finish(tx, of, { ...job, failCount }, session)
    return false
  }
  const rows = await tx.rows(sql<Row>`
    select row_no, cells from import_row where import_no = ${importNo} and row_status = 'valid' and row_no > ${job.rowCursor}
    order by row_no limit ${of.list.importing.money ? 1 : plainRows}`)
  const last = rows.at(-1)
  if (!last) {
    await finish(tx, of, job, session)
    return false
  }
  let { okCount, failCount } = job
  for (const row of rows) {
    const outcome = await takeIn(tx, of, job, session, row)
    if (outcome instanceof Fault) failCount++
    else okCount++
    await noted(tx, job, row.rowNo, outcome)
  }
  await progress(tx, job, { okCount, failCount, rowCursor: last.rowNo })
  return true
}

/**
 * Takes the rows of a confirmed file in: where money moves one a transaction, else some hundred, each by itself. How far
 * it is stands in the same transaction as the rows, so that a crash neither loses one nor takes one in twice.
 */
export const runJob = (lists: Lists): StepHandler => ({
  queue: runQueue,
  step: (tx, { payload }) => step(tx, lists, String(payload.importNo)),
})
