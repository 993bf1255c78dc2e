import { Decimal, type Exact } from '../../money.ts'
import type { EatDate } from '../../time.ts'
import { factor } from '../plan/rate.ts'
import type { DailyTerms } from './terms.ts'

/** What was lent: the principal and the fee added to it. */
export const lentOf = ({ principal, addedFee = '0.00' }: DailyTerms): Exact => new Decimal(principal).plus(addedFee)

const capped = (terms: DailyTerms): DailyTerms => {
  const daily = terms.caps?.daily
  if (daily === undefined) return terms
  const perDay = terms.rate.per === 'day' ? terms.rate.percent : null
  if (perDay === null || new Decimal(perDay).lte(daily)) return terms
  return { ...terms, rate: { percent: daily, per: 'day' } }
}

/**
 * Interest of a balance over some days, unrounded: at most the daily cap, and no more than the total cap leaves after `soFar`.
 * A balance below zero bears none.
 */
export const interestBetween = (terms: DailyTerms, balance: Exact, from: EatDate, to: EatDate, soFar: Exact): Exact => {
  if (balance.lte(0)) return new Decimal(0)
  const price = capped(terms)
  const days = factor(price, from, to)
  const daily = terms.caps?.daily
  const limit =
    daily === undefined ? null : factor({ ...price, rate: { percent: daily, per: 'day' }, windows: [] }, from, to)
  const interest = balance.times(limit ? Decimal.min(days, limit) : days)
  if (terms.caps?.total === undefined) return interest
  const room = lentOf(terms).times(terms.caps.total).div(100).minus(soFar)
  return Decimal.max(0, Decimal.min(interest, room))
}
