import { type RawBuilder, sql } from 'kysely'
import { repay } from '../../../../core/contract/after-loan/repayment.ts'
import { type Bill, daysPastDue } from '../../../../core/rules/loan/bill.ts'
import { type Amounts, type Component, isNothing, type Line } from '../../../../core/rules/loan/components.ts'
import { type Rewound, reaccrue, rewind } from '../../../../core/rules/loan/penalty.ts'
import { type Accrual, limitOf } from '../../../../core/rules/loan/trial.ts'
import { isPositive, type Money, neg, sub, sum } from '../../../../core/rules/money.ts'
import type { EatDate } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { notFound } from '../../../http/fault.ts'
import { reverse } from '../../../money/ledger.ts'
import type { Actor } from '../../../rights/actor.ts'
import { transition } from '../../../states/transition.ts'
import { hearUndone } from '../../operation/activity/index.ts'
import { restoreDiscount } from '../../operation/coupon/index.ts'
import { returnCredit } from '../../order/order/index.ts'
import { giveBack, readFlows } from '../flow/flow-store.ts'
import { extensionOfRecord, penaltiesToDrop, undoExtension } from './extension/store.ts'
import { lockOverpayment, undoOverflow } from './overflow.ts'
import { rebook, standingTicks, ticksAfter } from './penalty.ts'
import { amountColumns, billOf, type PlanRow, refreshOverdue } from './plan.ts'
import { recordBlocks } from './repay-blocks.ts'
import { type Standing, standingOf } from './trial.ts'

export type RepayRecord = {
  repaymentNo: string
  orderNo: string
  repayType: string
  recordStatus: string
  recordSeq: number
  amount: Money
  overflowAmount: Money
  reductionAmount: Money
  couponNo: string | null
  couponAmount: Money
  valueDate: EatDate
  repaymentTime: string
  settledOrder: boolean
  source: 'flows' | 'overflow' | 'none'
  version: number
}

const columns = sql`repayment_no, order_no, repay_type, record_status, record_seq, amount, overflow_amount, reduction_amount, coupon_no, coupon_amount, value_date, repayment_time, settled_order, trial ->> 'source' as source, version`

const lockRecord = (tx: Tx, repaymentNo: string) =>
  tx.one(sql<RepayRecord>`select ${columns} from repay_record where repayment_no = ${repaymentNo} for update`)

const linesOf = async (tx: Tx, repaymentNo: string) => {
  const rows = await tx.rows(sql<{ billNo: string; component: Component; applied: Money; waived: Money }>`
    select bill_no, component, applied, waived from repay_record_line where repayment_no = ${repaymentNo}`)
  const as = (part: 'applied' | 'waived'): Line[] =>
    rows
      .filter(row => isPositive(row[part]))
      .map(({ billNo, component, ...row }) => ({ billNo, component, amount: row[part] }))
  return { applied: as('applied'), waived: as('waived') }
}

/** The receipts of a record, with what was written off of each. */
export const flowsOfRecord = (tx: Tx, repaymentNo: string) =>
  tx.rows(
    sql<{
      flowNo: string
      writeOffAmount: Money
    }>`select flow_no, write_off_amount from repay_record_flow where repayment_no = ${repaymentNo}`,
  )

/** A record with everything that its rollback touches, locked; refused when it may not be rolled back now. */
export const lockForRollback = async (
  tx: Tx,
  repaymentNo: string,
  where?: RawBuilder<unknown>,
): Promise<{ standing: Standing; record: RepayRecord }> => {
  const found = await tx.maybe(
    sql<{ orderNo: string }>`select order_no from repay_record where repayment_no = ${repaymentNo}`,
  )
  if (!found) throw notFound()
  const between = async () =>
    readFlows(
      tx,
      (await flowsOfRecord(tx, repaymentNo)).map(({ flowNo }) => flowNo),
      { lock: true },
    )
  const standing = await standingOf(tx, found.orderNo, { where, lock: true, between })
  const record = await lockRecord(tx, repaymentNo)
  await lockOverpayment(tx, standing.order.customerNo)
  await recordBlocks.check({ tx, session: null }, repay.rollback, repaymentNo)
  return { standing, record }
}

