import { sql } from 'kysely'
import { loan } from '../../../../core/contract/after-loan/loan.ts'
import { upfrontFees } from '../../../../core/rules/loan/fees.ts'
import { eq, neg } from '../../../../core/rules/money.ts'
import { type EatDate, eatDate } from '../../../../core/rules/time.ts'
import { requestApproval } from '../../../approval/approval.ts'
import type { Tx } from '../../../db/database.ts'
import { checkVersion, Fault } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import type { ApprovalAction } from '../../../module.ts'
import { account, post, reverse } from '../../../money/ledger.ts'
import type { Actor } from '../../../rights/actor.ts'
import { requireEvent, transition } from '../../../states/transition.ts'
import { hearUndone } from '../../operation/activity/index.ts'
import { restoreCoupon } from '../../operation/coupon/index.ts'
import { restoreCredit } from '../../order/order/index.ts'
import { lockFlow, remainingOf, useFlow } from '../flow/flow-store.ts'
import { runRecon } from '../reconciliation/recon-queue.ts'
import type { PlanRow } from '../repayment/plan.ts'
import { loanBlocks } from './desk/loan-blocks.ts'
import { lockCode } from './desk/loan-source.ts'
import { payoutKeys } from './payout.ts'
import { restoreRetrieved } from './payout-return.ts'

const perm = 'fund:cancelPay'

const hasRepayment = (tx: Tx, orderNo: string) =>
  tx.maybe(sql`select 1 from repay_record where order_no = ${orderNo} and record_status = 'posted' limit 1`)

/** The difference by which the money of a payout is back already. */
const returnOf = (tx: Tx, loanCode: string) =>
  tx.maybe(sql<{ fundAccountNo: string; gapDate: EatDate }>`
    select fund_account_no, gap_date from recon_item
    where recon_kind = 'payout_returned' and object_type = 'loanCode' and object_no = ${loanCode} and recon_status = 'open' order by created_time limit 1`)

/** Asks for a successful payout to be taken back: once a second person agrees, the money is awaited, and nothing else moves. */
export const cancelPaidServed = serve(loan.cancelPaid, async call => {
  const { tx, session, input } = call
  const held = await lockCode(tx, session, input.loanCode)
  const { order, code } = held
  checkVersion(code, input.version)
  await loanBlocks.check(call, loan.cancelPaid, code.loanCode)
  const approvalNo = await requestApproval(call, {
    action: 'payout.cancelPaid',
    perm,
    objectType: 'loanCode',
    objectNo: code.loanCode,
    orderNo: order.orderNo,
    merchantNo: order.merchantNo,
    version: code.version,
    payload: { loanCode: code.loanCode, reason: input.reason },
    summary: [
      {
        label: 'fields.loanCodeStatus',
        before: 'dict.LOAN_CODE_STATUS.success',
        after: 'dict.LOAN_CODE_STATUS.reversing',
      },
      { label: 'fields.actualLoanAmount', before: null, after: code.actualLoanAmount },
      { label: 'afterLoan.cancelPaidReason', before: null, after: input.reason },
    ],
  })
  call.audit({
    objectType: 'loanCode',
    objectNo: code.loanCode,
    orderNo: order.orderNo,
    after: { approvalNo, reason: input.reason },
  })
  return { approvalNo }
})

export const cancelPaidApproval: ApprovalAction = {
  action: 'payout.cancelPaid',
  perm,
  money: true,
  async execute(tx, { objectNo, payload, checker }) {
    const held = await lockCode(tx, null, objectNo)
    await loanBlocks.check({ tx, session: null }, loan.cancelPaid, objectNo)
    await transition(
      tx,
      'loanCode',
      held.code,
      { event: 'code.reverse', set: { reverseReason: String(payload.reason) } },
      checker,
    )
    const back = await returnOf(tx, objectNo)
    if (back) await runRecon(tx, back.fundAccountNo, back.gapDate, `${objectNo}:${checker.requestId}`)
  },
}

