import { isWithin, nextWithin, type Window } from './contact-guard.ts'

const minutesOf = (clock: string): number => {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  return hours * 60 + minutes
}
const minuteMs = 60_000
/** EAT is three hours ahead all year. */
const eatMinutes = (at: Date): number => Math.floor(at.getTime() / minuteMs + 180) % 1_440

/** When a task of so many texts ends that begins at a moment: it sends at its pace, within the hours alone. */
export const finishOf = (window: Window, begin: Date, texts: number, ratePerMinute: number): Date => {
  let at = nextWithin(window, begin)
  let left = Math.ceil(texts / ratePerMinute)
  while (left > 0 && isWithin(window, at)) {
    const untilClose = minutesOf(window.to) - eatMinutes(at)
    if (left <= untilClose) return new Date(at.getTime() + left * minuteMs)
    left -= untilClose
    at = nextWithin(window, new Date(at.getTime() + untilClose * minuteMs))
  }
  return at
}
