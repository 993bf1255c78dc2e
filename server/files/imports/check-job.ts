import { open } from 'node:fs/promises'
import { sql } from 'kysely'
import type { z } from 'zod'
import { confirmMinutes } from '../../../core/contract/common/imports.ts'
import { metaOf } from '../../../core/contract/fields.ts'
import { add, type Money } from '../../../core/rules/amount.ts'
import type { Tx } from '../../db/database.ts'
import { isPassing } from '../../db/faults.ts'
import { Fault } from '../../http/fault.ts'
import type { NetworkHandler } from '../../module.ts'
import { rightsNow, type Session } from '../../session/session.ts'
import { transition } from '../../states/transition.ts'
import { actorFor, endBadly, type Given } from './read-job.ts'
import { checkQueue } from './request.ts'
import { callFor, Rehearsed, takeTogether } from './row-call.ts'
import { type Importable, type ImportJob, KnownRow, lockImport, mayImport, progress } from './store.ts'
import { messagesOf, type ReadRow, type RowMessage, readRow } from './values.ts'

/** Rows that are looked at in one transaction: every one is rehearsed with all that it locks. */
const stepRows = 50
/** Bytes that nearly always hold a chunk of rows. */
const readBytes = 65_536

type Spooled = [no: number, cells: string[]]
type Checked = {
  rowNo: number
  rowKey: string | null
  rowStatus: 'valid' | 'wrong' | 'duplicate'
  cells: string[]
  messages: RowMessage[]
  values: Record<string, unknown>
}

/** The next rows of the spool behind a byte, and the byte behind them; none at its end. */
const nextRows = async (path: string, from: number, most: number): Promise<{ rows: Spooled[]; to: number }> => {
  const file = await open(path)
  try {
    for (let length = readBytes; ; length *= 4) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, from)
      const bytes = buffer.subarray(0, bytesRead)
      let at = 0
      const rows: Spooled[] = []
      for (let end = bytes.indexOf(10); end >= 0 && rows.length < most; end = bytes.indexOf(10, at)) {
        rows.push(JSON.parse(bytes.subarray(at, end).toString()) as Spooled)
        at = end + 1
      }
      if (rows.length > 0 || bytesRead < length) return { rows, to: from + at }
    }
  } finally {
    await file.close()
  }
}

/** Takes a row in as it will be taken in, and undoes it; answers the refusal. */
const rehearse = async (
  tx: Tx,
  of: Importable,
  job: ImportJob,
  session: Session,
  row: Checked,
): Promise<Fault | null> => {
  try {
    await tx.attempt(async inner => {
      await of.row(callFor(inner, of, job, session, row.rowNo), row.values)
      await inner.flush()
      throw new Rehearsed()
    })
  } catch (error) {
    if (error instanceof Fault) return error
    if (isPassing(error)) throw error
    if (!(error instanceof Rehearsed)) return new Fault('internal', 'errors.rowNotTaken')
  }
  return null
}

const readOf = (of: Importable, job: ImportJob, [rowNo, cells]: Spooled): Checked => {
  const { row, key } = of.list.importing
  const read: ReadRow = readRow(row, job.columns, cells)
  const cellOf = (name: string) => ('values' in read ? read.values[name] : cells[job.columns.indexOf(name)]?.trim())
  const given = [key].flat().map(cellOf)
  const rowKey = given.every(Boolean) ? given.map(String).join(' ').slice(0, 200) : null
  return 'values' in read
    ? { rowNo, rowKey, cells, rowStatus: 'valid', messages: [], values: read.values }
    : { rowNo, rowKey, cells, rowStatus: 'wrong', messages: read.messages, values: {} }
}

/** Keys of rows that an earlier part of the file has. */
const seenKeys = async (tx: Tx, { importNo }: ImportJob, rows: readonly Checked[]): Promise<Map<string, number>> => {
  const keys = rows.flatMap(row => row.rowKey ?? [])
  const found = await tx.rows(sql<{ rowKey: string; rowNo: number }>`
    select row_key, row_no from import_row where import_no = ${importNo} and row_status = 'valid' and row_key = any(${keys})`)
  return new Map(found.map(row => [row.rowKey, row.rowNo]))
}

/** Rows that are taken in together and undone: those of which nobody has to ask further. */
const rehearseTogether = async (
  tx: Tx,
  of: Importable,
  job: ImportJob,
  session: Session,
  rows: readonly Checked[],
): Promise<ReadonlyMap<number, string>> => {
  const right = rows.filter(({ rowStatus }) => rowStatus === 'valid')
  return takeTogether(tx, of, job, session, new Map(right.map(row => [row.rowNo, row.values])), () => {
    throw new Rehearsed()
  })
}

