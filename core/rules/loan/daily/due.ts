import { isPositive, type Money, max, min, sub, sum, zeroMoney } from '../../money.ts'
import { addDays, type EatDate } from '../../time.ts'
import type { Asked, DailyEvent, DailyTerms } from './terms.ts'

const paidIn = (events: readonly DailyEvent[], within: (on: EatDate) => boolean): Money =>
  sum(
    events
      .filter(each => (each.type === 'payment' || each.type === 'writeOff') && within(each.on))
      .map(each => each.amount),
  )

/** What is still to pay of an amount on its day: what was paid too much before counts, what was missed before is not asked twice. */
export const dueOn = (schedule: readonly Asked[], events: readonly DailyEvent[], own: Asked): Money => {
  if (own.cancelled) return zeroMoney
  const same = schedule.filter(each => each.agreedOn === own.agreedOn && each.on <= own.on && !each.cancelled)
  const before = paidIn(events, on => on < own.on && (own.agreedOn === undefined || on >= own.agreedOn))
  return min(own.amount, max(sub(sum(same.map(each => each.amount)), before), zeroMoney))
}

/** What became of an amount that was due. */
export type PaymentStatus =
  | { status: 'paid' | 'paidLater' | 'missed' | 'due' | 'notYetDue' | 'nothingDue' }
  | { status: 'paidLaterShort'; short: Money }

/** Reads off what was paid on its day and until the next amount fell due. */
export const paymentStatus = (
  terms: DailyTerms,
  events: readonly DailyEvent[],
  own: Asked,
  asOf: EatDate,
): PaymentStatus => {
  const due = dueOn(terms.schedule, events, own)
  if (own.on > asOf && isPositive(due)) return { status: 'notYetDue' }
  if (!isPositive(due)) return { status: 'nothingDue' }
  const next = terms.schedule.find(each => each.on > own.on && !each.cancelled)?.on ?? '9999-12-31'
  const atOnce = paidIn(events, on => on === own.on)
  const later = paidIn(events, on => on >= own.on && on < next && on <= asOf)
  if (!isPositive(sub(due, atOnce))) return { status: 'paid' }
  const short = sub(due, later)
  if (!isPositive(short)) return { status: 'paidLater' }
  if (isPositive(later)) return { status: 'paidLaterShort', short }
  return { status: asOf > addDays(own.on, terms.lateCharge?.graceDays ?? 0) ? 'missed' : 'due' }
}

/** Kinds of charges that arise on a day, before what `soFar` has used up. */
export const chargesOn = (
  terms: DailyTerms,
  events: readonly DailyEvent[],
  own: Asked,
  asOf: EatDate,
  soFar: ReadonlySet<'late' | 'failed'>,
): { kind: 'late' | 'failed'; amount: Money }[] => {
  const due = dueOn(terms.schedule, events, own)
  if (!isPositive(due) || own.on > asOf) return []
  const { lateCharge, failedCharge, grouping = 'day' } = terms
  const found: { kind: 'late' | 'failed'; amount: Money }[] = []
  if (lateCharge) {
    const end = addDays(own.on, lateCharge.graceDays)
    const inTime = paidIn(events, on => on >= own.on && on <= end)
    if (asOf > end && isPositive(sub(due, inTime))) found.push({ kind: 'late', amount: lateCharge.amount })
  }
  if (failedCharge)
    for (const _ of events.filter(each => each.type === 'failed' && each.on === own.on))
      found.push({ kind: 'failed', amount: failedCharge.amount })
  if (grouping === 'all') return found
  const once = found.filter((each, index) => found.findIndex(other => other.kind === each.kind) === index)
  return grouping === 'day' ? once : once.filter(each => !soFar.has(each.kind))
}
