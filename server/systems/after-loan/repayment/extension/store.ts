import { sql } from 'kysely'
import type { ExtensionRow } from '../../../../../core/contract/after-loan/repayment-rows.ts'
import type { Bill } from '../../../../../core/rules/loan/bill.ts'
import type { Extension } from '../../../../../core/rules/loan/trial.ts'
import { type Money, zeroMoney } from '../../../../../core/rules/money.ts'
import type { EatDate } from '../../../../../core/rules/time.ts'
import type { Tx } from '../../../../db/database.ts'
import { newNo } from '../../../../money/numbers.ts'
import type { Actor } from '../../../../rights/actor.ts'
import { create, transition } from '../../../../states/transition.ts'
import type { StoredTick } from '../penalty.ts'
import { amountColumns } from '../plan.ts'
import type { Outcome, Standing } from '../trial.ts'

export type StoredExtension = {
  billExtensionNo: string
  extensionStatus: string
  orderNo: string
  billNo: string
  successorNo: string | null
  businessDate: EatDate
  amount: Money
  version: number
}

/** Extensions of an order as people see them, the newest first. */
export const extensionsOfOrder = (tx: Tx, orderNo: string): Promise<Omit<ExtensionRow, 'blockedBy'>[]> =>
  tx.rows(sql<Omit<ExtensionRow, 'blockedBy'>>`
    select x.*, p.installment_no from extension x join repay_plan p on p.bill_no = x.bill_no
    where x.order_no = ${orderNo} order by x.created_time desc, x.bill_extension_no`)

/** The quote of an order that is open, locked. The order is locked before. */
const openQuote = (tx: Tx, orderNo: string) =>
  tx.maybe(sql<StoredExtension>`
    select * from extension where order_no = ${orderNo} and extension_status = 'quoted' for update`)

const termsOf = ({ order }: Standing, { fee, amount, dueDate, newDueDate, billNo, successor }: Extension) => ({
  billNo,
  extensionFee: fee,
  amount,
  dueDate,
  newDueDate,
  extensionCount: successor.extensionCount ?? 1,
  extensionsAllowed: order.terms.extension.max,
})

/** Writes down what an extension costs today. One of an earlier day that the day-end has not ended yet gives way. */
export const quote = async (tx: Tx, standing: Standing, offer: Extension, actor: Actor): Promise<StoredExtension> => {
  const earlier = await openQuote(tx, standing.order.orderNo)
  if (earlier) await transition(tx, 'extension', earlier, { event: 'clock.eod' }, actor)
  const row = {
    billExtensionNo: newNo('EX', tx.now),
    orderNo: standing.order.orderNo,
    businessDate: tx.today,
    ...termsOf(standing, offer),
    createdBy: actor.no,
    createdName: actor.name,
    createdTime: tx.now,
  }
  await create(tx, 'extension', row, { event: 'extension.apply' }, actor)
  await tx.flush()
  return { ...row, extensionStatus: 'quoted', successorNo: null, version: 0 }
}

/**
 * Puts the oldest bill off, paid for by a record that is written already: today's quote, or one that is made now, comes into force.
 * @returns the bills of the order as they are then
 */
export const payExtension = async (
  tx: Tx,
  standing: Standing,
  { trial }: Outcome,
  repaymentNo: string,
  actor: Actor,
): Promise<Bill[]> => {
  const { order, plans, bills } = standing
  const { extension } = trial
  const index = bills.findIndex(bill => bill.billNo === extension?.billNo)
  const [plan, after] = [plans[index], trial.after[index]]
  if (!extension || !plan || !after) throw new Error(`${order.orderNo}: nothing is put off`)
  const open = await openQuote(tx, order.orderNo)
  const held = open?.businessDate === tx.today ? open : await quote(tx, standing, extension, actor)
  const successor = { ...extension.successor, billNo: newNo('BI', tx.now) }
  const { installmentNo, dueDate, extensionCount } = successor
  const none = { interestDue: zeroMoney, serviceFeeDue: zeroMoney, managementFeeDue: zeroMoney }
  const columns = { ...none, principalDue: successor.due.principal }
  await transition(
    tx,
    'plan',
    plan,
    { event: 'plan.extend', set: { ...amountColumns(after), extended: true }, payload: { repaymentNo } },
    actor,
  )
  const { orderNo } = order
  const row = { billNo: successor.billNo, orderNo, installmentNo, dueDate, extensionCount, ...columns }
  await create(tx, 'plan', row, { event: 'plan.create' }, actor)
  await tx.flush()
  const set = {
    ...termsOf(standing, extension),
    successorNo: successor.billNo,
    repaymentNo,
  }
  await transition(tx, 'extension', held, { event: 'extension.pay', set }, actor)
  return [...trial.after, successor]
}

/** What a record put off, locked; nothing where it put nothing off. */
export const extensionOfRecord = (tx: Tx, repaymentNo: string) =>
  tx.maybe(sql<StoredExtension & { successorNo: string }>`
    select * from extension where repayment_no = ${repaymentNo} and extension_status = 'effective' for update`)

/** The penalties of a successor that stand: all of them go when it goes. */
export const penaltiesToDrop = (successorNo: string, stored: readonly StoredTick[]) => ({
  billNo: successorNo,
  reversed: stored.filter(tick => tick.billNo === successorNo && !tick.reversed),
  ticks: [],
})

/** Takes an extension back: its successor is gone, without the penalties that it was charged. */
export const undoExtension = async (
  tx: Tx,
  { plans }: Standing,
  extension: StoredExtension & { successorNo: string },
  actor: Actor,
): Promise<void> => {
  const successor = plans.find(plan => plan.billNo === extension.successorNo)
  if (!successor) throw new Error(`${extension.billExtensionNo}: its successor is no bill of the order`)
  const set = { lateFeeDue: zeroMoney, liquidatedDamagesDue: zeroMoney }
  await transition(tx, 'plan', successor, { event: 'plan.cancel', set }, actor)
  await transition(tx, 'extension', extension, { event: 'extension.rollback' }, actor)
}

/** Ends quotes whose day is over. */
export const expireQuotes = async (tx: Tx, date: EatDate, actor: Actor): Promise<number> => {
  const rows = await tx.rows(sql<StoredExtension>`
    select * from extension where extension_status = 'quoted' and business_date < ${date} order by bill_extension_no for update skip locked`)
  for (const row of rows) await transition(tx, 'extension', row, { event: 'clock.eod' }, actor)
  return rows.length
}
