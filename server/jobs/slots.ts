import { addDays, daysBetween, eatDate, startOfEatDay } from '../../core/rules/time.ts'

/** When a job is due. A slot names one due time, and sorts as text in the order of time. */
export type Slots = {
  /** Slots due by `now` and later than `last`, the oldest first. */
  due(now: Date, last: string | undefined): string[]
  /** The instant at which a slot is due. */
  at(slot: string): Date
  /** Days after which successful runs are deleted; absent where every run is kept. */
  keepDays?: number
}

const minute = 60_000

/** Once per business date, at an EAT time of the day; the slot is the date. Missed dates are due one after the other. */
export const daily = (time: `${number}:${number}`): Slots => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  const at = (slot: string): Date => new Date(Date.parse(startOfEatDay(slot)) + (hours * 60 + minutes) * minute)
  return {
    at,
    due(now, last) {
      const today = eatDate(now)
      const latest = at(today) <= now ? today : addDays(today, -1)
      if (last === undefined) return latest === today ? [today] : []
      return daysBetween(addDays(last, 1), latest)
    },
  }
}

/** A period in seconds; the slot is the instant. Missed slots are skipped: the latest is enough. */
export const every = (seconds: number): Slots => ({
  keepDays: 2,
  at: slot => new Date(slot),
  due(now, last) {
    const span = seconds * 1_000
    const slot = new Date(Math.floor(now.getTime() / span) * span).toISOString()
    return last === undefined || slot > last ? [slot] : []
  },
})
