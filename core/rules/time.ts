/** East Africa Time: UTC+3, no daylight saving. Everything here is computed from UTC, whatever zone the machine is in. */
const offset = 3 * 3_600_000
const day = 86_400_000

/** An EAT business date `YYYY-MM-DD`; always a string, never a `Date`. */
export type EatDate = string
/** An instant as an ISO string in UTC. */
export type Instant = string

const shifted = (at: Instant | Date): string => new Date(new Date(at).getTime() + offset).toISOString()
const utcMidnight = (date: EatDate): number => {
  const at = Date.parse(`${date}T00:00:00.000Z`)
  if (!isDate(date)) throw new RangeError(`not a date: ${date}`)
  return at
}

/** Whether a text is a day of the calendar, written `YYYY-MM-DD`. */
export const isDate = (text: string): text is EatDate => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const at = Date.parse(`${text}T00:00:00.000Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}

/** The EAT day on which an instant falls. */
export const eatDate = (at: Instant | Date): EatDate => shifted(at).slice(0, 10)

/** The full stamp shown on hover and in exports: `YYYY-MM-DD HH:mm:ss` in EAT. */
export const eatDateTime = (at: Instant | Date): string => shifted(at).slice(0, 19).replace('T', ' ')

/** The stamp of table cells: `MM-DD HH:mm` in EAT, with the year where it is not the one of `now`. */
export const shortTime = (at: Instant | Date, now: Instant | Date = new Date()): string => {
  const stamp = eatDateTime(at).slice(0, 16)
  return stamp.slice(0, 4) === eatDate(now).slice(0, 4) ? stamp.slice(5) : stamp
}

/** The first instant of an EAT day. */
export const startOfEatDay = (date: EatDate): Instant => new Date(utcMidnight(date) - offset).toISOString()

/** The last instant of an EAT day, to the millisecond. */
export const endOfEatDay = (date: EatDate): Instant => new Date(utcMidnight(date) - offset + day - 1).toISOString()

/** The date some days later, or earlier with a negative number. */
export const addDays = (date: EatDate, days: number): EatDate =>
  new Date(utcMidnight(date) + days * day).toISOString().slice(0, 10)

/** Days from `a` to `b`; negative when `b` is earlier. */
export const diffDays = (a: EatDate, b: EatDate): number => (utcMidnight(b) - utcMidnight(a)) / day

/** Every day from `from` to `to`, both included; none when `to` is earlier. */
export const daysBetween = (from: EatDate, to: EatDate): EatDate[] =>
  Array.from({ length: Math.max(0, diffDays(from, to) + 1) }, (_, index) => addDays(from, index))

/** The instant of an EAT wall-clock time `YYYY-MM-DD HH:mm` or `YYYY-MM-DD HH:mm:ss`; null where there is no such time. */
export const parseEat = (text: string): Instant | null => {
  const match = /^(\d{4}-\d{2}-\d{2})[ T]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(text.trim())
  if (!match?.[1] || !isDate(match[1])) return null
  const [, date, hours, minutes, seconds = 0] = match
  return new Date(
    utcMidnight(date) - offset + (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000,
  ).toISOString()
}

/** Ranges of dates that a filter offers by name; `around` reaches a week ahead, for what falls due. */
export const presetNames = ['today', 'yesterday', 'last7', 'last30', 'around', 'thisMonth', 'lastMonth'] as const
/** One value of {@link presetNames}. */
export type Preset = (typeof presetNames)[number]

/** The date ranges of every range filter, both ends included, as of an instant. */
export const presets = (now: Instant | Date): Record<Preset, [from: EatDate, to: EatDate]> => {
  const today = eatDate(now)
  const days = (from: number, to = 0): [EatDate, EatDate] => [addDays(today, from), addDays(today, to)]
  const firstOfMonth = `${today.slice(0, 7)}-01`
  const lastOfPrevious = addDays(firstOfMonth, -1)
  const lastOfMonth = addDays(`${addDays(firstOfMonth, 31).slice(0, 7)}-01`, -1)
  return {
    today: days(0),
    yesterday: days(-1, -1),
    last7: days(-6),
    last30: days(-29),
    around: days(-29, 7),
    thisMonth: [firstOfMonth, lastOfMonth],
    lastMonth: [`${lastOfPrevious.slice(0, 7)}-01`, lastOfPrevious],
  }
}

/** Two EAT days, both included, either of which may be open; or a range by name, which moves with the business date. */
export type DateRange = readonly [from: EatDate | null, to: EatDate | null] | Preset

/** The days of a range as of an instant. */
export const daysOf = (range: DateRange, now: Instant | Date): readonly [EatDate | null, EatDate | null] =>
  typeof range === 'string' ? presets(now)[range] : range
