import { Decimal, type Exact, type Money, round, sub, sum } from '../../money.ts'
import type { EatDate } from '../../time.ts'
import { interestBetween, lentOf } from './interest.ts'
import type { Asked, DailyTerms } from './terms.ts'

const asked = (
  terms: DailyTerms,
  dates: readonly EatDate[],
  interest: Exact,
  rounding: DailyTerms['rounding'],
): Asked[] => {
  const total = round(lentOf(terms).plus(interest))
  const level = round(new Decimal(total).div(dates.length), rounding)
  const others = dates.slice(0, -1).map(on => ({ on, amount: level }))
  const last = sub(total, sum(others.map(each => each.amount)))
  return dates.map((on, index) => others[index] ?? { on, amount: last })
}

/** Interest that arises when a schedule is kept and interest agreed in advance is paid before principal. */
const arising = (terms: DailyTerms, schedule: readonly Asked[], agreed: Exact): Exact => {
  let [principal, interest, total] = [lentOf(terms), agreed, new Decimal(0)]
  let at = terms.start
  for (const { on, amount } of schedule) {
    total = total.plus(interestBetween(terms, principal, at, on, total))
    const paid = Decimal.min(interest, amount)
    interest = interest.minus(paid)
    principal = principal.minus(new Decimal(amount).minus(paid))
    at = on
  }
  return total
}

/**
 * Equal installments of an add-on loan: the smallest interest agreed in advance that covers what arises when they are kept.
 * @param rounding of the installment; the last one takes the rest
 */
export const addOnSchedule = (
  terms: DailyTerms,
  dates: readonly EatDate[],
  rounding: DailyTerms['rounding'],
): { schedule: Asked[]; interest: Money } => {
  const [last] = dates.slice(-1)
  let interest = new Decimal(
    round(interestBetween(terms, lentOf(terms), terms.start, last ?? terms.start, new Decimal(0))),
  )
  const covers = (amount: Exact): boolean =>
    new Decimal(round(arising(terms, asked(terms, dates, amount, rounding), amount), terms.rounding)).lte(amount)
  while (!covers(interest)) interest = interest.plus('0.01')
  // From far above the fixed point is near; the last cents are walked one by one.
  for (let arises = interest; ; interest = arises) {
    arises = new Decimal(round(arising(terms, asked(terms, dates, interest, rounding), interest), terms.rounding))
    if (arises.gte(interest) || !covers(arises)) break
  }
  while (interest.gt(0) && covers(interest.minus('0.01'))) interest = interest.minus('0.01')
  return { schedule: asked(terms, dates, interest, rounding), interest: round(interest) }
}
