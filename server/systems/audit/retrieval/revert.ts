import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { requestApproval } from '../../../approval/approval.ts'
import type { Tx } from '../../../db/database.ts'
import { notFound } from '../../../http/fault.ts'
import { type Call, serveEach } from '../../../http/serve.ts'
import type { ApprovalAction, Scheduled } from '../../../module.ts'
import { type Actor, system } from '../../../rights/actor.ts'
import { transition } from '../../../states/transition.ts'
import { askMoneyBack, cancelUnsent } from '../../after-loan/payout/index.ts'
import { releaseCoupon } from '../../operation/coupon/index.ts'
import { lockActiveTask, lockOrder, type Order } from '../../order/order/index.ts'
import { releaseTask } from '../allotment/allot-order.ts'
import { retrievalBlocks } from './retrieval-blocks.ts'
import type { Item } from './retrieve.ts'

const { retrieval } = contract
const perm = 'order:salvage:submit'
const action = 'retrieval.revert'

type Held = { order: Order; item: Item & { orderNo: string; statusBefore: string } }

/** An order with its retrieval, both locked, within the data rule of the caller. */
const lockBoth = async (tx: Tx, session: Call['session'] | null, retrievalNo: string): Promise<Held> => {
  const found = await tx.maybe(
    sql<{ orderNo: string | null }>`select order_no from order_retrieval where retrieval_no = ${retrievalNo}`,
  )
  if (!found?.orderNo) throw notFound()
  const order = await lockOrder(tx, session, found.orderNo, perm)
  const item = await tx.one(
    sql<Held['item']>`select * from order_retrieval where retrieval_no = ${retrievalNo} for update`,
  )
  return { order, item }
}

/** Puts an order that was not paid out back where it was: nobody reviews it any more, its code is void, its coupon free. */
const putBack = async (tx: Tx, { order, item }: Held, actor: Actor): Promise<void> => {
  const { orderNo, retrievalNo, statusBefore } = item
  const task = await lockActiveTask(tx, orderNo)
  if (order.orderStatus === 'pending_disbursement') await cancelUnsent(tx, order, action, actor)
  const set = item.before as Record<string, unknown>
  const move = { event: 'retrieval.revert', to: statusBefore, set, payload: { retrievalNo } }
  await transition(tx, 'order', order, move, actor)
  if (task) await releaseTask(tx, task, action, actor)
  await releaseCoupon(tx, { orderNo }, actor)
  const finished = { finishedTime: tx.now.toISOString() }
  await transition(tx, 'retrievalItem', item, { event: 'retrieval.revert', set: finished, payload: { orderNo } }, actor)
}

/** What was paid out is asked back by a second person. */
const askBack = (call: Call<unknown>, { order, item }: Held) =>
  requestApproval(call, {
    action,
    perm,
    objectType: 'retrieval',
    objectNo: item.retrievalNo,
    orderNo: order.orderNo,
    merchantNo: order.merchantNo,
    version: item.version,
    payload: { retrievalNo: item.retrievalNo, revertTo: item.statusBefore },
    summary: [
      {
        label: 'fields.orderStatus',
        before: `dict.ORDER_STATUS.${order.orderStatus}`,
        after: `dict.ORDER_STATUS.${item.statusBefore}`,
      },
      { label: 'fields.actualLoanAmount', before: null, after: order.actualLoanAmount },
    ],
  })

/** Puts orders back, one by one; those that were paid out wait for a second person. */
export const revert = serveEach(retrieval.revert, {
  ids: ({ retrievalNos }) => [...new Set(retrievalNos)],
  async row(retrievalNo, call) {
    const { tx, session, actor } = call
    const held = await lockBoth(tx, session, retrievalNo)
    await retrievalBlocks.check(call, retrieval.revert, retrievalNo)
    const { order, item } = held
    const line = { objectType: 'order', objectNo: order.orderNo, orderNo: order.orderNo }
    if (order.orderStatus === 'funds_disbursed') {
      const approvalNo = await askBack(call, held)
      return call.audit({ ...line, after: { approvalNo, revertTo: item.statusBefore } })
    }
    await putBack(tx, held, actor)
    call.audit({
      ...line,
      before: { orderStatus: order.orderStatus },
      after: { orderStatus: item.statusBefore, retrievalNo },
    })
  },
})

/** Agreed: the money is awaited, and nothing else moves until it is booked. */
export const revertApproval: ApprovalAction = {
  action,
  perm,
  money: true,
  async execute(tx, { objectNo, checker }) {
    const { order, item } = await lockBoth(tx, null, objectNo)
    await retrievalBlocks.check({ tx, session: null }, retrieval.revert, objectNo)
    const payload = { retrievalNo: item.retrievalNo, revertTo: item.statusBefore }
    const asked = await transition(tx, 'order', order, { event: 'retrieval.revert', payload }, checker)
    await askMoneyBack(tx, asked, { revertTo: item.statusBefore, reason: action }, checker)
  },
}

const perRun = 500

/** A retrieval ends with its order: repaid or cancelled. A new refusal leaves it open: it can still be returned. */
const follow: Scheduled = {
  job: 'audit.followRetrievals',
  every: { seconds: 60 },
  run: async tx => {
    const rows = await tx.rows(sql<Item & { orderNo: string }>`
      select r.* from order_retrieval r join loan_order o using (order_no)
      where r.retrieval_status = 'retrieved' and o.order_status in ('settled', 'cancelled') order by r.order_no limit ${perRun} for update of r skip locked`)
    for (const item of rows)
      await transition(
        tx,
        'retrievalItem',
        item,
        { event: 'order.finished', set: { finishedTime: tx.now.toISOString() }, payload: { orderNo: item.orderNo } },
        system('job:retrieval.follow'),
      )
    return { closed: rows.length }
  },
}

export const revertJobs: readonly Scheduled[] = [follow]
