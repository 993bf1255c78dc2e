import { sql } from 'kysely'
import { isOpen } from '../../../../core/rules/loan/bill.ts'
import type { Component } from '../../../../core/rules/loan/components.ts'
import { addAmounts, amountsOf, isNothing, type Line, totalOf } from '../../../../core/rules/loan/components.ts'
import type { WaivedLine, WaiveReason } from '../../../../core/rules/loan/trial.ts'
import { add, isPositive, isZero, type Money, min, neg, sub, sum, zeroMoney } from '../../../../core/rules/money.ts'
import type { Tx } from '../../../db/database.ts'
import { account, type Posting, post } from '../../../money/ledger.ts'
import { newNo } from '../../../money/numbers.ts'
import type { Actor } from '../../../rights/actor.ts'
import { create, transition } from '../../../states/transition.ts'
import { releaseCoupon, useDiscount } from '../../operation/coupon/index.ts'
import { amountInText, happened } from '../../operation/message-engine/index.ts'
import { returnCredit } from '../../order/order/index.ts'
import { type Flow, useFlow } from '../flow/flow-store.ts'
import { payExtension } from '../repayment/extension/store.ts'
import { creditOverflow, type Overpayment, reapplyOverflow } from '../repayment/overflow.ts'
import { rebook } from '../repayment/penalty.ts'
import { amountColumns, deferred, receivable, refreshOverdue } from '../repayment/plan.ts'
import type { OrderStatus, Outcome, Standing } from '../repayment/trial.ts'

/** Where the money of a write-off comes from: received flows, the customer's overflow, or nothing at all. */
export type Sources =
  | { kind: 'flows'; flows: readonly { flow: Flow; amount: Money }[] }
  | { kind: 'overflow'; overpayment: Overpayment; amount: Money }
  | { kind: 'none' }

export type WriteOff = {
  event: 'repay.settle' | 'repay.partial' | 'repay.extension' | 'repay.overpayment' | 'repay.zeroSettle' | 'repay.auto'
  sources: Sources
  remark?: string | null
  actor: Actor
}

export type WrittenOff = {
  repaymentNo: string
  amount: Money
  outstanding: Money
  orderStatus: OrderStatus
  orderVersion: number
}

type Keys = Posting['keys']
type PostingLine = Posting['lines'][number]
type Part = { account: string; amount: Money } & Keys

const partsOf = (sources: Sources, customerNo: string): Part[] => {
  if (sources.kind === 'none') return []
  if (sources.kind === 'overflow') return [{ account: account.overpayment(customerNo), amount: sources.amount }]
  return sources.flows.map(({ flow, amount }) => ({
    account: account.suspense(flow.flowNo),
    amount,
    flowNo: flow.flowNo,
  }))
}

/** Takes an amount from the front of the parts: what it took, and what is left of them. */
const take = (parts: readonly Part[], amount: Money): { taken: Part[]; rest: Part[] } => {
  const taken: Part[] = []
  const rest: Part[] = []
  let left = amount
  for (const part of parts) {
    const now = min(left, part.amount)
    left = sub(left, now)
    if (isPositive(now)) taken.push({ ...part, amount: now })
    if (isPositive(sub(part.amount, now))) rest.push({ ...part, amount: sub(part.amount, now) })
  }
  return { taken, rest }
}

const ofBill = ({ billNo, component }: Line) => ({ billNo, component })
const earnedLater = (component: Component) =>
  component === 'interest' || component === 'serviceFee' || component === 'managementFee'

/** Taken off by the terms or by a coupon: nobody forgave it. */
const given: readonly WaiveReason[] = ['proRata', 'coupon']