/** A bill without the lines of a record: what is not paid any more is open again. */
const without = (bill: Bill, lines: { applied: readonly Line[]; waived: readonly Line[] }): Bill => {
  const back = (part: 'paid' | 'waived', own: readonly Line[]): Amounts => {
    const amounts = { ...bill[part] }
    for (const { component, amount } of own) amounts[component] = sub(amounts[component], amount)
    return amounts
  }
  const of = (some: readonly Line[]) => some.filter(line => line.billNo === bill.billNo)
  const paid = back('paid', of(lines.applied))
  return { ...bill, paid, waived: back('waived', of(lines.waived)), status: isNothing(paid) ? 'pending' : 'partial' }
}

type Extended = Awaited<ReturnType<typeof extensionOfRecord>>
type Restored = { plan: PlanRow; bill: Bill; accrual: Accrual | null }

const restored = (
  tx: Tx,
  standing: Standing,
  record: RepayRecord,
  lines: { applied: Line[]; waived: Line[] },
  { ticks, extension }: { ticks: ReturnType<typeof standingTicks>; extension: Extended | undefined },
): Restored[] => {
  const touched = new Set([...lines.applied, ...lines.waived].map(line => line.billNo))
  if (extension) touched.add(extension.billNo)
  const { order, lateRoom } = standing
  // A successor goes with its penalties: the law counts them no more.
  const plans = standing.plans.filter(plan => plan.billNo !== extension?.successorNo)
  const open = plans.filter(plan => touched.has(plan.billNo))
  const backs = new Map(
    open.map(plan => {
      const back = rewind(without(billOf(plan), lines), ticks[plan.billNo] ?? [], record.valueDate)
      return [plan.billNo, back] as const
    }),
  )
  const bills = plans.map(plan => backs.get(plan.billNo)?.bill ?? billOf(plan))
  return open.map(plan => {
    const back = backs.get(plan.billNo) as Rewound
    const limit = limitOf({ lateRoom }, bills, back.bill)
    const again = reaccrue(back.bill, order.terms, record.valueDate, tx.today, { kept: back.kept, limit })
    bills[plans.indexOf(plan)] = again.bill
    const same = JSON.stringify(again.ticks) === JSON.stringify([...back.reversed].reverse())
    return {
      plan,
      bill: again.bill,
      accrual: same ? null : { billNo: plan.billNo, reversed: back.reversed, ticks: again.ticks },
    }
  })
}

const reverseJournals = async (tx: Tx, record: RepayRecord, actor: Actor) => {
  const cause = `repay_record:${record.repaymentNo}`
  const journals = await tx.rows(sql<{ journalNo: number }>`
    select journal_no from journal where order_no = ${record.orderNo} and cause = ${cause} and posting_code <> 'P-REV' order by journal_no desc`)
  for (const { journalNo } of journals) await reverse(tx, journalNo, cause, actor)
}

/** Opens bills again as they would be without the record; one that it had put off takes the place of its successor. */
const reopen = async (
  tx: Tx,
  standing: Standing,
  bills: readonly Restored[],
  { repaymentNo, extension }: { repaymentNo: string; extension: Extended | undefined },
  actor: Actor,
) => {
  for (const { plan, bill } of bills) {
    const putOff = plan.billNo === extension?.billNo
    const set = { ...amountColumns(bill), settledTime: null, settledDate: null, ...(putOff ? { extended: false } : {}) }
    const event = putOff ? 'plan.unextend' : 'plan.restore'
    const as = bill.status === 'pending' ? 'all' : 'part'
    await transition(tx, 'plan', plan, { event, as, set, payload: { repaymentNo } }, actor)
  }
  if (extension) await undoExtension(tx, standing, extension, actor)
}

