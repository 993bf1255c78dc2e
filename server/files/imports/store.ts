import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { z } from 'zod'
import type { importLists } from '../../../core/contract/common/file-lists.ts'
import type { ImportRow } from '../../../core/contract/common/imports.ts'
import type { exportFormats, Importing, ListEndpoint } from '../../../core/contract/endpoint.ts'
import type { ValueOf } from '../../../core/contract/fields.ts'
import type { Language } from '../../../core/i18n/language.ts'
import { languages } from '../../../core/i18n/language.ts'
import { isKey, text } from '../../../core/i18n/server.ts'
import type { Money } from '../../../core/rules/amount.ts'
import type { StateOf } from '../../../core/rules/machines/machine.ts'
import type { importJob } from '../../../core/rules/machines/platform/import-job.ts'
import { waitsFor } from '../../approval/visible.ts'
import type { Tx } from '../../db/database.ts'
import type { DB } from '../../db/types.gen.ts'
import { Fault, notFound } from '../../http/fault.ts'
import type { Call } from '../../http/serve.ts'
import type { Session } from '../../session/session.ts'
import type { Written } from '../exports/writer.ts'
import type { FailParams, ImportFail } from './read/unreadable.ts'

export type ImportList = ValueOf<typeof importLists>
/** An import as the database keeps it. */
export type ImportJob = Omit<
  Selectable<DB['importJob']>,
  'sums' | 'failParams' | 'written' | 'language' | 'importStatus' | 'importList' | 'importFormat' | 'failReason'
> & {
  importList: ImportList
  importFormat: ValueOf<typeof exportFormats>
  importStatus: StateOf<typeof importJob>
  failReason: ImportFail | null
  failParams: FailParams
  sums: Record<string, Money>
  written: Written | null
  language: Language
}

/** Hours for which a result can be fetched, once no second person can be waiting for it. */
export const lifeHours = 24
/** Imports of one person that may be under way at the same time. */
export const maxRunning = 3

/** What a row is taken in with: the rights of the person who brought it, and where it came from. */
export type RowCall = Pick<Call, 'tx' | 'session' | 'actor' | 'audit'> & { importNo: string; rowNo: number }

/** What many rows are taken in with at once. */
export type RowsCall = Pick<Call, 'tx' | 'session' | 'actor'> & {
  importNo: string
  audit: (rowNo: number, line: Parameters<Call['audit']>[0]) => void
}
/** Rows of a file by their numbers. */
export type NumberedRows<R> = ReadonlyMap<number, R>

/** How the rows of a file are taken in. */
export type Importable = {
  list: ListEndpoint & { importing: Importing }
  /** Takes one row in; answers the number of the record it made. A {@link Fault} refuses the row, and nothing of it remains. Run for the preview too, and undone. */
  row: (call: RowCall, row: Record<string, unknown>) => Promise<string>
  /**
   * Takes in, by a few statements, those of some rows that are right and of which none depends on another; answers the number of
   * the record that each made. The others it leaves untouched: they go through `row`, one after the other, which says what is wrong.
   */
  rows?: (call: RowsCall, rows: NumberedRows<Record<string, unknown>>) => Promise<Map<number, string>>
  /** Runs with the end of an import of which at least one row was taken in. */
  ended?: (call: Pick<Call, 'tx' | 'session' | 'actor'>, job: ImportJob) => Promise<void>
}

type Declared<E extends ListEndpoint, R extends z.ZodType> = Omit<Importable, 'list' | 'row' | 'rows'> & {
  list: E
  schema: R
  row: (call: RowCall, row: z.output<R>) => Promise<string>
  rows?: (call: RowsCall, rows: NumberedRows<z.output<R>>) => Promise<Map<number, string>>
}

/** Declares how a row of a file is taken in, by the handler of whatever it stands for. */
export const imported = <E extends ListEndpoint, R extends z.ZodType>({
  schema,
  ...of
}: Declared<E, R>): Importable => {
  if (of.list.importing?.row !== (schema as unknown)) throw new Error(`${of.list.path} takes no such rows in`)
  return of as unknown as Importable
}

