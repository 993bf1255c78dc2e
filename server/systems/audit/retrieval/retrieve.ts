import { type Selectable, sql } from 'kysely'
import type { retrievalFails } from '../../../../core/contract/audit/retrieval.ts'
import type { ValueOf } from '../../../../core/contract/fields.ts'
import type { Tx } from '../../../db/database.ts'
import { json } from '../../../db/json.ts'
import type { DB } from '../../../db/types.gen.ts'
import { newNo } from '../../../money/numbers.ts'
import type { Actor } from '../../../rights/actor.ts'
import { writeAudit } from '../../../rights/audit-rows.ts'
import type { Session } from '../../../session/session.ts'
import { create, transition } from '../../../states/transition.ts'
import { refreezeCoupon } from '../../operation/coupon/index.ts'
import { lockOrder, type Order } from '../../order/order/index.ts'
import { lookAt } from './retrievable.ts'

export type Batch = Selectable<DB['retrievalBatch']>
export type Item = Selectable<DB['orderRetrieval']>
type Fail = ValueOf<typeof retrievalFails>
type By = { tx: Tx; session: Session; actor: Actor }

/** What a second decision overwrites of a refused order: the way back restores it. */
const asItIs = ({
  auditStep,
  auditorNo,
  auditTime,
  statusTime,
  refuseCode,
  refuseRemark,
  refusedBy,
  approvalAmount,
  approvalTime,
  loanAmount,
  actualLoanAmount,
  lastSendBackReason,
}: Order) => ({
  auditStep,
  auditorNo,
  auditTime,
  statusTime,
  refuseCode,
  refuseRemark,
  refusedBy,
  approvalAmount,
  approvalTime,
  loanAmount,
  actualLoanAmount,
  lastSendBackReason,
})

/** A number that was not retrieved, with the reason; an order out of reach is not named. */
export const noteFailed = async (
  { tx, session, actor }: By,
  batchNo: string,
  enteredNo: string,
  fail: Fail,
  orderNo: string | null,
) => {
  const row = {
    retrievalNo: newNo('RT', tx.now),
    retrievalBatchNo: batchNo,
    enteredNo,
    orderNo,
    failReason: fail,
    createdBy: session.userNo,
    createdTime: tx.now,
    finishedTime: tx.now,
    version: 0,
  }
  await create(tx, 'retrievalItem', row, { event: 'retrieval.add', as: 'refused' }, actor)
}

/** Takes a refused order back to the queue and remembers where it was; answers why not, or null. */
export const retrieveOne = async (by: By, batchNo: string, enteredNo: string): Promise<Fail | null> => {
  const { tx, session, actor } = by
  await tx.maybe(sql`select 1 from loan_order o where o.order_no = ${enteredNo} for update`)
  const [looked] = await lookAt(tx, session, [enteredNo])
  if (!looked?.orderNo) return 'not_found'
  if (looked.failReason) return looked.failReason
  const order = await lockOrder(tx, session, looked.orderNo, 'order:salvage:page')
  const { orderNo } = order
  const retrievalNo = newNo('RT', tx.now)
  const set = { auditorNo: null, auditStep: 1, statusTime: tx.now.toISOString(), lastSendBackReason: null }
  const payload = { retrievalNo, statusBefore: order.orderStatus }
  const queued = await transition(tx, 'order', order, { event: 'retrieval.retrieve', set, payload }, actor)
  await create(
    tx,
    'retrievalItem',
    {
      retrievalNo,
      retrievalBatchNo: batchNo,
      enteredNo,
      orderNo,
      statusBefore: order.orderStatus,
      before: json(asItIs(order)),
      createdBy: session.userNo,
      createdTime: tx.now,
      version: 0,
    },
    { event: 'retrieval.add', as: 'taken', payload: { orderNo } },
    actor,
  )
  await refreezeCoupon(tx, { orderNo }, actor)
  writeAudit(tx, { action: 'retrieval.retrieve', path: '/loans/audit/salvage/confirm', actor }, [
    {
      objectType: 'order',
      objectNo: orderNo,
      orderNo,
      before: { orderStatus: order.orderStatus },
      after: { orderStatus: queued.orderStatus, retrievalNo },
    },
  ])
  return null
}

/** Counts one line of a batch. */
export const countLine = (tx: Tx, batchNo: string, failed: boolean, rowNo: number) =>
  tx.exec(sql`
    update retrieval_batch set ok_count = ok_count + ${failed ? 0 : 1}, fail_count = fail_count + ${failed ? 1 : 0}, row_cursor = ${rowNo}
    where retrieval_batch_no = ${batchNo}`)
