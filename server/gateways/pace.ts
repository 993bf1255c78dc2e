import { setTimeout as wait } from 'node:timers/promises'

/** Lets at most `limit` callers through in any `windowMs`; the others wait their turn, in order. */
export const pacer = (limit: number, windowMs: number, now: () => number = () => performance.now()) => {
  const starts: number[] = []
  let queue: Promise<void> = Promise.resolve()
  const turn = async () => {
    const oldest = starts.length < limit ? undefined : starts.shift()
    for (
      let left = oldest === undefined ? 0 : oldest + windowMs - now();
      left > 0;
      left = (oldest ?? 0) + windowMs - now()
    ) {
      await wait(left)
    }
    starts.push(now())
  }
  return (): Promise<void> => {
    queue = queue.then(turn)
    return queue
  }
}
