import { z } from 'zod'
import { importJob } from '../../rules/machines/platform/import-job.ts'
import { command, endpoint, list, noun, read } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { importLists } from './file-lists.ts'

/** The result of one row: after the check `valid`, `wrong` or `duplicate`; after the run `done` or `failed`. */
export const importRowResults = dictionary('IMPORT_ROW', ['valid', 'wrong', 'duplicate', 'done', 'failed'])
/** Why a file was not read at all. */
export const importFails = dictionary('IMPORT_FAIL', [
  'unreadable',
  'amount',
  'currency',
  'encoding',
  'quotes',
  'cell_long',
  'too_wide',
  'macro',
  'locked',
  'too_big',
  'header',
  'header_twice',
  'no_rows',
  'too_many_rows',
  'no_valid_row',
  'no_right',
  'error',
])

const ImportRow = z.object({
  importNo: field.key(),
  importList: field.dict(importLists),
  importStatus: field.state(importJob),
  fileName: field.text(200),
  /** Rows of the file; null while it is read. */
  rowCount: field.int().nullable(),
  /** Rows that were looked at, or taken in when it is running. */
  rowsDone: field.int(),
  validCount: field.int(),
  wrongCount: field.int(),
  duplicateCount: field.int(),
  okCount: field.int(),
  /** What was not taken in: rows that are wrong, that are duplicates, and that were refused. */
  failCount: field.int(),
  /** Why there is nothing to confirm, in the words of the reader. */
  failReason: z.string().nullable(),
  /** Size in bytes of the file of results; null while there is none. */
  fileSize: field.int().nullable(),
  requestTime: field.time(),
  /** Until when it can be confirmed. */
  confirmTime: field.time().nullable(),
  finishTime: field.time().nullable(),
  /** Until when its result can be fetched. */
  expireTime: field.time().nullable(),
  version: z.int(),
})
export type ImportRow = z.output<typeof ImportRow>

/** What the result of an import is called. */
export const resultName = ({ fileName }: Pick<ImportRow, 'fileName'>): string =>
  fileName.replace(/(\.[^.]*)?$/, ' result$1')

const Preview = z.object({
  job: ImportRow,
  /** The sums of its columns of money, over the rows that are right. */
  sums: z.array(z.object({ column: z.string(), amount: field.money() })),
  /** Headers of the file that mean nothing here. */
  ignored: z.array(z.string()),
  /** The first rows that will not be taken in, or were not. */
  messages: z.array(
    z.object({
      rowNo: field.int(),
      rowKey: z.string().nullable(),
      rowStatus: field.dict(importRowResults),
      messages: z.array(z.object({ column: z.string().nullable(), words: z.string() })),
    }),
  ),
})
export type Preview = z.output<typeof Preview>

/** How many rows a preview explains; the file of the result has all of them. */
export const maxMessages = 1_000
/** For how long a preview waits to be confirmed. */
export const confirmMinutes = 30

const one = z.strictObject({ importNo: field.key(), version: z.int() })

/** The files that a caller brought, and to look at those that wait for them to agree; other ones do not exist for them. */
export const imports = noun('common/imports', {
  page: list('/common/import/page', {
    row: ImportRow,
    filters: { importStatus: z.array(field.state(importJob)).optional() },
    sort: ['requestTime'],
    defaultSort: '-requestTime',
  }),
  detail: read('/common/import/{importNo}', { input: { importNo: field.key() }, output: Preview }),
  confirm: command({
    path: '/common/import/confirm',
    audit: 'import.confirm',
    money: 'moves',
    on: { machine: importJob, event: 'import.confirm', key: 'importNo' },
    input: one,
    output: ImportRow,
  }),
  cancel: command({
    path: '/common/import/cancel',
    audit: 'import.cancel',
    on: { machine: importJob, event: 'import.cancel', key: 'importNo' },
    input: one,
    output: ImportRow,
  }),
  file: endpoint({
    method: 'GET',
    path: '/common/import/{importNo}/file',
    writes: true,
    file: true,
    input: z.strictObject({ importNo: field.key() }),
    output: z.null(),
  }),
})