/** What the row says is here already: it is counted as a duplicate, not as a mistake. */
export class KnownRow extends Fault {
  override name = 'KnownRow'
}

/** Whether a person may take files into a list. */
export const mayImport = ({ perms }: Pick<Session, 'perms'>, { list }: Importable): boolean =>
  perms.has(list.importing.perm)

const load = async (tx: Tx, where: RawBuilder<unknown>, lock: RawBuilder<unknown>): Promise<ImportJob> => {
  const job = await tx.maybe(sql<ImportJob>`select * from import_job where ${where} ${lock}`)
  if (!job) throw notFound()
  return job
}
const own = (session: Session, importNo: string) => sql`import_no = ${importNo} and user_no = ${session.userNo}`

/** An import, locked. @throws notFound */
export const lockImport = (tx: Tx, importNo: string): Promise<ImportJob> =>
  load(tx, sql`import_no = ${importNo}`, sql`for update`)
/** An import of the caller; those of others are as unknown as none. */
export const lockOwn = (tx: Tx, session: Session, importNo: string): Promise<ImportJob> =>
  load(tx, own(session, importNo), sql`for update`)

/** An import that the caller may look at: their own, and one that waits for them to agree to it. */
export const findShown = (tx: Tx, session: Session, importNo: string): Promise<ImportJob> =>
  load(
    tx,
    sql`import_no = ${importNo} and (user_no = ${session.userNo} or exists (
      select 1 from approval a where a.object_type = 'import' and a.object_no = import_no and ${waitsFor(tx, session)}))`,
    sql``,
  )

/** Notes how far an import is, without a change of its state. */
export const progress = (tx: Tx, { importNo }: Pick<ImportJob, 'importNo'>, to: Record<string, unknown>) =>
  tx.exec(tx.k.updateTable('importJob').set(to).where('importNo', '=', importNo))

/** The header of a column in a language; its name where it has no words. */
export const columnWord = (language: Language, name: string): string =>
  isKey(`fields.${name}`) ? text(language, `fields.${name}` as Parameters<typeof text>[1]) : name

/** What a failure names, in a language. */
export const failWords = (language: Language, { columns, ...params }: FailParams): FailParams => {
  if (columns === undefined) return params
  const names = String(columns).split(',')
  return { ...params, columns: names.map(name => columnWord(language, name)).join(', ') }
}

/** Why a file could not be taken in, in the words of the reader. */
export const failText = (
  language: Language,
  { failReason, failParams }: Pick<ImportJob, 'failReason' | 'failParams'>,
) => {
  if (!failReason) return null
  return text(language, `dict.IMPORT_FAIL.${failReason}`, failWords(language, failParams))
}

const unfinished: readonly string[] = ['uploaded', 'validating', 'preview']

/** An import as its owner sees it. */
export const shown = (job: ImportJob, language: Language): ImportRow => ({
  importNo: job.importNo,
  importList: job.importList,
  importStatus: job.importStatus,
  fileName: job.fileName,
  rowCount: job.rowCount,
  rowsDone: unfinished.includes(job.importStatus) ? job.rowsRead : job.okCount + job.failCount,
  validCount: job.validCount,
  wrongCount: job.wrongCount,
  duplicateCount: job.duplicateCount,
  okCount: job.okCount,
  failCount: job.wrongCount + job.duplicateCount + job.failCount,
  failReason: failText(language, job),
  fileSize: job.fileSize,
  requestTime: job.requestTime,
  confirmTime: job.importStatus === 'preview' ? job.confirmTime : null,
  finishTime: job.finishTime,
  expireTime: job.expireTime,
  version: job.version,
})

/** The language in which an import was begun; its result is written in it. */
export const languageOfJob = (job: Pick<ImportJob, 'language'>): Language =>
  languages.find(one => one === job.language) ?? 'zh'
