import { addDays, diffDays, type EatDate } from '../../time.ts'

/** How often an installment falls due. */
export type Frequency = { every: number; unit: 'days' | 'weeks' | 'months' }

/** What a month does that lacks the day: its last day is taken (`clamp`), or the first of the next month (`roll`). */
export type MonthEnd = 'clamp' | 'roll'

/** Days on which nothing falls due, and where a due date goes instead; `…InMonth` turns round rather than leave the month. */
export type WorkingDays = {
  /** Days of the week, 0 = Sunday. */
  weekend: readonly number[]
  holidays: readonly EatDate[]
  shift: 'none' | 'next' | 'previous' | 'nextInMonth' | 'previousInMonth'
}

const dayOf = (date: EatDate): number => Number(date.slice(8))
const weekday = (date: EatDate): number => (((diffDays('1970-01-01', date) + 4) % 7) + 7) % 7

/**
 * The date some months later, on the wished day of the month.
 * @param day 1–31; the day of `date` unless given, so that a run from the 31st comes back to the 31st
 */
export const addMonths = (date: EatDate, months: number, day = dayOf(date), lacking: MonthEnd = 'clamp'): EatDate => {
  const month = Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1 + months
  const first = (index: number): EatDate =>
    `${String(Math.floor(index / 12)).padStart(4, '0')}-${String((index % 12) + 1).padStart(2, '0')}-01`
  const length = diffDays(first(month), first(month + 1))
  if (day <= length) return addDays(first(month), day - 1)
  return lacking === 'roll' ? first(month + 1) : addDays(first(month), length - 1)
}

/** The first due date of products that bill on the payout's day, from the start of the next month, or at the end of this one. */
export const firstDueDate = (start: EatDate, on: 'sameDay' | 'startOfNextMonth' | 'endOfMonth'): EatDate => {
  if (on === 'sameDay') return start
  return on === 'startOfNextMonth' ? addMonths(start, 1, 1) : addMonths(start, 0, 31)
}

const isWorkingDay = (date: EatDate, { weekend, holidays }: WorkingDays): boolean =>
  !weekend.includes(weekday(date)) && !holidays.includes(date)

/**
 * A due date moved off weekends and holidays.
 * @throws RangeError when a year has no working day
 */
export const toWorkingDay = (date: EatDate, days: WorkingDays): EatDate => {
  const seek = (step: 1 | -1): EatDate => {
    let at = date
    for (let tries = 0; tries < 366; tries++) {
      if (isWorkingDay(at, days)) return at
      at = addDays(at, step)
    }
    throw new RangeError('no working day within a year')
  }
  if (days.shift === 'none') return date
  const step = days.shift.startsWith('next') ? 1 : -1
  const found = seek(step)
  const stays = found.slice(0, 7) === date.slice(0, 7)
  return days.shift.endsWith('InMonth') && !stays ? seek(step === 1 ? -1 : 1) : found
}

/** When the installments of a loan fall due. */
export type DueDates = {
  /** The payout day; installment k is due k steps later unless `first` is given. */
  start: EatDate
  count: number
  frequency: Frequency
  /** The first due date where the first period is shorter or longer than the others. */
  first?: EatDate
  /** The day of the month to keep to; 31 is the month's end. */
  day?: number
  monthEnd?: MonthEnd
  workingDays?: WorkingDays
}

/** The date `steps` periods after another. */
export const step = (
  from: EatDate,
  { every, unit }: Frequency,
  steps = 1,
  day?: number,
  lacking?: MonthEnd,
): EatDate =>
  unit === 'months'
    ? addMonths(from, every * steps, day, lacking)
    : addDays(from, every * steps * (unit === 'weeks' ? 7 : 1))

/**
 * The due dates of all installments, each counted from the start and not from its neighbour, so that short months shift nothing.
 * @throws RangeError when they would not follow each other after the start
 */
export const dueDates = ({ start, count, frequency, first, day, monthEnd, workingDays }: DueDates): EatDate[] => {
  const dates = Array.from({ length: count }, (_, index) => {
    if (first && index === 0) return first
    return first
      ? step(first, frequency, index, day ?? dayOf(first), monthEnd)
      : step(start, frequency, index + 1, day ?? dayOf(start), monthEnd)
  }).map(date => (workingDays ? toWorkingDay(date, workingDays) : date))
  dates.forEach((date, index) => {
    if (date < start || (index > 0 && date <= (dates[index - 1] ?? start)))
      throw new RangeError(`due date ${date} does not follow the one before it`)
  })
  return dates
}
