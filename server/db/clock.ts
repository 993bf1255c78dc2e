/** Where business time comes from: nothing but this asks the machine for the time of a business fact. */
export type Clock = { now(): Date }

/** A clock that can be moved; it may also be stopped, so that tests and seeding say what time it is. */
export type MovableClock = Clock & {
  /** Runs from this instant at the pace of real time. */
  startAt(instant: Date): void
  /** Stands at this instant until it is set again. */
  set(instant: Date): void
  advance(milliseconds: number): void
}

/** The clock of the machine: production. */
export const systemClock: Clock = { now: () => new Date() }

/** A clock that starts at the time of the machine and can be moved: tests and demo data. */
export const movableClock = (): MovableClock => {
  let offset = 0
  let standing: number | undefined
  return {
    now: () => new Date(standing ?? Date.now() + offset),
    startAt(instant) {
      standing = undefined
      offset = instant.getTime() - Date.now()
    },
    set(instant) {
      standing = instant.getTime()
    },
    advance(milliseconds) {
      if (standing === undefined) offset += milliseconds
      else standing += milliseconds
    },
  }
}

/** A clock that stands at an instant until it is moved. */
export const stoppedClock = (instant: string | Date): MovableClock => {
  const clock = movableClock()
  clock.set(new Date(instant))
  return clock
}