/** The customer keeps the money after all: the loan goes on as if nothing had been asked. */
export const abortServed = serve(loan.abortCancelPaid, async call => {
  const { tx, session, input, actor, audit } = call
  const { order, code } = await lockCode(tx, session, input.loanCode)
  checkVersion(code, input.version)
  await loanBlocks.check(call, loan.abortCancelPaid, code.loanCode)
  await transition(
    tx,
    'loanCode',
    code,
    { event: 'reverse.abort', set: { reverseReason: null, revertTo: null } },
    actor,
  )
  audit({
    objectType: 'loanCode',
    objectNo: code.loanCode,
    orderNo: order.orderNo,
    before: { loanCodeStatus: code.loanCodeStatus },
    after: { loanCodeStatus: 'success' },
  })
  return { loanCodeStatus: 'success' as const }
})

/** Takes back what the plan and the penalties of an order posted, and ends its bills. */
const endPlan = async (tx: Tx, orderNo: string, cause: string, actor: Actor) => {
  await tx.flush()
  const journals = await tx.rows(sql<{ journalNo: number }>`
    select j.journal_no from journal j where j.order_no = ${orderNo} and j.posting_code in ('P2a', 'P2b')
      and not exists (select 1 from journal r where r.reverses_journal_no = j.journal_no) order by j.journal_no desc`)
  for (const { journalNo } of journals) await reverse(tx, journalNo, cause, actor)
  const bills = await tx.rows(
    sql<PlanRow>`select * from repay_plan where order_no = ${orderNo} and bill_status = 'pending' order by bill_no for update`,
  )
  for (const bill of bills) await transition(tx, 'plan', bill, { event: 'plan.cancel' }, actor)
  await tx.exec(
    sql`update penalty_tick set reversed = true where bill_no in (select bill_no from repay_plan where order_no = ${orderNo})`,
  )
}

/**
 * The money of a cancelled payout is back: a received flow of exactly the amount ends the loan as if it had not been made.
 * Locks order, code and flow itself, in that order: call it with none of them locked later than that.
 */
export const matchReturn = async (
  tx: Tx,
  { flowNo }: { flowNo: string },
  loanCode: string,
  actor: Actor,
): Promise<void> => {
  const { order, code } = await lockCode(tx, null, loanCode)
  const flow = await lockFlow(tx, flowNo)
  requireEvent('loanCode', code.loanCodeStatus, 'reverse.matched')
  if (await hasRepayment(tx, order.orderNo)) throw new Fault('stateConflict', 'errors.repaymentExists')
  if (!eq(remainingOf(flow), code.actualLoanAmount) || !eq(flow.amount, code.actualLoanAmount))
    throw new Fault('validation', 'errors.returnAmount', { amount: code.actualLoanAmount })
  const cause = `loan_code:${loanCode}`
  const fees = upfrontFees(order.terms, order.loanAmount)
  await useFlow(tx, flow, { amount: flow.amount, customerNo: order.customerNo, repaymentNo: loanCode }, actor)
  await post(
    tx,
    {
      code: 'P1d',
      cause,
      valueDate: eatDate(flow.entryTime),
      keys: { ...payoutKeys(order, loanCode), flowNo },
      lines: [
        { account: account.suspense(flowNo), amount: flow.amount },
        { account: account.feeIncome, amount: fees.serviceFee, component: 'serviceFee' },
        { account: account.feeIncome, amount: fees.managementFee, component: 'managementFee' },
        { account: account.principal(order.orderNo), amount: neg(order.loanAmount), component: 'principal' },
      ],
    },
    actor,
  )
  await endPlan(tx, order.orderNo, cause, actor)
  await transition(
    tx,
    'loanCode',
    code,
    { event: 'reverse.matched', set: { finishTime: tx.now }, payload: { flowNo } },
    actor,
  )
  if (code.revertTo) await restoreRetrieved(tx, order, { revertTo: code.revertTo, flowNo }, actor)
  else {
    const set = { statusTime: tx.now, cancelReason: 'payout_reversed', overdue: false, overdueDays: 0 }
    await transition(tx, 'order', order, { event: 'payout.reversed', as: 'cancelled', set, payload: { flowNo } }, actor)
  }
  await restoreCredit(tx, order, actor)
  await restoreCoupon(tx, { orderNo: order.orderNo }, actor)
  await hearUndone(tx, { ...order, cause: loanCode })
}
