import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { json } from '../../db/json.ts'
import { system } from '../../rights/actor.ts'
import { create, transition } from '../../states/transition.ts'
import { userNoOf } from '../staff.ts'

const actor = system('demo retrievals')
const hour = 3_600_000

type Found = { orderNo: string; orderStatus: string; refuseCode: string | null; auditStep: number }

/** One order of each state that a retrieved order can be in by now. */
const states = [
  'to_be_allocated',
  'pending_review',
  'machine_refused',
  'approval_rejected',
  'pending_disbursement',
  'funds_disbursed',
]
const fails = ['not_found', 'wrong_status', 'duplicate', 'open_exists', 'too_old'] as const

const orderIn = (tx: Tx, status: string) =>
  tx.maybe(sql<Found>`
    select o.order_no, o.order_status, o.refuse_code, o.audit_step from loan_order o
    where o.order_status = ${status} and o.merchant_no = 'M1' and not exists (select 1 from order_retrieval r where r.order_no = o.order_no)
      and not exists (select 1 from re_review_apply a where a.order_no = o.order_no) and not exists (select 1 from repay_record p where p.order_no = o.order_no)
    order by o.status_time desc, o.order_no limit 1`)

const batchOf = async (tx: Tx, no: string, at: Date, counts: { total: number; okCount: number; failCount: number }) => {
  const row = {
    retrievalBatchNo: no,
    source: 'entered',
    createdBy: userNoOf('audit.lead'),
    createdTime: at,
    version: 0,
    ...counts,
  }
  await create(tx, 'retrievalBatch', row, { event: 'batch.enter' }, actor)
  const running = await transition(
    tx,
    'retrievalBatch',
    { ...row, batchStatus: 'preview' },
    { event: 'batch.confirm', set: { confirmTime: at } },
    actor,
  )
  await transition(tx, 'retrievalBatch', running, { event: 'rows.finished', set: { finishedTime: at } }, actor)
}

/** Two batches that are done: orders in each state that may be returned from, and a partial one with each reason. */
export const writeRetrievals = async (tx: Tx): Promise<void> => {
  const at = new Date(tx.now.getTime() - 20 * hour)
  const found = (await Promise.all(states.map(status => orderIn(tx, status)))).flatMap(one => one ?? [])
  await batchOf(tx, 'RB261100000001', at, { total: found.length, okCount: found.length, failCount: 0 })
  await batchOf(tx, 'RB261100000002', at, { total: fails.length, okCount: 0, failCount: fails.length })
  const item = (no: string, batch: number, enteredNo: string) => ({
    retrievalNo: no,
    retrievalBatchNo: `RB26110000000${batch}`,
    enteredNo,
    createdBy: userNoOf('audit.lead'),
    createdTime: at,
    version: 0,
  })
  for (const [index, { orderNo, refuseCode, auditStep }] of found.entries()) {
    const before = { auditStep, refuseCode: refuseCode ?? 'R101', refusedBy: 'system', auditorNo: null }
    const row = {
      ...item(`RT2611${index}`, 1, orderNo),
      orderNo,
      statusBefore: 'machine_refused',
      before: json(before),
    }
    await create(tx, 'retrievalItem', row, { event: 'retrieval.add', as: 'taken' }, actor)
  }
  for (const [index, failReason] of fails.entries()) {
    const enteredNo = failReason === 'not_found' ? 'LO000000000000' : (found[index % found.length]?.orderNo ?? 'LO1')
    const row = { ...item(`RT2611F${index}`, 2, enteredNo), failReason, finishedTime: at }
    await create(tx, 'retrievalItem', row, { event: 'retrieval.add', as: 'refused' }, actor)
  }
}
