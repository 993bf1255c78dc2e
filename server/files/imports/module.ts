import { sql } from 'kysely'
import { imports, maxMessages, type Preview, resultName } from '../../../core/contract/common/imports.ts'
import type { Language } from '../../../core/i18n/language.ts'
import type { Tx } from '../../db/database.ts'
import { checkVersion, Fault, notFound, stateConflict } from '../../http/fault.ts'
import { type Call, serve, serveDownload } from '../../http/serve.ts'
import { enqueue } from '../../jobs/queue.ts'
import { listPage } from '../../lists/list.ts'
import { wordsOfKey } from '../../messages/message.ts'
import type { Module } from '../../module.ts'
import { changes } from '../../states/changes.ts'
import { transition } from '../../states/transition.ts'
import { type ExportFiles, exportFiles } from '../exports/files.ts'
import { writers } from '../exports/store.ts'
import { checkJob } from './check-job.ts'
import { discard, expiry } from './expiry.ts'
import { type Chunks, type Lists, readJob } from './read-job.ts'
import { runQueue, serveImport, type Uploads } from './request.ts'
import { resultJob } from './result-job.ts'
import { runJob } from './run-job.ts'
import { findShown, type Importable, type ImportJob, lockOwn, mayImport, shown } from './store.ts'
import { serveTemplate } from './template.ts'
import type { RowMessage } from './values.ts'

const page = serve(imports.page, async ({ tx, session, input }) => {
  const found = await listPage<{ importNo: string }, typeof input>(tx, imports.page, input, {
    from: sql`import_job i`,
    alias: 'i',
    key: sql`i.import_no`,
    where: sql`i.user_no = ${session.userNo}`,
    columns: { rowsDone: sql`0` },
  })
  const jobs = await tx.rows(sql<ImportJob>`
    select * from import_job where import_no = any(${found.list.map(row => row.importNo)})`)
  const byNo = new Map(jobs.map(job => [job.importNo, shown(job, session.language)]))
  return { ...found, list: found.list.flatMap(row => byNo.get(row.importNo) ?? []) }
})

type WrongRow = { rowNo: number; rowKey: string | null; rowStatus: 'wrong'; messages: RowMessage[] }

const messagesFor = async (tx: Tx, { importNo }: ImportJob, language: Language): Promise<Preview['messages']> => {
  const rows = await tx.rows(sql<WrongRow>`
    select row_no, row_key, row_status, messages from import_row where import_no = ${importNo} and row_status in ('wrong', 'duplicate', 'failed')
    order by row_no limit ${maxMessages}`)
  return rows.map(({ messages, ...row }) => ({
    ...row,
    messages: messages.map(({ path, key, params }) => ({
      column: path || null,
      words: wordsOfKey(language, key, params),
    })),
  }))
}

const detail = serve(imports.detail, async ({ tx, session, input }) => {
  const job = await findShown(tx, session, input.importNo)
  return {
    job: shown(job, session.language),
    sums: Object.entries(job.sums).map(([column, amount]) => ({ column, amount })),
    ignored: job.ignored,
    messages: await messagesFor(tx, job, session.language),
  }
})

const checkMay = (lists: Lists, { session }: Pick<Call, 'session'>, job: ImportJob): void => {
  const of = lists.get(job.importList)
  if (!of || !mayImport(session, of)) throw new Fault('forbidden', 'errors.forbidden')
}

const confirm = (lists: Lists) =>
  serve(imports.confirm, async call => {
    const { tx, session, input, actor, audit } = call
    const job = await lockOwn(tx, session, input.importNo)
    checkVersion(job, input.version)
    checkMay(lists, call, job)
    const isOver = job.confirmTime !== null && Date.parse(job.confirmTime) <= tx.now.getTime()
    if (job.importStatus === 'preview' && isOver) throw stateConflict('cancelled', 'IMPORT_STATUS')
    const running = await transition(tx, 'importJob', job, { event: 'import.confirm' }, actor)
    await enqueue(tx, runQueue, job.importNo, { importNo: job.importNo })
    const { importList, fileName, sha256, validCount, sums } = job
    audit({ objectType: 'import', objectNo: job.importNo, after: { importList, fileName, sha256, validCount, sums } })
    return shown(running, session.language)
  })

const cancel = (o: { files: ExportFiles; lists: Lists; uploads: Uploads }) =>
  serve(imports.cancel, async call => {
    const { tx, session, input, actor, audit } = call
    const job = await lockOwn(tx, session, input.importNo)
    checkVersion(job, input.version)
    checkMay(o.lists, call, job)
    const set = { finishTime: tx.now.toISOString() }
    const cancelled = await transition(tx, 'importJob', job, { event: 'import.cancel', set }, actor)
    await discard(tx, o, job, actor)
    audit({
      objectType: 'import',
      objectNo: job.importNo,
      ...changes({ importStatus: job.importStatus }, { importStatus: cancelled.importStatus }),
    })
    return shown(cancelled, session.language)
  })

const file = (files: ExportFiles, lists: Lists) =>
  serveDownload(imports.file, 'import.download', async call => {
    const { tx, session, input, actor, audit } = call
    const job = await findShown(tx, session, input.importNo)
    if (job.userNo === session.userNo) checkMay(lists, call, job)
    const isOver = job.expireTime !== null && Date.parse(job.expireTime) <= tx.now.getTime()
    if (job.fileSize === null || isOver) throw notFound()
    const { importNo, importList, importFormat, rowCount, fileSize } = job
    audit({ objectType: 'import', objectNo: importNo, after: { importList, importFormat, rowCount } })
    tx.append('accessLog', {
      userNo: session.userNo,
      accessKind: 'download',
      objectType: 'import',
      objectNo: importNo,
      field: importList,
      at: tx.now,
      ip: actor.ip,
      requestId: actor.requestId,
    })
    return { path: files.pathOf(job.fileId), name: resultName(job), type: writers[importFormat].type, size: fileSize }
  })

/** Takes files in as rows of lists: reads and checks them, waits to be confirmed, and reports the result of each row. */
export const importModule = (
  dir: string,
  all: readonly Importable[],
  uploads: Uploads,
  chunks: Chunks = { checked: 250, taken: 500 },
): Module => {
  const files = exportFiles(dir)
  const lists: Lists = new Map(all.map(of => [of.list.importing.as, of]))
  const o = { files, lists, uploads, chunks }
  return {
    served: [
      ...all.flatMap(of => [serveImport(of, uploads), serveTemplate(of)]),
      page,
      detail,
      confirm(lists),
      cancel(o),
      file(files, lists),
    ],
    queues: [readJob(o), checkJob(o), runJob(o), resultJob(files)],
    scheduled: [expiry(o)],
  }
}
