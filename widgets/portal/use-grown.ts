import { useEffect, useRef, useState } from 'react'

type Counted = { key: string; count: number | null }

const countsOf = (queues: readonly Counted[]) => new Map(queues.map(({ key, count }) => [key, count]))

/** By how much a queue has grown since the page was last hidden; 0 where it has not, or it is not known. */
export const useGrown = (queues: readonly Counted[]): ((queue: Counted) => number) => {
  const latest = useRef(queues)
  latest.current = queues
  const [before, setBefore] = useState<ReadonlyMap<string, number | null>>(new Map())
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'hidden') setBefore(countsOf(latest.current))
    }
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  return ({ key, count }) => Math.max(0, (count ?? 0) - (before.get(key) ?? count ?? 0))
}
