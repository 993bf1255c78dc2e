import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { isPassing } from '../../db/faults.ts'
import { Fault } from '../../http/fault.ts'
import { enqueue } from '../../jobs/queue.ts'
import type { StepHandler } from '../../module.ts'
import { rightsNow, type Session } from '../../session/session.ts'
import { transition } from '../../states/transition.ts'
import { actorFor, type Given } from './read-job.ts'
import { resultQueue, runQueue } from './request.ts'
import { actorOf, callFor, takeTogether } from './row-call.ts'
import { type Importable, type ImportJob, lockImport, mayImport, progress } from './store.ts'
import { messagesOf, readRow } from './values.ts'

/** Rows of one transaction where no money moves. */
const plainRows = 500
/** Rows beside those that go through one by one where they hold what people wait for. */
const apartRows = 20

type Jobs = Pick<Given, 'lists' | 'chunks'>
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

/** Takes in together what can be; answers how many rows, and those that are left. */
const takeMany = async (tx: Tx, of: Importable, job: ImportJob, session: Session, rows: readonly Row[]) => {
  const given = new Map<number, Record<string, unknown>>()
  for (const { rowNo, cells } of of.rows ? rows : []) {
    const read = readRow(of.list.importing.row, job.columns, cells)
    if ('values' in read) given.set(rowNo, read.values)
  }
  const taken = await takeTogether(tx, of, job, session, given)
  if (taken.size > 0)
    await tx.exec(sql`
      update import_row r set row_status = 'done', effect_no = x.effect_no
      from unnest(${[...taken.keys()]}::int[], ${[...taken.values()]}::text[]) as x (row_no, effect_no)
      where r.import_no = ${job.importNo} and r.row_no = x.row_no`)
  return { taken: taken.size, left: rows.filter(({ rowNo }) => !taken.has(rowNo)) }
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

/** Rows of one transaction. */
const mostRows = ({ list, rows }: Importable, { taken }: Given['chunks']): number =>
  rows ? taken : list.importing.money ? 1 : plainRows

const step = async (tx: Tx, { lists, chunks }: Jobs, importNo: string): Promise<boolean> => {
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
    order by row_no limit ${mostRows(of, chunks)}`)
  const last = rows.at(-1)
  if (!last) {
    await finish(tx, of, job, session)
    return false
  }
  const { taken, left } = await takeMany(tx, of, job, session, rows)
  const apart = of.list.importing.money ? left.slice(0, apartRows) : left
  let { okCount, failCount } = job
  okCount += taken
  for (const row of apart) {
    const outcome = await takeIn(tx, of, job, session, row)
    if (outcome instanceof Fault) failCount++
    else okCount++
    await noted(tx, job, row.rowNo, outcome)
  }
  const next = left[apart.length]
  await progress(tx, job, { okCount, failCount, rowCursor: next ? next.rowNo - 1 : last.rowNo })
  return true
}

/**
 * Takes the rows of a confirmed file in: where money moves one a transaction, else some hundred, each by itself; where the list
 * can, those that do not depend on each other together. How far it is stands in the same transaction as the rows, so that a crash
 * neither loses one nor takes one in twice.
 */
export const runJob = (o: Jobs): StepHandler => ({
  queue: runQueue,
  step: (tx, { payload }) => step(tx, o, String(payload.importNo)),
})
