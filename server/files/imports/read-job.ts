import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { Importing } from '../../../core/contract/endpoint.ts'
import { languages } from '../../../core/i18n/language.ts'
import { messages } from '../../../core/i18n/server.ts'
import type { Tx } from '../../db/database.ts'
import { json } from '../../db/json.ts'
import { enqueue } from '../../jobs/queue.ts'
import { faultOf } from '../../log.ts'
import type { NetworkHandler } from '../../module.ts'
import { system } from '../../rights/actor.ts'
import { transition } from '../../states/transition.ts'
import type { ExportFiles } from '../exports/files.ts'
import { type Names, normalized } from './read/header.ts'
import { readFile } from './read/reader.ts'
import { type FailParams, type ImportFail, Unreadable } from './read/unreadable.ts'
import { checkQueue, readQueue, resultQueue, type Uploads } from './request.ts'
import type { Read, Reading } from './spool.ts'
import { type Importable, type ImportJob, type ImportList, lockImport, progress } from './store.ts'

/** The lists that take files in, by name. */
export type Lists = ReadonlyMap<ImportList, Importable>
type Outcome = { is: 'read'; read: Read } | { is: 'bad'; why: ImportFail; params: FailParams; error?: unknown }
type Prepared = { job: ImportJob; reading: Reading }
/** Rows of one transaction, where a list takes rows in together: while they are checked, and while they are taken in. */
export type Chunks = { checked: number; taken: number }
/** What the jobs of imports need. */
export type Given = { files: ExportFiles; lists: Lists; uploads: Uploads; chunks: Chunks }

/** The actor of an import's own steps: the system, with the number of the import. */
export const actorFor = ({ importNo }: Pick<ImportJob, 'importNo'>) => system(`import:${importNo}`)

/** The columns that a file may have, by their kinds. */
export type Columns = Pick<Importing, 'row'>

/** Every way in which the columns of a file may be called: by their names here, and by their words in every language. */
export const namesOf = ({ row }: Columns): Names =>
  Object.keys(row.shape).flatMap(name => {
    const words = languages.flatMap(language => (messages[language] as Record<string, string>)[`fields.${name}`] ?? [])
    const spaced = name.replace(/[A-Z]/g, letter => ` ${letter}`)
    return [name, spaced, ...words].map(said => [normalized(said), name] as const)
  })

/** Columns that a file must have: those that a row cannot leave out. */
export const requiredOf = ({ row }: Columns): string[] =>
  Object.entries(row.shape)
    .filter(
      ([, schema]) => !(schema as { safeParse: (v: unknown) => { success: boolean } }).safeParse(undefined).success,
    )
    .map(([name]) => name)

/** Ends an import that cannot be confirmed. What its rows say is written to a file all the same, where there are any. */
export const endBadly = async (
  tx: Tx,
  { files, uploads }: Pick<Given, 'files' | 'uploads'>,
  job: ImportJob,
  o: { why: ImportFail; params?: FailParams; error?: unknown },
): Promise<ImportJob> => {
  const set = { failReason: o.why, failParams: json(o.params ?? {}), finishTime: tx.now.toISOString() }
  const payload = { failReason: o.why, ...(o.error === undefined ? {} : { cause: faultOf(o.error).message }) }
  const failed = await transition(tx, 'importJob', job, { event: 'import.bad', set, payload }, actorFor(job))
  await enqueue(tx, resultQueue, job.importNo, { importNo: job.importNo })
  await uploads.release(tx, job.uploadNo, actorFor(job))
  tx.afterCommit(() => void files.dropRows(job.fileId).catch(() => undefined))
  return failed
}

const prepare = async (tx: Tx, o: Given, importNo: string): Promise<Prepared | null> => {
  let job = await lockImport(tx, importNo)
  if (job.importStatus === 'uploaded')
    job = await transition(tx, 'importJob', job, { event: 'import.validate' }, actorFor(job))
  if (job.importStatus !== 'validating' || job.rowCount !== null) return null
  const of = o.lists.get(job.importList) as Importable
  const reading = {
    file: await o.uploads.pathOf(tx, job.uploadNo),
    format: job.importFormat,
    names: namesOf(of.list.importing),
    required: requiredOf(of.list.importing),
    maxRows: of.list.importing.maxRows,
    spool: o.files.rowsOf(job.fileId),
  }
  return { job, reading }
}

const read = async ({ reading }: Prepared): Promise<Outcome> => {
  try {
    await mkdir(path.dirname(reading.spool), { recursive: true, mode: 0o700 })
    return { is: 'read', read: await readFile(reading) }
  } catch (error) {
    if (error instanceof Unreadable) return { is: 'bad', why: error.why, params: error.params }
    return { is: 'bad', why: 'error', params: {}, error }
  }
}

const note = async (tx: Tx, o: Given, { job: seen }: Prepared, outcome: Outcome): Promise<void> => {
  const job = await lockImport(tx, seen.importNo)
  if (job.importStatus !== 'validating') {
    tx.afterCommit(() => void o.files.remove(seen.fileId).catch(() => undefined))
    return
  }
  if (job.rowCount !== null) return
  if (outcome.is === 'bad') {
    await endBadly(tx, o, job, outcome)
    return
  }
  const { columns, ignored, rows } = outcome.read
  await progress(tx, job, { columns, ignored, rowCount: rows })
  await enqueue(tx, checkQueue, job.importNo, { importNo: job.importNo })
}

/** Reads a file in a thread apart, once, into rows that can be gone through from any place. */
export const readJob = (o: Given): NetworkHandler<never, never> => {
  const handler: NetworkHandler<Prepared, Outcome> = {
    queue: readQueue,
    before: (tx, { payload }) => prepare(tx, o, String(payload.importNo)),
    send: read,
    after: (tx, prepared, outcome) => note(tx, o, prepared, outcome),
  }
  return handler as unknown as NetworkHandler<never, never>
}
