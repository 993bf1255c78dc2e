import { z } from 'zod'
import { retrievalBatch } from '../../rules/machines/audit/retrieval-batch.ts'
import { retrievalItem } from '../../rules/machines/audit/retrieval-item.ts'
import { order as orderMachine } from '../../rules/machines/order/order.ts'
import { blockedBy } from '../blocked.ts'
import { command, list, noun, results } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { modelLevels } from '../order/levels.ts'
import { auditResults } from './decisions.ts'

const perm = 'order:salvage:page'

/** Why a number was not retrieved. */
export const retrievalFails = dictionary('RETRIEVAL_FAIL', [
  'not_found',
  'wrong_status',
  'duplicate',
  'open_exists',
  'too_old',
  'blacklisted',
])
/** Whether the numbers of a batch were typed or came in a file. */
export const retrievalSources = dictionary('RETRIEVAL_SOURCE', ['entered', 'imported'])

/** Most numbers of one list that is entered. */
export const maxEntered = 1_000

/** A row of an imported list. */
export const ImportedNumber = z.object({ orderNo: field.key() })

const Item = z.object({
  retrievalNo: field.key(),
  /** As it was entered. */
  enteredNo: field.text(60),
  orderNo: field.key().nullable(),
  merchantName: field.text().nullable(),
  customerName: field.customerName().nullable(),
  loanAmount: field.money().nullable(),
  actualLoanAmount: field.money().nullable(),
  modelLevel: field.dict(modelLevels).nullable(),
  refuseCode: field.text().nullable(),
  refuseReason: field.text().nullable(),
  statusBefore: field.state(orderMachine).nullable(),
  orderStatus: field.state(orderMachine).nullable(),
  retrievalStatus: field.state(retrievalItem),
  failReason: field.dict(retrievalFails).nullable(),
  retrievalBatchNo: field.key(),
  createdByName: field.user(),
  createdTime: field.time(),
  auditorName: field.user().nullable(),
  auditResult: field.dict(auditResults).nullable(),
  pendingApproval: z.string().nullable(),
  version: z.int(),
  blockedBy: blockedBy(),
})

const Batch = z.object({
  retrievalBatchNo: field.key(),
  source: field.dict(retrievalSources),
  fileName: field.text(200).nullable(),
  total: field.int(),
  retrievedCount: field.int(),
  notRetrievedCount: field.int(),
  batchStatus: field.state(retrievalBatch),
  createdByName: field.user(),
  createdTime: field.time(),
  finishedTime: field.time().nullable(),
  version: z.int(),
})

const Looked = z.object({
  enteredNo: z.string(),
  orderNo: field.key().nullable(),
  merchantName: field.text().nullable(),
  customerName: field.customerName().nullable(),
  loanAmount: field.money().nullable(),
  orderStatus: field.state(orderMachine).nullable(),
  failReason: field.dict(retrievalFails).nullable(),
})

const keyed = { retrievalBatchNo: field.key() }

/** Refused orders that are taken back to the queue, and put back where they were. */
export const retrieval = noun('audit/retrieval', {
  items: list('/loans/audit/salvage/page', {
    perm,
    row: Item,
    filters: {
      orderNo: field.key(20_000).optional(),
      retrievalStatus: z.array(field.state(retrievalItem)).optional(),
      statusBefore: z.array(field.state(orderMachine)).optional(),
      orderStatus: z.array(field.state(orderMachine)).optional(),
      merchantNo: z.array(field.merchant()).optional(),
      retrievalBatchNo: field.key().optional(),
      createdBy: z.array(field.user()).optional(),
      createdTime: field.dateRange().optional(),
    },
    sort: ['createdTime'],
    defaultSort: '-createdTime',
    exported: { as: 'retrievals', perm: 'order:salvage:export' },
    imported: {
      as: 'retrievals',
      perm: 'order:salvage:import',
      row: ImportedNumber,
      key: 'orderNo',
      example: { orderNo: 'LO261124PKSNV7HG' },
      maxRows: 5_000,
    },
  }),
  batches: list('/loans/audit/salvage/batch/page', {
    perm,
    row: Batch,
    filters: {
      retrievalBatchNo: field.key().optional(),
      batchStatus: z.array(field.state(retrievalBatch)).optional(),
      createdBy: z.array(field.user()).optional(),
      createdTime: field.dateRange().optional(),
    },
    sort: ['createdTime'],
    defaultSort: '-createdTime',
  }),
  /** Looks at numbers; nothing moves yet. */
  preview: command({
    path: '/loans/audit/salvage/preview',
    perm: 'order:salvage:import',
    audit: 'retrieval.preview',
    on: { machine: retrievalBatch, event: 'batch.enter', key: 'retrievalBatchNo' },
    /** Order numbers as they are typed or pasted. */
    input: z.strictObject({ numbers: field.longText(60_000) }),
    output: z.object({
      ...keyed,
      version: z.int(),
      ok: z.int(),
      fail: z.int(),
      /** Of the orders that can be retrieved. */
      amount: field.money(),
      list: z.array(Looked),
    }),
  }),
  /** Retrieves what was looked at, but for the lines that were removed; each line is looked at again. */
  confirm: command({
    path: '/loans/audit/salvage/confirm',
    perm: 'order:salvage:submit',
    audit: 'retrieval.confirm',
    on: { machine: retrievalBatch, event: 'batch.confirm', key: 'retrievalBatchNo' },
    input: z.strictObject({
      ...keyed,
      version: z.int(),
      removed: z.array(field.key(60)).max(maxEntered).optional(),
    }),
    output: z.object({ ...keyed, total: z.int() }),
  }),
  discard: command({
    path: '/loans/audit/salvage/discard',
    perm: 'order:salvage:import',
    audit: 'retrieval.discard',
    on: { machine: retrievalBatch, event: 'batch.discard', key: 'retrievalBatchNo' },
    input: z.strictObject({ ...keyed, version: z.int() }),
    output: z.object({}),
  }),
  /** Puts orders back where they were before; what was paid out waits for a second person, and for the money. */
  revert: command({
    path: '/loans/audit/salvage/revert',
    perm: 'order:salvage:submit',
    audit: 'retrieval.revert',
    money: 'moves',
    on: { machine: retrievalItem, event: 'retrieval.revert', key: 'retrievalNos' },
    input: z.strictObject({ retrievalNos: z.array(field.key()).min(1).max(200) }),
    output: results,
  }),
})
export type Looked = z.output<typeof Looked>
