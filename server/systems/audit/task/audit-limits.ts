import { sql } from 'kysely'
import type { Key } from '../../../../core/i18n/index.ts'
import { amountRefusal } from '../../../../core/rules/loan/terms.ts'
import { Decimal, formatMoney, gt, lt, type Money } from '../../../../core/rules/money.ts'
import type { Tx } from '../../../db/database.ts'
import { invalid } from '../../../http/fault.ts'
import { couponRaise, isCreditOver, type Order, usableLimit } from '../../order/order/index.ts'

/** How much may be approved: by the product, by the customer's credit, by the auditor. */
export type Limits = {
  productMin: Money
  productMax: Money
  amountStep: Money
  creditRemaining: Money
  /** How much of that the coupon of the order adds. */
  couponIncrease: Money
  approvalCap: Money
  /** The greatest amount that may be approved: the smallest limit, down to a step. */
  max: Money
  smallest: 'product' | 'credit' | 'expired' | 'cap'
  requested: Money
  suggested: Money | null
}

const exceeded = {
  product: 'errors.limitExceededProduct',
  credit: 'errors.limitExceededCredit',
  expired: 'errors.creditExpired',
  cap: 'errors.limitExceededCap',
} as const satisfies Record<Limits['smallest'], Key>

const downToStep = (amount: Money, step: Money): Money => new Decimal(amount).div(step).floor().times(step).toFixed(2)

/** The limits of an order for a person. Who decides keeps the customer locked, because the credit may go to another order. */
export const limitsOf = async (tx: Tx, order: Order, userNo: string, { lock = false } = {}): Promise<Limits> => {
  // Locked before it is read: what waited for the lock sees what the one before took.
  if (lock) await tx.one(sql`select 1 from customer where customer_no = ${order.customerNo} for update`)
  const { remainingLimit, couponIncrease, isOver } = await tx.one(
    sql<{
      remainingLimit: Money
      couponIncrease: Money
      isOver: boolean
    }>`select ${usableLimit(tx.today, order.merchantNo, order.orderNo)} as remaining_limit, ${couponRaise(order.orderNo)} as coupon_increase, ${isCreditOver(tx.today)} as is_over from customer c where c.customer_no = ${order.customerNo}`,
  )
  const person = await tx.maybe(
    sql<{ approvalCap: Money }>`select approval_cap from audit_person where user_no = ${userNo}`,
  )
  const { minAmount, maxAmount, amountStep } = order.terms
  const all = { product: maxAmount, credit: remainingLimit, cap: person?.approvalCap ?? '0.00' }
  const smallest = (['product', 'credit', 'cap'] as const).reduce((least, name) =>
    lt(all[name], all[least]) ? name : least,
  )
  return {
    productMin: minAmount,
    productMax: maxAmount,
    amountStep,
    creditRemaining: all.credit,
    couponIncrease,
    approvalCap: all.cap,
    max: downToStep(all[smallest], amountStep),
    smallest: smallest === 'credit' && isOver ? 'expired' : smallest,
    requested: order.requestedAmount,
    suggested: order.suggestedAmount,
  }
}

/** Refuses an amount that the product does not lend or that is above a limit, naming the smallest. */
export const checkAmount = (order: Order, limits: Limits, amount: Money): void => {
  if (gt(amount, limits.max))
    throw invalid('approvalAmount', exceeded[limits.smallest], { max: formatMoney(limits.max) })
  const refusal = amountRefusal(order.terms, amount)
  if (refusal) throw invalid('approvalAmount', refusal.words, { step: refusal.step })
}
