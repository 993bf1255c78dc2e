import { sql } from 'kysely'
import { contract } from '../../../core/contract/contract.ts'
import type { Tx } from '../../db/database.ts'
import { json } from '../../db/json.ts'
import { system } from '../../rights/actor.ts'
import { rightsOfPerson } from '../../session/session.ts'
import { create, transition } from '../../states/transition.ts'
import { retrievalModule } from '../../systems/audit/retrieval/retrieval.ts'
import { handFor } from '../hand.ts'
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

/** An order in a state, not the newest of it where there are more: that one is left as customers and staff expect it. */
const orderIn = async (tx: Tx, status: string) => {
  const rows = await tx.rows(sql<Found>`
    select o.order_no, o.order_status, o.refuse_code, o.audit_step from loan_order o
    where o.order_status = ${status} and o.merchant_no = 'M1' and not exists (select 1 from order_retrieval r where r.order_no = o.order_no)
      and not exists (select 1 from re_review_apply a where a.order_no = o.order_no) and not exists (select 1 from repay_record p where p.order_no = o.order_no)
      and not exists (select 1 from approval a where a.order_no = o.order_no and a.approval_status = 'pending')
    order by o.status_time desc, o.order_no limit 4`)
  return rows.at(-1)
}

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

/** What was paid out is asked back, and a second person has not said yes yet. */
const askBack = async (tx: Tx) => {
  const item = await tx.maybe(sql<{ no: string }>`
    select r.retrieval_no as no from order_retrieval r join loan_order o using (order_no)
    where o.order_status = 'funds_disbursed' and r.retrieval_status = 'retrieved' limit 1`)
  if (!item) return
  const lead = await rightsOfPerson(tx, userNoOf('audit.lead'), 'en')
  await handFor([retrievalModule()]).call(tx, lead, contract.retrieval.revert, { retrievalNos: [item.no] })
}

/** Two batches that are done: orders in each state that may be returned from, one of which waits for its money's way back, and a partial one with each reason. */
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
  await tx.flush()
  await askBack(tx)
}
