import { Decimal, type Exact } from '../../money.ts'
import { addDays, type EatDate } from '../../time.ts'
import type { Frequency } from './calendar.ts'
import { countDays, type DayCount, yearFraction } from './day-count.ts'

/** A price of money: percent per day, month or year (`"33.6"` a year, `"0.8"` a day). */
export type Rate = { percent: string; per: 'day' | 'month' | 'year' }

/** Days on which another rate holds, both ends included: interest-free weeks, promotions, a rate changed by law. */
export type RateWindow = { from: EatDate; to: EatDate; percent: string }

/** What interest depends on besides the balance. */
export type Pricing = {
  rate: Rate
  windows?: readonly RateWindow[]
  dayCount: DayCount
  /** The day the loan began. */
  start: EatDate
}

const flatFactor = ({ percent, per }: Rate, dayCount: DayCount, from: EatDate, to: EatDate, start: EatDate): Exact => {
  const share = new Decimal(percent).div(100)
  if (per === 'day') return share.times(countDays(dayCount, from, to))
  return share.times(per === 'month' ? 12 : 1).times(yearFraction(dayCount, from, to, start))
}

const latest = (a: EatDate, b: EatDate): EatDate => [a, b].sort()[1] ?? a

/**
 * Interest per shilling over some days, unrounded. A day belongs to the date on which it ends: from the 1st to the 2nd is the day of the 2nd.
 * Windows must not overlap.
 */
export const factor = ({ rate, windows = [], dayCount, start }: Pricing, from: EatDate, to: EatDate): Exact => {
  let total = new Decimal(0)
  let at = from
  for (const window of [...windows].sort((a, b) => (a.from < b.from ? -1 : 1))) {
    const begin = latest(addDays(window.from, -1), at)
    const end = window.to < to ? window.to : to
    if (begin >= end) continue
    total = total.plus(flatFactor(rate, dayCount, at, begin, start))
    total = total.plus(flatFactor({ ...rate, percent: window.percent }, dayCount, begin, end, start))
    at = end
  }
  return total.plus(flatFactor(rate, dayCount, at, to, start))
}

const monthsAYear = 12
const daysAYear = (dayCount: DayCount): number => Number.parseInt(dayCount.split('/')[1] ?? '', 10) || 365

/** Interest per shilling over one regular period, whatever days it has: a month is a twelfth of a year. */
export const periodFactor = ({ rate: { percent, per }, dayCount }: Pricing, { every, unit }: Frequency): Exact => {
  const share = new Decimal(percent).div(100).times(every)
  const days = unit === 'weeks' ? 7 : 1
  const year = daysAYear(dayCount)
  if (unit === 'months') {
    if (per === 'day') return share.times(30)
    return per === 'month' ? share : share.div(monthsAYear)
  }
  if (per === 'day') return share.times(days)
  return share
    .times(per === 'month' ? monthsAYear : 1)
    .times(days)
    .div(year)
}
