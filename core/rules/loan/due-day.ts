import { addDays, type EatDate } from '../time.ts'

/** What happens to a due date on a day off: nothing, or the next working day. */
export type DueShift = 'none' | 'next_working_day'

const isSunday = (date: EatDate): boolean => new Date(`${date}T00:00:00Z`).getUTCDay() === 0

/** Whether people work on a day: it is neither a Sunday nor a holiday on which offices are closed. */
export const isWorkingDay = (date: EatDate, closed: ReadonlySet<EatDate>): boolean =>
  !isSunday(date) && !closed.has(date)

/**
 * The day on which a bill falls due: the day by the terms, or the next working day after it. It is fixed at payout and nothing is
 * charged for the days between; each installment is moved by itself.
 */
export const dueDay = (byTerms: EatDate, shift: DueShift, closed: ReadonlySet<EatDate>): EatDate => {
  let day = byTerms
  if (shift === 'next_working_day') while (!isWorkingDay(day, closed)) day = addDays(day, 1)
  return day
}
