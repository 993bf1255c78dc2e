import type { LegalCap } from './legal-cap.ts'
import { openBill } from './loan/bill.ts'
import { totalOf } from './loan/components.ts'
import { accrue } from './loan/penalty.ts'
import { quote } from './loan/price.ts'
import { schedule } from './loan/schedule.ts'
import type { Terms } from './loan/terms.ts'
import { add, Decimal, gt, isWhole, lt, type Money, max, min, mul, round, sum } from './money.ts'
import { type LoanCost, loanCost } from './product/product-terms.ts'
import { moneyFormat, rateFormat } from './text/formats.ts'
import { addDays, type EatDate } from './time.ts'

/** What customers of one risk level are offered: amounts in whole shillings, rates in percent with at most four decimals. */
export type PriceCell = {
  modelLevel: string
  amountMin: Money
  amountMax: Money
  /** What a customer may owe before any loan was settled… */
  initialLimit: Money
  /** …how much more after each so many settled loans… */
  stepUpAmount: Money
  stepUpAfterSettled: number
  /** …and at most. */
  maxLimit: Money
  interestRateDay: string
  serviceFeeValue: string
  managementFeeValue: string
}

/** Levels that a grid prices; on the last level nobody is lent to. */
export const pricedLevels = ['A', 'B', 'C', 'D'] as const

const divides = (step: Money, whole: Money): boolean => new Decimal(whole).mod(step).isZero()

/** The terms of a product at the price of a cell. */
export const pricedTerms = (terms: Terms, cell: PriceCell): Terms => ({
  ...terms,
  minAmount: max(terms.minAmount, cell.amountMin),
  maxAmount: min(terms.maxAmount, cell.amountMax),
  interest: { ...terms.interest, ratePerDay: cell.interestRateDay },
  serviceFee: { ...terms.serviceFee, value: cell.serviceFeeValue },
  managementFee: { ...terms.managementFee, value: cell.managementFeeValue },
})

/** What a customer of the level may owe after a number of settled loans. */
export const limitAfter = (cell: PriceCell, settledLoans: number): Money => {
  const steps = cell.stepUpAfterSettled > 0 ? Math.floor(settledLoans / cell.stepUpAfterSettled) : 0
  return min(cell.maxLimit, add(cell.initialLimit, mul(cell.stepUpAmount, String(steps))))
}

/** The amount offered for one that is asked for, on the product's step; null where it is below what the level lends. */
export const offeredAmount = (
  terms: Pick<Terms, 'minAmount' | 'maxAmount' | 'amountStep'>,
  cell: PriceCell,
  asked: Money,
  settledLoans: number,
): Money | null => {
  const most = min(asked, terms.maxAmount, cell.amountMax, limitAfter(cell, settledLoans))
  const amount = round(new Decimal(most).div(terms.amountStep).floor().times(terms.amountStep))
  return lt(amount, max(terms.minAmount, cell.amountMin)) ? null : amount
}

/** Why cells cannot be right, whatever the product: a key of words, or null. */
export const cellsFlaw = (cells: readonly PriceCell[]): string | null => {
  const levels = cells.map(cell => cell.modelLevel)
  if (new Set(levels).size !== levels.length) return 'validation.levelTwice'
  if (pricedLevels.some(level => !levels.includes(level))) return 'validation.levelMissing'
  for (const cell of cells) {
    const amounts = [cell.amountMin, cell.amountMax, cell.initialLimit, cell.stepUpAmount, cell.maxLimit]
    if (!rateFormat.test(cell.interestRateDay)) return 'validation.rateFormat'
    if (!amounts.every(isWhole) || !gt(cell.amountMin, '0.00')) return 'validation.wholeShillings'
    const isOver = [cell.amountMin, cell.initialLimit, cell.amountMax].some(amount => gt(amount, cell.maxLimit))
    if (isOver || gt(cell.amountMin, cell.amountMax)) return 'validation.limitExceeded'
  }
  return null
}

/** Why a cell is outside of what its product allows, or null. */
export const outsideProduct = (
  terms: Terms,
  cell: PriceCell,
): 'errors.priceAmountOutside' | 'errors.priceAboveProduct' | null => {
  const amounts = [cell.amountMin, cell.amountMax]
  const inRange = amounts.every(amount => !lt(amount, terms.minAmount) && !gt(amount, terms.maxAmount))
  if (!inRange || !amounts.every(amount => divides(terms.amountStep, amount))) return 'errors.priceAmountOutside'
  const over = (value: string, most: string) => new Decimal(value).gt(most)
  const isPrice = (value: string, { basis }: { basis: 'rate' | 'amount' }) =>
    (basis === 'rate' ? rateFormat : moneyFormat).test(value)
  if (!isPrice(cell.serviceFeeValue, terms.serviceFee) || !isPrice(cell.managementFeeValue, terms.managementFee))
    return 'errors.priceAboveProduct'
  return over(cell.interestRateDay, terms.interest.ratePerDay) ||
    over(cell.serviceFeeValue, terms.serviceFee.value) ||
    over(cell.managementFeeValue, terms.managementFee.value)
    ? 'errors.priceAboveProduct'
    : null
}

/** Whether a price of one is above that of the other. */
export const isDearer = (cell: PriceCell, before: PriceCell): boolean =>
  (['interestRateDay', 'serviceFeeValue', 'managementFeeValue'] as const).some(name =>
    new Decimal(cell[name]).gt(before[name]),
  )

/** What a cell costs the customer, and what the caps in force on a day say of it. */
export type CellCost = LoanCost

/**
 * The highest figures of a cell over the amounts it lends.
 * @throws RangeError when fees leave nothing to pay out
 */
export const cellCost = (terms: Terms, cell: PriceCell, caps: readonly LegalCap[], on: EatDate): CellCost =>
  loanCost(pricedTerms(terms, cell), [cell.amountMin, cell.amountMax], caps, on)

/** What a loan amount earns at the price of a cell. */
export const cellIncome = (terms: Terms, cell: PriceCell | null, amount: Money) => {
  const { upfront, spread, interestTotal, actualLoanAmount, repayTotal } = quote(
    cell ? pricedTerms(terms, cell) : terms,
    { loanAmount: amount },
  )
  return {
    interest: interestTotal,
    serviceFee: add(upfront.serviceFee, spread.serviceFee),
    managementFee: add(upfront.managementFee, spread.managementFee),
    received: actualLoanAmount,
    repaid: repayTotal,
  }
}

/** What a loan at the price of a cell costs in all when every bill is paid so many days late. */
export const paidLate = (terms: Terms, cell: PriceCell, amount: Money, days: number): Money => {
  const priced = pricedTerms(terms, cell)
  return sum(
    schedule(priced, amount, '2000-01-01').map(installment => {
      const bill = openBill('B', installment)
      return totalOf(accrue(bill, priced, addDays(bill.dueDate, 1), addDays(bill.dueDate, days)).bill.due)
    }),
  )
}
