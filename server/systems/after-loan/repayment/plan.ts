import { sql } from 'kysely'
import { type Bill, type BillStatus, overdueDays } from '../../../../core/rules/loan/bill.ts'
import { type Amounts, type Component, components } from '../../../../core/rules/loan/components.ts'
import { schedule } from '../../../../core/rules/loan/schedule.ts'
import type { Terms } from '../../../../core/rules/loan/terms.ts'
import { type Money, neg } from '../../../../core/rules/money.ts'
import type { EatDate } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { account, post } from '../../../money/ledger.ts'
import { newNo } from '../../../money/numbers.ts'
import type { Actor } from '../../../rights/actor.ts'
import { create, transition } from '../../../states/transition.ts'
import { byRule, type DueRule } from '../../merchant/maturity/index.ts'

type Part = 'Due' | 'Paid' | 'Waived'

/** A bill as it is stored: one column per component and part. */
export type PlanRow = {
  billNo: string
  orderNo: string
  installmentNo: number
  dueDate: EatDate
  billStatus: BillStatus
  settledTime: string | null
  settledDate: EatDate | null
  extended: boolean
  extensionCount: number
  version: number
} & Record<`${Component}${Part}`, Money>

const partOf = (row: PlanRow, part: Part): Amounts =>
  Object.fromEntries(components.map(component => [component, row[`${component}${part}`]])) as Amounts

export const billOf = (row: PlanRow): Bill => ({
  billNo: row.billNo,
  installmentNo: row.installmentNo,
  dueDate: row.dueDate,
  status: row.billStatus,
  due: partOf(row, 'Due'),
  paid: partOf(row, 'Paid'),
  waived: partOf(row, 'Waived'),
  extensionCount: row.extensionCount,
})

const columnsOf = (amounts: Amounts, part: Part) =>
  Object.fromEntries(components.map(component => [`${component}${part}`, amounts[component]]))

/** All amounts of a bill under their column names. */
export const amountColumns = (bill: Bill): Record<string, Money> => ({
  ...columnsOf(bill.due, 'Due'),
  ...columnsOf(bill.paid, 'Paid'),
  ...columnsOf(bill.waived, 'Waived'),
})

/** What fee, interest, principal and penalty of an order are owed on. */
export const receivable = (orderNo: string, component: Component): string => {
  if (component === 'principal') return account.principal(orderNo)
  if (component === 'interest') return account.interest(orderNo)
  if (component === 'lateFee' || component === 'liquidatedDamages') return account.penalty(orderNo)
  return account.fee(orderNo)
}

/** Where interest and fees wait until they are earned, and the income they become. */
export const deferred = (orderNo: string, component: Component): { account: string; income: string } =>
  component === 'interest'
    ? { account: account.deferredInterest(orderNo), income: account.interestIncome }
    : { account: account.deferredFee(orderNo), income: account.feeIncome }

const planned = ['interest', 'serviceFee', 'managementFee'] as const

type PlannedOrder = {
  orderNo: string
  merchantNo: string
  customerNo: string
  terms: Terms
  loanAmount: Money
}

/** The bills of an order that was just paid out, and what they promise in the ledger (P2a). */
export const createPlans = async (
  tx: Tx,
  order: PlannedOrder,
  { payoutDate, rule }: { payoutDate: EatDate; rule: DueRule },
  actor: Actor,
): Promise<string[]> => {
  const { orderNo, merchantNo, customerNo } = order
  const bills = schedule(order.terms, order.loanAmount, payoutDate, byRule(rule)).map(installment => ({
    billNo: newNo('BI', tx.now),
    ...installment,
  }))
  for (const { billNo, installmentNo, dueDate, principal, interest, serviceFee, managementFee } of bills) {
    const amounts = {
      principalDue: principal,
      interestDue: interest,
      serviceFeeDue: serviceFee,
      managementFeeDue: managementFee,
    }
    await create(tx, 'plan', { billNo, orderNo, installmentNo, dueDate, ...amounts }, { event: 'plan.create' }, actor)
  }
  const lines = bills.flatMap(bill =>
    planned.flatMap(component => {
      const of = { billNo: bill.billNo, component }
      return [
        { account: receivable(orderNo, component), amount: bill[component], ...of },
        { account: deferred(orderNo, component).account, amount: neg(bill[component]), ...of },
      ]
    }),
  )
  const keys = { orderNo, merchantNo, customerNo }
  await post(tx, { code: 'P2a', cause: `loan_order:${orderNo}`, valueDate: payoutDate, keys, lines }, actor)
  return bills.map(bill => bill.billNo)
}

type Overdue = { orderNo: string; orderStatus: string; overdue: boolean; overdueDays: number; version: number }

/** Brings the overdue flag and days of a disbursed order up to its bills; a changed flag is an event of the order. */
export const refreshOverdue = async <O extends Overdue>(
  tx: Tx,
  order: O,
  bills: readonly Bill[],
  actor: Actor,
): Promise<O> => {
  const days = Math.max(0, ...bills.map(bill => overdueDays(bill, tx.today)))
  const set = { overdue: days > 0, overdueDays: days }
  if (set.overdue !== order.overdue) return transition(tx, 'order', order, { event: 'overdue.tick', set }, actor)
  if (days !== order.overdueDays)
    await tx.exec(sql`update loan_order set overdue_days = ${days} where order_no = ${order.orderNo}`)
  return { ...order, ...set }
}
