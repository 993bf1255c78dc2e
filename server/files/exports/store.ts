import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { ExportRow, exportFails } from '../../../core/contract/common/exports.ts'
import type { exportLists } from '../../../core/contract/common/file-lists.ts'
import type { exportFormats, ListEndpoint } from '../../../core/contract/endpoint.ts'
import type { ValueOf } from '../../../core/contract/fields.ts'
import { type Language, languages } from '../../../core/i18n/language.ts'
import { text } from '../../../core/i18n/server.ts'
import type { Money } from '../../../core/rules/amount.ts'
import type { StateOf } from '../../../core/rules/machines/machine.ts'
import type { exportJob } from '../../../core/rules/machines/platform/export-job.ts'
import { eatDateTime } from '../../../core/rules/time.ts'
import type { Tx } from '../../db/database.ts'
import type { DB } from '../../db/types.gen.ts'
import { notFound } from '../../http/fault.ts'
import type { Listed } from '../../lists/listed.ts'
import { faultOf } from '../../log.ts'
import { tell } from '../../messages/message.ts'
import type { Actor } from '../../rights/actor.ts'
import type { Session } from '../../session/session.ts'
import { transition } from '../../states/transition.ts'
import { csv } from './csv.ts'
import type { ExportFiles } from './files.ts'
import type { Writer, Written } from './writer.ts'
import { xlsx } from './xlsx.ts'

/** What the rows written so far add up to, by column. */
export type Sums = Readonly<Record<string, Money | number>>

export type ExportList = ValueOf<typeof exportLists>
export type FailReason = ValueOf<typeof exportFails>
/** An export as the database keeps it. */
export type ExportJob = Omit<Selectable<DB['exportJob']>, 'filters' | 'written' | 'language'> & {
  exportList: ExportList
  exportFormat: ValueOf<typeof exportFormats>
  exportStatus: StateOf<typeof exportJob>
  failReason: FailReason | null
  filters: Record<string, unknown>
  written: (Written & { sums?: Sums }) | null
  language: Language
}

/** The writer of each file format. */
export const writers: Readonly<Record<ExportJob['exportFormat'], Writer>> = { csv, xlsx }

/** Hours for which a file can be fetched. */
export const lifeHours = 24
/** Exports of one person that may wait or run at the same time. */
export const maxRunning = 3

type Exporting = NonNullable<ListEndpoint['exporting']>
/** A list that can be written to a file. */
export type Exportable = Listed & { list: ListEndpoint & { exporting: Exporting } }
/** Whether a list can be written to a file. */
export const isExportable = (of: Listed): of is Exportable => of.list.exporting !== undefined

/** Whether somebody may have rows of a list in a file: they need its own code and that of the list. */
export const mayExport = ({ perms }: Pick<Session, 'perms'>, { list }: Exportable): boolean =>
  perms.has(list.exporting.perm as string) && (list.perm === undefined || perms.has(list.perm))

const load = async (tx: Tx, where: RawBuilder<unknown>): Promise<ExportJob> => {
  const job = await tx.maybe(sql<ExportJob>`select * from export_job where ${where} for update`)
  if (!job) throw notFound()
  return job
}

/** An export, locked. @throws notFound */
export const lockExport = (tx: Tx, exportNo: string): Promise<ExportJob> => load(tx, sql`export_no = ${exportNo}`)

/** An export of the caller; those of others are as unknown as none. */
export const lockOwn = (tx: Tx, session: Session, exportNo: string): Promise<ExportJob> =>
  load(tx, sql`export_no = ${exportNo} and user_no = ${session.userNo}`)

/** What a file is called, in the language it was asked for. */
export const fileNameOf = (
  job: Pick<ExportJob, 'exportList' | 'exportFormat' | 'requestTime'>,
  language: Language,
): string => {
  const stamp = eatDateTime(job.requestTime).replace(/[- :]/g, '')
  return `${text(language, `dict.EXPORT_LIST.${job.exportList}`)} ${stamp}.${job.exportFormat}`
}

/** An export as its owner sees it. */
export const shown = (job: ExportJob): ExportRow => ({
  exportNo: job.exportNo,
  exportList: job.exportList,
  exportFormat: job.exportFormat,
  exportStatus: job.exportStatus,
  failReason: job.failReason,
  rowCount: job.rowCount,
  rowsDone: job.rowsDone,
  fileSize: job.fileSize,
  fileName: fileNameOf(job, languages.find(one => one === job.language) ?? 'zh'),
  requestTime: job.requestTime,
  finishTime: job.finishTime,
  expireTime: job.expireTime,
  version: job.version,
})

const dropKeys = (tx: Tx, exportNo: string) => tx.exec(sql`delete from export_chunk where export_no = ${exportNo}`)

/** Tells the owner that there is a file, or why there is none; one who stopped it knows. */
const tellEnd = (tx: Tx, job: ExportJob): void => {
  if (job.failReason === 'cancelled') return
  tell(tx, {
    to: job.userNo,
    messageType: 'file',
    template: job.failReason ? 'exportFailed' : 'exportReady',
    params: {
      list: `dict.EXPORT_LIST.${job.exportList}`,
      rows: job.rowsDone,
      ...(job.failReason ? { reason: `dict.EXPORT_FAIL.${job.failReason}` } : {}),
    },
    objectType: 'export',
    objectNo: job.exportNo,
    route: null,
  })
}

/** Ends an export without a file; nothing of a half one remains. */
export const failExport = async (
  tx: Tx,
  files: ExportFiles,
  job: ExportJob,
  failReason: FailReason,
  actor: Actor,
  error?: unknown,
): Promise<ExportJob> => {
  const running =
    job.exportStatus === 'queued' ? await transition(tx, 'exportJob', job, { event: 'export.run' }, actor) : job
  const finishTime = tx.now.toISOString()
  const set = { failReason, finishTime, rowsDone: 0, chunksDone: 0, written: null }
  const move = {
    event: 'export.fail',
    set,
    payload: { failReason, ...(error === undefined ? {} : { cause: faultOf(error).message }) },
  }
  const failed = await transition(tx, 'exportJob', running, move, actor)
  tellEnd(tx, failed)
  await dropKeys(tx, job.exportNo)
  tx.afterCommit(() => void files.remove(job.fileId).catch(() => undefined))
  return failed
}

/** Ends an export with its file, which can be fetched until it expires. */
export const finishExport = async (
  tx: Tx,
  job: ExportJob,
  done: { rowsDone: number; fileSize: number },
  actor: Actor,
): Promise<void> => {
  const expireTime = new Date(tx.now.getTime() + lifeHours * 3_600_000).toISOString()
  const set = { ...done, rowCount: done.rowsDone, finishTime: tx.now.toISOString(), expireTime, written: null }
  tellEnd(tx, await transition(tx, 'exportJob', job, { event: 'export.done', set }, actor))
  await dropKeys(tx, job.exportNo)
}
