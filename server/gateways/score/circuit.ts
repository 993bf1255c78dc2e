/** How many of the last calls are looked at, which share of them may fail, and for how long nobody is asked then. */
const looked = 50
const mostFailing = 0.2
const pauseMs = 5 * 60_000

/** Leaves out, for a while, who fails too often: they are asked again when the pause is over. */
export type Circuit = { isOpen(key: string): boolean; note(key: string, ok: boolean): void }

/** Counts per key in this process. */
export const circuit = (now: () => number = Date.now): Circuit => {
  const calls = new Map<string, boolean[]>()
  const until = new Map<string, number>()
  return {
    isOpen: key => now() < (until.get(key) ?? 0),
    note(key, ok) {
      const last = [...(calls.get(key) ?? []), ok].slice(-looked)
      const failing = last.filter(one => !one).length
      const isBad = last.length === looked && failing >= looked * mostFailing
      if (isBad) until.set(key, now() + pauseMs)
      calls.set(key, isBad ? [] : last)
    },
  }
}