const checkAll = async (tx: Tx, of: Importable, job: ImportJob, session: Session, rows: readonly Checked[]) => {
  const seen = await seenKeys(tx, job, rows)
  const right = await rehearseTogether(tx, of, job, session, rows)
  for (const row of rows) {
    if (row.rowStatus !== 'valid') continue
    const earlier = row.rowKey === null ? undefined : seen.get(row.rowKey)
    if (earlier !== undefined) {
      const params = { line: earlier }
      Object.assign(row, {
        rowStatus: 'duplicate',
        messages: [{ path: [of.list.importing.key].flat()[0] ?? '', key: 'validation.importRepeated', params }],
      })
      continue
    }
    const refusal = right.has(row.rowNo) ? null : await rehearse(tx, of, job, session, row)
    if (refusal)
      Object.assign(row, {
        rowStatus: refusal instanceof KnownRow ? 'duplicate' : 'wrong',
        messages: messagesOf(refusal),
      })
    else if (row.rowKey !== null) seen.set(row.rowKey, row.rowNo)
  }
}

/** The sums of the columns of money over rows that are right. */
const summed = (of: Importable, before: ImportJob['sums'], rows: readonly Checked[]): Record<string, Money> => {
  const { shape } = of.list.importing.row
  const columns = Object.keys(shape).filter(name => metaOf(shape[name] as z.ZodType).kind === 'money')
  return Object.fromEntries(
    columns.map(name => [
      name,
      rows.reduce(
        (sum, { rowStatus, values }) =>
          rowStatus === 'valid' && values[name] !== undefined ? add(sum, String(values[name])) : sum,
        before[name] ?? '0.00',
      ),
    ]),
  )
}

const finish = async (tx: Tx, o: Given, job: ImportJob): Promise<void> => {
  if (job.validCount === 0) {
    await endBadly(tx, o, job, { why: 'no_valid_row' })
    return
  }
  const confirmTime = new Date(tx.now.getTime() + confirmMinutes * 60_000).toISOString()
  await transition(tx, 'importJob', job, { event: 'import.ok', set: { confirmTime } }, actorFor(job))
  tx.afterCommit(() => void o.files.dropRows(job.fileId).catch(() => undefined))
}

type Looked = { importNo: string; path: string; from: number; most: number }
type Next = Awaited<ReturnType<typeof nextRows>> | Error

const look = async (tx: Tx, o: Given, importNo: string): Promise<Looked | null> => {
  const job = await lockImport(tx, importNo)
  if (job.importStatus !== 'validating') return null
  const most = o.lists.get(job.importList)?.rows ? o.chunks.checked : stepRows
  return { importNo, path: o.files.rowsOf(job.fileId), from: job.readTo, most }
}

const note = async (tx: Tx, o: Given, { importNo, from }: Looked, read: Next): Promise<void> => {
  const job = await lockImport(tx, importNo)
  if (job.importStatus !== 'validating' || job.readTo !== from) return
  const of = o.lists.get(job.importList) as Importable
  const session = await rightsNow(tx, job.userNo, job.language)
  if (!session || !mayImport(session, of)) {
    await endBadly(tx, o, job, { why: 'no_right' })
    return
  }
  if (read instanceof Error) {
    await endBadly(tx, o, job, { why: 'error', error: read })
    return
  }
  if (read.rows.length === 0) {
    await finish(tx, o, job)
    return
  }
  const rows = read.rows.map(one => readOf(of, job, one))
  await checkAll(tx, of, job, session, rows)
  for (const { values: _, ...row } of rows) tx.append('importRow', { importNo, ...row })
  const count = (status: Checked['rowStatus']) => rows.filter(row => row.rowStatus === status).length
  await progress(tx, job, {
    readTo: read.to,
    rowsRead: job.rowsRead + rows.length,
    validCount: job.validCount + count('valid'),
    wrongCount: job.wrongCount + count('wrong'),
    duplicateCount: job.duplicateCount + count('duplicate'),
    sums: summed(of, job.sums, rows),
  })
}

/** Looks at the rows that were read, some at a time: by their schema, for repetitions, and by taking each in without keeping it. */
export const checkJob = (o: Given): NetworkHandler<never, never> => {
  const handler: NetworkHandler<Looked, Next> = {
    queue: checkQueue,
    before: (tx, { payload }) => look(tx, o, String(payload.importNo)),
    send: ({ path, from, most }) => nextRows(path, from, most).catch((error: unknown) => error as Error),
    after: (tx, looked, next) => note(tx, o, looked, next),
    again: (_, next) => !(next instanceof Error) && next.rows.length > 0,
  }
  return handler as unknown as NetworkHandler<never, never>
}
