import { Decimal, type Exact } from '../../money.ts'
import { diffDays, type EatDate } from '../../time.ts'

/**
 * How days become a part of a year (names as in ISDA 2006, section 4.16):
 * `30/360` bond basis, `30E/360` eurobond, `30E/360ISDA` with February's end as the 30th, `actual/…` real days over a fixed year,
 * `actual/actual` real days over the length of the calendar year each lies in, `actual/startYear` over that of the year the loan began.
 */
export const dayCounts = [
  '30/360',
  '30E/360',
  '30E/360ISDA',
  'actual/360',
  'actual/364',
  'actual/365',
  'actual/actual',
  'actual/startYear',
] as const
export type DayCount = (typeof dayCounts)[number]

const parts = (date: EatDate): [year: number, month: number, day: number] => [
  Number(date.slice(0, 4)),
  Number(date.slice(5, 7)),
  Number(date.slice(8)),
]
const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
const yearLength = (year: number): number => (isLeap(year) ? 366 : 365)
const endsFebruary = (month: number, day: number, year: number): boolean =>
  month === 2 && day === (isLeap(year) ? 29 : 28)

const thirties = (convention: DayCount, from: EatDate, to: EatDate): number => {
  const [y1, m1, d1] = parts(from)
  const [y2, m2, d2] = parts(to)
  const isda = convention === '30E/360ISDA'
  const first = d1 === 31 || (isda && endsFebruary(m1, d1, y1)) ? 30 : d1
  const cut = convention === '30/360' ? d2 === 31 && first === 30 : d2 === 31 || (isda && endsFebruary(m2, d2, y2))
  return (y2 - y1) * 360 + (m2 - m1) * 30 + (cut ? 30 : d2) - first
}

/** Days between two dates as a convention counts them; the first day counts, the last does not. */
export const countDays = (convention: DayCount, from: EatDate, to: EatDate): number =>
  convention.startsWith('30') ? thirties(convention, from, to) : diffDays(from, to)

const actualActual = (from: EatDate, to: EatDate): Exact => {
  const [y1] = parts(from)
  const [y2] = parts(to)
  if (y1 === y2) return new Decimal(diffDays(from, to)).div(yearLength(y1))
  const head = new Decimal(diffDays(from, `${y1 + 1}-01-01`)).div(yearLength(y1))
  const tail = new Decimal(diffDays(`${y2}-01-01`, to)).div(yearLength(y2))
  return head.plus(y2 - y1 - 1).plus(tail)
}

/**
 * The part of a year between two dates, unrounded; negative when `to` is earlier.
 * @param start the day the loan began; needed by `actual/startYear`
 */
export const yearFraction = (convention: DayCount, from: EatDate, to: EatDate, start: EatDate = from): Exact => {
  if (to < from) return yearFraction(convention, to, from, start).neg()
  if (convention === 'actual/actual') return actualActual(from, to)
  const days = new Decimal(countDays(convention, from, to))
  if (convention === 'actual/startYear') return days.div(yearLength(parts(start)[0]))
  return days.div(Number.parseInt(convention.split('/')[1] ?? '', 10))
}
