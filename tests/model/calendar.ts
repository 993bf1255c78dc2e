import { dayOf, plusDays } from './sums.ts'

type Sleeper = { until: number; wake: () => void }

/** The first instant of a day on which its day-end has run. */
const morning = (date: string): number => Date.parse(`${date}T00:00:00Z`) - 3 * 3_600_000 + 5 * 60_000

/**
 * One clock for many lives: it stands still while any of them acts, and goes on to the nearest awakening, with every
 * day-end on the way, once all of them sleep.
 */
export const openCalendar = (o: {
  start: number
  /** Sets the clock; `newDay` when a business date begins. */
  move: (at: number, newDay: string | null) => Promise<void>
}) => {
  let now = o.start
  let awake = 0
  let isGoing = false
  const sleepers = new Set<Sleeper>()

  const goOn = async () => {
    while (awake === 0 && sleepers.size > 0) {
      const next = Math.min(...[...sleepers].map(one => one.until))
      for (let day = plusDays(dayOf(new Date(now)), 1); day <= dayOf(new Date(next)); day = plusDays(day, 1)) {
        now = morning(day)
        await o.move(now, day)
      }
      if (next > now) {
        now = next
        await o.move(now, null)
      }
      for (const one of [...sleepers].filter(({ until }) => until <= now)) {
        sleepers.delete(one)
        awake += 1
        one.wake()
      }
    }
  }
  /** Goes on as soon as nobody acts; a sleeper that is added meanwhile is not missed. */
  const idle = async (): Promise<void> => {
    if (isGoing) return
    isGoing = true
    await Promise.resolve()
    await goOn()
    isGoing = false
    if (awake === 0 && sleepers.size > 0) void idle()
  }

  return {
    now: () => now,
    /** Lives one life; the clock waits for it. */
    async live<T>(act: () => Promise<T>): Promise<T> {
      awake += 1
      try {
        return await act()
      } finally {
        awake -= 1
        void idle()
      }
    },
    /** Resolves when so much time has passed, not before the day-end of its day. */
    async sleep(milliseconds: number): Promise<void> {
      const until = now + milliseconds
      const day = dayOf(new Date(until))
      const wakes = day === dayOf(new Date(now)) ? until : Math.max(until, morning(day))
      awake -= 1
      const woken = new Promise<void>(wake => sleepers.add({ until: wakes, wake }))
      void idle()
      await woken
    },
  }
}
export type Calendar = ReturnType<typeof openCalendar>
