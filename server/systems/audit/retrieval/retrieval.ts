import { sql } from 'kysely'
import { ImportedNumber } from '../../../../core/contract/audit/retrieval.ts'
import { contract } from '../../../../core/contract/contract.ts'
import { imported } from '../../../files/imports/store.ts'
import { serveListed } from '../../../lists/listed.ts'
import type { Module } from '../../../module.ts'
import { batchJobs, batchOfImport, confirm, discard, finishBatch, preview, refuseRow, runBatches } from './batch.ts'
import { batches, items } from './retrieval-list.ts'
import { retrieveOne } from './retrieve.ts'
import { revert, revertApproval, revertJobs } from './revert.ts'

const { retrieval } = contract

/** Numbers in a file: looked at and confirmed as every import is, then retrieved one by one. */
const fromFiles = imported({
  list: retrieval.items,
  schema: ImportedNumber,
  async row(call, { orderNo }) {
    const batchNo = await batchOfImport(call, call.importNo)
    const fail = await retrieveOne(call, batchNo, orderNo)
    if (fail) throw refuseRow(fail)
    const { no } = await call.tx.one(sql<{ no: string }>`
      select retrieval_no as no from order_retrieval where retrieval_batch_no = ${batchNo} and order_no = ${orderNo}`)
    return no
  },
  async ended({ tx }, { importNo, okCount, rowCount }) {
    const batch = await tx.maybe(sql<{ no: string }>`
      update retrieval_batch set ok_count = ${okCount}, total = ${rowCount ?? okCount}, fail_count = ${(rowCount ?? okCount) - okCount}
      where import_no = ${importNo} returning retrieval_batch_no as no`)
    if (batch) await finishBatch(tx, batch.no)
  },
})

/** Refused orders that people let somebody see after all, in batches, and put back where they were. */
export const retrievalModule = (): Module => ({
  served: [serveListed(items), serveListed(batches), preview, confirm, discard, revert],
  lists: [items, batches],
  imports: [fromFiles],
  queues: [runBatches],
  approvals: [revertApproval],
  scheduled: [...batchJobs, ...revertJobs],
})