/** The journals of one write-off, in the order in which they are posted. */
export const journalsOf = (
  orderNo: string,
  customerNo: string,
  sources: Sources,
  { trial, asked }: Pick<Outcome, 'trial' | 'asked'>,
): Pick<Posting, 'code' | 'lines'>[] => {
  const extended = asked.repayType === 'extension' ? trial.extension : null
  const fee = extended
    ? [
        {
          account: account.extensionIncome,
          amount: neg(extended.fee),
          component: 'extensionFee' as const,
          billNo: extended.billNo,
        },
      ]
    : []
  const received = sum([...trial.allocation.map(line => line.amount), ...fee.map(line => neg(line.amount))])
  const { taken, rest } = take(partsOf(sources, customerNo), received)
  const credit = (lines: readonly Line[]): PostingLine[] =>
    lines.map(line => ({ account: receivable(orderNo, line.component), amount: neg(line.amount), ...ofBill(line) }))
  const debit = (lines: readonly Line[], to: (line: Line) => string): PostingLine[] =>
    lines.map(line => ({ account: to(line), amount: line.amount, ...ofBill(line) }))
  const waived = (test: (line: WaivedLine) => boolean) => trial.waived.filter(test)
  const early = waived(line => line.reason === 'proRata')
  const byCoupon = waived(line => line.reason === 'coupon')
  const forgiven = waived(line => !given.includes(line.reason) && line.component !== 'principal')
  const residue = waived(line => !given.includes(line.reason) && line.component === 'principal')
  const earned = [...trial.allocation, ...byCoupon, ...forgiven].filter(line => earnedLater(line.component))
  const fromDeferred = (line: Line) => deferred(orderNo, line.component).account
  return [
    { code: 'P2d', lines: [...debit(early, fromDeferred), ...credit(early)] },
    { code: 'P10', lines: [...debit(byCoupon, () => account.couponExpense), ...credit(byCoupon)] },
    { code: 'P5', lines: [...debit(forgiven, () => account.exemptionExpense), ...credit(forgiven)] },
    { code: 'P17', lines: [...debit(residue, () => account.smallBalance), ...credit(residue)] },
    {
      code: extended ? 'P6' : sources.kind === 'overflow' ? 'P4c' : 'P4',
      lines: [...taken, ...fee, ...credit(trial.allocation)],
    },
    {
      code: 'P4b',
      lines: [
        ...rest,
        ...rest.map(({ amount, ...keys }) => ({
          ...keys,
          account: account.overpayment(customerNo),
          amount: neg(amount),
        })),
      ],
    },
    {
      code: 'P2c',
      lines: earned.flatMap(line => [
        { account: fromDeferred(line), amount: line.amount, ...ofBill(line) },
        { account: deferred(orderNo, line.component).income, amount: neg(line.amount), ...ofBill(line) },
      ]),
    },
  ]
}

const recordLines = (tx: Tx, repaymentNo: string, { allocation, waived }: Outcome['trial']) => {
  const rows = new Map<string, { billNo: string; component: Component; applied: Money; waived: Money }>()
  const put = (line: Line, as: 'applied' | 'waived') => {
    const key = `${line.billNo} ${line.component}`
    const row = rows.get(key) ?? { ...ofBill(line), applied: zeroMoney, waived: zeroMoney }
    rows.set(key, { ...row, [as]: add(row[as], line.amount) })
  }
  for (const line of allocation) put(line, 'applied')
  for (const line of waived) put(line, 'waived')
  for (const row of rows.values()) tx.append('repayRecordLine', { repaymentNo, ...row })
}

const applyToBills = async (
  tx: Tx,
  standing: Standing,
  { trial, asked }: Outcome,
  repaymentNo: string,
  actor: Actor,
) => {
  for (const [index, plan] of standing.plans.entries()) {
    const after = trial.after[index]
    const of = (lines: readonly Line[]) => amountsOf(lines.filter(line => line.billNo === plan.billNo))
    const [applied, waived] = [of(trial.allocation), of(trial.waived)]
    if (!after || isNothing(addAmounts(applied, waived)) || after.status === 'extended') continue
    const done = !isOpen(after)
    const event = isNothing(applied) ? 'plan.exempt' : 'plan.apply'
    const set = { ...amountColumns(after), ...(done ? { settledTime: tx.now, settledDate: asked.valueDate } : {}) }
    const payload = { repaymentNo, applied: totalOf(applied), waived: totalOf(waived) }
    await transition(tx, 'plan', plan, { event, as: done ? 'all' : 'part', set, payload }, actor)
  }
}

const spend = async (tx: Tx, standing: Standing, sources: Sources, actor: Actor, repaymentNo: string) => {
  if (sources.kind === 'overflow')
    return reapplyOverflow(tx, sources.overpayment, sources.amount, { repaymentNo }, actor)
  if (sources.kind === 'none') return
  for (const { flow, amount } of sources.flows) {
    await useFlow(tx, flow, { amount, customerNo: standing.order.customerNo, repaymentNo }, actor)
    tx.append('repayRecordFlow', { repaymentNo, flowNo: flow.flowNo, writeOffAmount: amount })
  }
}

const principalOf = ({ allocation, waived }: Outcome['trial']): Money =>
  sum([...allocation, ...waived].filter(line => line.component === 'principal').map(line => line.amount))

type Written = Pick<WriteOff, 'sources' | 'remark' | 'actor'> & { settles: boolean }

const extensionFeeOf = ({ trial, asked }: Outcome): Money =>
  (asked.repayType === 'extension' && trial.extension?.fee) || zeroMoney

