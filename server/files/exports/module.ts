import { sql } from 'kysely'
import { type ExportRow, exports } from '../../../core/contract/common/exports.ts'
import { checkVersion, Fault, stateConflict } from '../../http/fault.ts'
import { type Call, serve, serveDownload } from '../../http/serve.ts'
import { listPage } from '../../lists/list.ts'
import type { Listed } from '../../lists/listed.ts'
import type { Module } from '../../module.ts'
import { changes } from '../../states/changes.ts'
import { requireEvent, transition } from '../../states/transition.ts'
import { expiry } from './expiry.ts'
import { type ExportFiles, exportFiles } from './files.ts'
import { exportQueue } from './job.ts'
import { checkRunning, newFileId, serveExport, start } from './request.ts'
import { chunkRows as usualRows } from './rows.ts'
import {
  type Exportable,
  type ExportJob,
  type ExportList,
  failExport,
  fileNameOf,
  isExportable,
  lockOwn,
  mayExport,
  shown,
  writers,
} from './store.ts'

type Lists = ReadonlyMap<ExportList, Exportable>

const page = serve(exports.page, async ({ tx, session, input }) => {
  const found = await listPage<ExportRow, typeof input>(tx, exports.page, input, {
    from: sql`export_job e`,
    alias: 'e',
    key: sql`e.export_no`,
    where: sql`e.user_no = ${session.userNo}`,
    columns: { fileName: sql`''` },
  })
  return { ...found, list: found.list.map(row => ({ ...row, fileName: fileNameOf(row, session.language) })) }
})

const checkMay = (lists: Lists, { session }: Pick<Call, 'session'>, job: ExportJob): void => {
  const of = lists.get(job.exportList)
  if (!of || !mayExport(session, of)) throw new Fault('forbidden', 'errors.forbidden')
}

const cancel = (files: ExportFiles) =>
  serve(exports.cancel, async ({ tx, session, input, actor, audit }) => {
    const job = await lockOwn(tx, session, input.exportNo)
    checkVersion(job, input.version)
    requireEvent('exportJob', job.exportStatus, 'export.run', 'export.fail')
    const failed = await failExport(tx, files, job, 'cancelled', actor)
    audit({
      objectType: 'export',
      objectNo: job.exportNo,
      ...changes(
        { exportStatus: job.exportStatus, failReason: job.failReason },
        { exportStatus: failed.exportStatus, failReason: failed.failReason },
      ),
    })
    return shown(failed)
  })

const retry = (lists: Lists) =>
  serve(exports.retry, async call => {
    const { tx, session, input, actor, audit } = call
    const job = await lockOwn(tx, session, input.exportNo)
    checkVersion(job, input.version)
    checkMay(lists, call, job)
    const set = { failReason: null, finishTime: null, restarts: 0, fileId: newFileId() }
    const queued = await transition(tx, 'exportJob', job, { event: 'export.retry', set }, actor)
    await checkRunning(tx, session.userNo)
    await start(tx, queued)
    audit({
      objectType: 'export',
      objectNo: job.exportNo,
      ...changes({ exportStatus: job.exportStatus }, { exportStatus: queued.exportStatus }),
    })
    return shown(queued)
  })

const file = (files: ExportFiles, lists: Lists) =>
  serveDownload(exports.file, 'export.download', async call => {
    const { tx, session, input, actor, audit } = call
    const job = await lockOwn(tx, session, input.exportNo)
    checkMay(lists, call, job)
    const isOver = job.expireTime !== null && Date.parse(job.expireTime) <= tx.now.getTime()
    if (job.exportStatus === 'ready' && isOver) throw stateConflict('expired', 'EXPORT_STATUS')
    await transition(tx, 'exportJob', job, { event: 'export.download' }, actor)
    const { exportNo, exportList, exportFormat, rowCount, fileSize } = job
    audit({ objectType: 'export', objectNo: exportNo, after: { exportList, exportFormat, rowCount } })
    tx.append('accessLog', {
      userNo: session.userNo,
      accessKind: 'download',
      objectType: 'export',
      objectNo: exportNo,
      field: exportList,
      at: tx.now,
      ip: actor.ip,
      requestId: actor.requestId,
      partnerNo: actor.partnerNo,
    })
    return {
      path: files.pathOf(job.fileId),
      name: fileNameOf(job, session.language),
      type: writers[exportFormat].type,
      size: fileSize as number,
    }
  })

/** Writes lists to files, which their owners may download until they expire. */
export const exportModule = (dir: string, all: readonly Listed[], { chunkRows = usualRows } = {}): Module => {
  const files = exportFiles(dir)
  const lists: Lists = new Map(all.filter(isExportable).map(of => [of.list.exporting.as, of]))
  return {
    served: [...[...lists.values()].map(serveExport), page, cancel(files), retry(lists), file(files, lists)],
    queues: [exportQueue({ files, lists, chunkRows })],
    scheduled: [expiry(files)],
  }
}