/** An order that the record had settled goes on; one that was not is as late as its bills are now. */
const unsettle = async (
  tx: Tx,
  order: Standing['order'],
  { settledOrder, repaymentNo }: RepayRecord,
  { open, after }: { open: readonly Bill[]; after: readonly Bill[] },
  actor: Actor,
) => {
  if (settledOrder) {
    const days = Math.max(0, ...open.map(bill => daysPastDue(bill, tx.today)))
    const set = { settledTime: null, statusTime: tx.now, overdue: days > 0, overdueDays: days }
    await transition(tx, 'order', order, { event: 'rollback.settle', set, payload: { repaymentNo } }, actor)
  } else if (order.orderStatus === 'funds_disbursed') await refreshOverdue(tx, order, after, actor)
}

export type RollbackEvent = 'rollback.full' | 'rollback.extensionToSettle' | 'rollback.partialToExtension'

/** Undoes the newest record of an order: its money is available again, its bills are owed again with the penalties they would have had. */
export const rollBack = async (
  tx: Tx,
  repaymentNo: string,
  o: { maker: Actor; checker: Actor; event?: RollbackEvent },
): Promise<RepayRecord> => {
  const { standing, record } = await lockForRollback(tx, repaymentNo)
  const { order, plans } = standing
  const actor = o.checker
  const [lines, used] = [await linesOf(tx, repaymentNo), await flowsOfRecord(tx, repaymentNo)]
  const flows = await readFlows(
    tx,
    used.map(({ flowNo }) => flowNo),
  )
  const stored = await ticksAfter(
    tx,
    plans.map(plan => plan.billNo),
    record.valueDate,
  )
  const extension = await extensionOfRecord(tx, repaymentNo)
  const bills = restored(tx, standing, record, lines, { ticks: standingTicks(stored), extension })

  await reverseJournals(tx, record, actor)
  for (const flow of flows) {
    const amount = used.find(({ flowNo }) => flowNo === flow.flowNo)?.writeOffAmount ?? '0.00'
    await giveBack(tx, flow, { amount, repaymentNo }, actor)
  }
  const keys = { orderNo: order.orderNo, merchantNo: order.merchantNo, customerNo: order.customerNo }
  await rebook(
    tx,
    keys,
    stored,
    [
      ...(extension ? [penaltiesToDrop(extension.successorNo, stored)] : []),
      ...bills.flatMap(({ accrual }) => (accrual ? [accrual] : [])),
    ],
    actor,
  )
  await restoreDiscount(tx, record, actor)
  await reopen(tx, standing, bills, { repaymentNo, extension }, actor)
  const ended = { rolledBackTime: tx.now, rolledBackBy: o.maker.no }
  await transition(tx, 'repaymentRecord', record, { event: o.event ?? 'rollback.full', set: ended }, actor)
  await undoOverflow(
    tx,
    order.customerNo,
    record.source === 'overflow' ? neg(record.amount) : record.overflowAmount,
    repaymentNo,
    actor,
  )
  const principal = [...lines.applied, ...lines.waived].filter(line => line.component === 'principal')
  await returnCredit(tx, order, neg(sum(principal.map(line => line.amount))))

  const after = plans
    .filter(plan => plan.billNo !== extension?.successorNo)
    .map(plan => bills.find(one => one.plan.billNo === plan.billNo)?.bill ?? billOf(plan))
  await unsettle(tx, order, record, { open: bills.map(({ bill }) => bill), after }, actor)
  if (record.settledOrder) await hearUndone(tx, { ...order, cause: repaymentNo })
  return record
}

/** What the person who agrees is shown. */
export const rollbackSummary = (
  record: RepayRecord,
  { rollbackAs, reason }: { rollbackAs: string; reason: string },
) => [
  {
    label: 'fields.recordStatus',
    before: 'dict.REPAY_RECORD_STATUS.posted',
    after: 'dict.REPAY_RECORD_STATUS.rolled_back',
  },
  { label: 'fields.amount', before: null, after: record.amount },
  { label: 'fields.reductionAmount', before: null, after: record.reductionAmount },
  { label: 'fields.couponAmount', before: null, after: record.couponAmount },
  { label: 'fields.overflowAmount', before: null, after: record.overflowAmount },
  { label: 'fields.valueDate', before: null, after: record.valueDate },
  { label: 'fields.rollbackAs', before: null, after: `dict.ROLLBACK_KIND.${rollbackAs}` },
  { label: 'fields.reason', before: null, after: reason },
]