const recordOf = (
  tx: Tx,
  repaymentNo: string,
  { order, facts }: Standing,
  outcome: Outcome,
  { sources, remark, actor, settles }: Written,
) => {
  const { trial, asked } = outcome
  const { due, settleAmount, waived, overflow, accruals, outstandingAfter } = trial
  return {
    repaymentNo,
    orderNo: order.orderNo,
    repayType: asked.repayType,
    recordSeq: facts.lastSeq + 1,
    amount: trial.amount,
    overflowAmount: overflow,
    extensionFee: extensionFeeOf(outcome),
    reductionAmount: sub(sum(waived.map(line => line.amount)), outcome.couponAmount),
    couponNo: asked.coupon?.couponNo ?? null,
    couponAmount: outcome.couponAmount,
    valueDate: asked.valueDate,
    repaymentTime: tx.now,
    postedBy: actor.no,
    postedName: actor.name,
    remark: remark || null,
    trial: {
      due,
      settleAmount,
      waived,
      accruals,
      outstandingAfter,
      shortfall: outcome.shortfall,
      source: sources.kind,
    },
    settledOrder: settles,
    requestId: actor.requestId,
  }
}

/**
 * Posts exactly what an outcome says: record, bills, flows or overflow, journals, and the end of the order when nothing is left.
 * The caller holds the locks and has refused what must be refused.
 */
export const writeOff = async (
  tx: Tx,
  standing: Standing,
  outcome: Outcome,
  { event, sources, remark, actor }: WriteOff,
): Promise<WrittenOff> => {
  const { order } = standing
  const { trial, asked } = outcome
  if (outcome.refusal) throw new Error(`${order.orderNo}: a refused outcome is not posted (${outcome.refusal})`)
  const repaymentNo = newNo('RP', tx.now)
  const settles = trial.orderSettled && order.orderStatus === 'funds_disbursed'
  const { overflow, accruals, outstandingAfter } = trial
  const record = recordOf(tx, repaymentNo, standing, outcome, { sources, remark, actor, settles })
  const keys = { orderNo: order.orderNo, repaymentNo, customerNo: order.customerNo, merchantNo: order.merchantNo }

  await create(tx, 'repaymentRecord', record, { event, payload: { amount: trial.amount, overflow } }, actor)
  await spend(tx, standing, sources, actor, repaymentNo)
  await rebook(tx, keys, standing.ticks, accruals, actor)
  await applyToBills(tx, standing, outcome, repaymentNo, actor)
  const bills =
    asked.repayType === 'extension' ? await payExtension(tx, standing, outcome, repaymentNo, actor) : trial.after
  recordLines(tx, repaymentNo, trial)
  const used = { orderNo: order.orderNo, repaymentNo, usedAmount: outcome.couponAmount }
  if (asked.coupon) await useDiscount(tx, asked.coupon, used, actor)
  if (!isZero(overflow)) await creditOverflow(tx, { ...keys, amount: overflow }, actor)
  for (const journal of journalsOf(order.orderNo, order.customerNo, sources, outcome))
    await post(tx, { ...journal, cause: `repay_record:${repaymentNo}`, valueDate: asked.valueDate, keys }, actor)

  await Promise.all([
    returnCredit(tx, order, principalOf(trial)),
    tx.exec(sql`update loan_order set version = version + 1 where order_no = ${order.orderNo}`),
  ])
  const counted = { ...order, version: order.version + 1 }
  const written =
    asked.repayType === 'extension'
      ? await transition(tx, 'order', counted, { event: 'extend', payload: { repaymentNo } }, actor)
      : counted
  const ended = { statusTime: tx.now, settledTime: tx.now, overdue: false, overdueDays: 0 }
  const after = settles
    ? await transition(tx, 'order', written, { event: 'settle', set: ended, payload: { repaymentNo } }, actor)
    : order.orderStatus === 'funds_disbursed'
      ? await refreshOverdue(tx, written, bills, actor)
      : written
  if (settles) await releaseCoupon(tx, { orderNo: order.orderNo }, actor)
  if (settles || isPositive(trial.amount))
    await happened(tx, {
      ...{ ...order, event: settles ? 'repay.settled' : 'repay.received' },
      ...{ objectType: 'repay_record', objectNo: repaymentNo },
      values: { amountPaid: amountInText(trial.amount) },
    })
  return {
    repaymentNo,
    amount: trial.amount,
    outstanding: outstandingAfter,
    orderStatus: after.orderStatus,
    orderVersion: after.version,
  }
}
