import { sql } from 'kysely'
import type { EatDate } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { stateConflict } from '../../../http/fault.ts'
import type { Actor } from '../../../rights/actor.ts'
import { transition } from '../../../states/transition.ts'
import { lockOrder, type Order, restoreCredit } from '../../order/order/index.ts'
import { runRecon } from '../reconciliation/recon-queue.ts'
import { lockNewestCode } from './desk/loan-source.ts'

/** Whether anything was repaid on an order: then its payout is not taken back. */
export const isRepaid = async (tx: Tx, orderNo: string): Promise<boolean> =>
  (await tx.maybe(sql`select 1 from repay_record where order_no = ${orderNo} and record_status = 'posted' limit 1`)) !==
  undefined

/** Whether the money of an order's payout is awaited back. */
export const isComingBack = async (tx: Tx, orderNo: string): Promise<boolean> =>
  (await tx.maybe(
    sql`select 1 from loan_code where order_no = ${orderNo} and loan_code_status = 'reversing' limit 1`,
  )) !== undefined

/** An approved order that goes back to review: its code is cancelled before any money left, and the customer has the credit back. Call it with the order locked. */
export const cancelUnsent = async (tx: Tx, order: Order, reason: string, actor: Actor): Promise<void> => {
  const code = await lockNewestCode(tx, order.orderNo)
  if (!code) return
  if (code.loanCodeStatus !== 'created') throw stateConflict(code.loanCodeStatus, 'LOAN_CODE_STATUS')
  const move = { event: 'code.cancel', set: { finishTime: tx.now }, payload: { reason } }
  await transition(tx, 'loanCode', code, move, actor)
  await restoreCredit(tx, order, actor)
}

/** The money of a payout is awaited back; once it is booked, the order goes to `revertTo`. Call it with the order locked. */
export const askMoneyBack = async (
  tx: Tx,
  order: Order,
  { revertTo, reason }: { revertTo: string; reason: string },
  actor: Actor,
): Promise<void> => {
  const code = await lockNewestCode(tx, order.orderNo)
  if (code?.loanCodeStatus !== 'success') throw stateConflict(code?.loanCodeStatus ?? 'created', 'LOAN_CODE_STATUS')
  const move = { event: 'code.reverse', set: { reverseReason: reason, revertTo } }
  await transition(tx, 'loanCode', code, move, actor)
  const back = await tx.maybe(sql<{ fundAccountNo: string; gapDate: EatDate }>`
    select fund_account_no, gap_date from recon_item
    where recon_kind = 'payout_returned' and object_type = 'loanCode' and object_no = ${code.loanCode} and recon_status = 'open' order by created_time limit 1`)
  if (back) await runRecon(tx, back.fundAccountNo, back.gapDate, `${code.loanCode}:${actor.requestId}`)
}

type Item = {
  retrievalNo: string
  retrievalStatus: string
  statusBefore: string
  before: Record<string, unknown> | null
  version: number
}

/** The retrieval that an order is under, locked. Take it after the order. */
export const lockRetrieval = (tx: Tx, orderNo: string): Promise<Item | undefined> =>
  tx.maybe(sql<Item>`
    select r.retrieval_no, r.retrieval_status, r.status_before, r.before, r.version from order_retrieval r
    where r.order_no = ${orderNo} and r.retrieval_status = 'retrieved' for update`)

/** The money of a retrieved order's payout is back: the order is where it was before its retrieval. */
export const restoreRetrieved = async (
  tx: Tx,
  { orderNo }: Order,
  { revertTo, flowNo }: { revertTo: string; flowNo: string },
  actor: Actor,
): Promise<void> => {
  const order = await lockOrder(tx, null, orderNo)
  const item = await lockRetrieval(tx, orderNo)
  const lent = {
    payoutTime: null,
    payoutDate: null,
    lendingChannel: null,
    payCode: null,
    overdue: false,
    overdueDays: 0,
  }
  const set = { ...item?.before, ...lent }
  const payload = { flowNo, retrievalNo: item?.retrievalNo ?? null }
  await transition(tx, 'order', order, { event: 'payout.reversed', as: 'restored', to: revertTo, set, payload }, actor)
  if (!item) return
  const finished = { finishedTime: tx.now.toISOString() }
  await transition(tx, 'retrievalItem', item, { event: 'retrieval.revert', set: finished, payload: { orderNo } }, actor)
}
