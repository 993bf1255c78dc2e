import type { LateRoom } from './loan/penalty.ts'
import { quote } from './loan/price.ts'
import { schedule } from './loan/schedule.ts'
import type { Terms } from './loan/terms.ts'
import { Decimal, type Exact, type Money, max, min, percent, round, sub, sum } from './money.ts'
import type { EatDate } from './time.ts'

/** A ceiling of the law on one figure, as dated. Values in percent with at most four decimals. */
export type LegalCap = {
  capKey: 'interest_month' | 'interest_year' | 'default_charges'
  capValue: string
  /** What interest is a share of: the principal owed, or what was paid out. */
  capBase: 'principal' | 'advanced'
  /** Not asked, shown, or refused. */
  capMode: 'off' | 'warn' | 'enforce'
  /** The first day, and the last one if the cap has ended. */
  effectiveFrom: EatDate
  effectiveTo?: EatDate | null
  /** Whether the interest caps look at the rate alone or at everything the customer pays. */
  feeTreatment: 'interestOnly' | 'allIn'
}

/** What a loan costs in percent, four decimals, rounded up so that rounding never hides an excess. */
export type CostFigures = {
  interestMonthRate: string
  interestYearRate: string
  allInMonthRate: string
  /** The most that lateness can cost, as a share of the principal. */
  lateMaxRate: string
}

const shown = (value: Exact): string => value.toDecimalPlaces(4, Decimal.ROUND_CEIL).toFixed(4)

/** Late-fee cap and damages of a bill that is never paid. */
const lateMax = (terms: Terms, due: Money): Money => {
  const { basis, value } = terms.liquidatedDamages
  const damages = basis === 'rate' ? percent(due, value, terms.rounding) : round(value, terms.rounding)
  return sum([percent(due, terms.lateFee.capRate, terms.rounding), damages])
}

/**
 * The figures of a loan amount at a product's terms when the customer pays on time.
 * @param capBase what the two interest rates are a share of
 */
export const costFigures = (
  terms: Terms,
  loanAmount: Money,
  capBase: LegalCap['capBase'] = 'advanced',
): CostFigures => {
  const { actualLoanAmount, repayTotal } = quote(terms, { loanAmount })
  const base = capBase === 'advanced' ? actualLoanAmount : loanAmount
  const perDay = new Decimal(terms.interest.ratePerDay).times(loanAmount).div(base)
  const cost = new Decimal(sub(repayTotal, actualLoanAmount)).div(actualLoanAmount)
  const bills = schedule(terms, loanAmount, '2000-01-01')
  const late = sum(
    bills.map(bill => lateMax(terms, sum([bill.principal, bill.interest, bill.serviceFee, bill.managementFee]))),
  )
  return {
    interestMonthRate: shown(perDay.times(30)),
    interestYearRate: shown(perDay.times(365)),
    allInMonthRate: shown(cost.div(terms.termDays).times(3000)),
    lateMaxRate: shown(new Decimal(late).div(loanAmount).times(100)),
  }
}

/** One cap in force, the figure it looks at, and what follows. */
export type CapVerdict = { cap: LegalCap; figure: string; exceeded: boolean; verdict: 'ok' | 'warn' | 'over' }

/** Caps that hold on a day; a cap that is off is not asked. */
export const capsInForce = (caps: readonly LegalCap[], on: EatDate): LegalCap[] =>
  caps.filter(
    ({ capMode, effectiveFrom, effectiveTo }) =>
      capMode !== 'off' && effectiveFrom <= on && (effectiveTo == null || on <= effectiveTo),
  )

const figureOf = (terms: Terms, loanAmount: Money, { capKey, capBase, feeTreatment }: LegalCap): string => {
  const figures = costFigures(terms, loanAmount, capBase)
  if (capKey === 'default_charges') return figures.lateMaxRate
  if (feeTreatment === 'interestOnly')
    return capKey === 'interest_month' ? figures.interestMonthRate : figures.interestYearRate
  return capKey === 'interest_month'
    ? figures.allInMonthRate
    : shown(new Decimal(figures.allInMonthRate).times(365).div(30))
}

/** What the caps in force on the day of the contract say of a loan; orders already contracted keep their terms. */
export const checkCaps = (terms: Terms, loanAmount: Money, caps: readonly LegalCap[], on: EatDate): CapVerdict[] =>
  capsInForce(caps, on).map(cap => {
    const figure = figureOf(terms, loanAmount, cap)
    const exceeded = new Decimal(figure).gt(cap.capValue)
    return { cap, figure, exceeded, verdict: exceeded ? (cap.capMode === 'enforce' ? 'over' : 'warn') : 'ok' }
  })

/** Whether a loan may be contracted. */
export const isLegal = (verdicts: readonly CapVerdict[]): boolean => verdicts.every(each => each.verdict !== 'over')

/** What may still be charged for lateness on an order of a principal before an enforced cap of default charges is reached. */
export const lateRoomOf =
  (caps: readonly LegalCap[], lent: Money): LateRoom =>
  (on, charged) => {
    const enforced = capsInForce(caps, on).filter(cap => cap.capKey === 'default_charges' && cap.capMode === 'enforce')
    if (enforced.length === 0) return null
    const rooms = enforced.map(cap => sub(percent(lent, cap.capValue), charged))
    return max('0.00', min(rooms[0] ?? '0.00', ...rooms.slice(1)))
  }
