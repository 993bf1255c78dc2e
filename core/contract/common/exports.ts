import { z } from 'zod'
import { exportJob } from '../../rules/machines/platform/export-job.ts'
import { command, endpoint, exportFormats, list, noun } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { exportLists } from './file-lists.ts'

/** Why an export ended without a file. */
export const exportFails = dictionary('EXPORT_FAIL', ['cancelled', 'no_right', 'disk_full', 'error'])

const ExportRow = z.object({
  exportNo: field.key(),
  exportList: field.dict(exportLists),
  exportFormat: field.dict(exportFormats),
  exportStatus: field.state(exportJob),
  failReason: field.dict(exportFails).nullable(),
  /** Rows that the file will have, or has. */
  rowCount: field.int(),
  rowsDone: field.int(),
  /** Bytes. */
  fileSize: field.int().nullable(),
  fileName: field.text(200),
  requestTime: field.time(),
  finishTime: field.time().nullable(),
  expireTime: field.time().nullable(),
  version: z.int(),
})
export type ExportRow = z.output<typeof ExportRow>

const one = z.strictObject({ exportNo: field.key(), version: z.int() })

/** The files that a caller has asked for; those of others do not exist for them. */
export const exports = noun('common/exports', {
  page: list('/common/export/page', {
    row: ExportRow,
    filters: { exportStatus: z.array(field.state(exportJob)).optional() },
    sort: ['requestTime'],
    defaultSort: '-requestTime',
  }),
  cancel: command({ path: '/common/export/cancel', audit: 'export.cancel', input: one, output: ExportRow }),
  retry: command({
    path: '/common/export/retry',
    audit: 'export.retry',
    on: { machine: exportJob, event: 'export.retry', key: 'exportNo' },
    input: one,
    output: ExportRow,
  }),
  file: endpoint({
    method: 'GET',
    path: '/common/export/{exportNo}/file',
    writes: true,
    file: true,
    input: z.strictObject({ exportNo: field.key() }),
    output: z.null(),
  }),
})
