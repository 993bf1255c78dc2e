import { useEffect, useRef, useState } from 'react'
import { useHost } from '../element/context.ts'

const sources = new Map<string, () => unknown>()
let before = new Map<string, unknown>()

/** Typed input that outlives a reload which nobody waited for. The console carries it over; a widget alone keeps nothing. */
export const kept = {
  /** What is typed now, by its place. */
  collect: (): Record<string, unknown> =>
    Object.fromEntries([...sources].map(([key, read]) => [key, read()] as const).filter(([, value]) => value != null)),
  /** Gives back what was collected before the reload; each place takes its own once. */
  fill: (values: Readonly<Record<string, unknown>>) => {
    before = new Map(Object.entries(values))
  },
}

/** What this place held before the reload, if anything; from now on it holds what `now` says. */
export const useCarried = <T>(name: string, now: () => T | null | undefined): T | undefined => {
  const { tag, part = '' } = useHost()
  const key = [tag, part, name].join('/')
  const [carried] = useState(() => before.get(key) as T | undefined)
  const read = useRef(now)
  read.current = now
  useEffect(() => {
    const source = () => read.current()
    before.delete(key)
    sources.set(key, source)
    return () => {
      if (sources.get(key) === source) sources.delete(key)
    }
  }, [key])
  return carried
}

/** A state of a form that is the same again after such a reload; `name` says which form, of which record, and which value. */
export const useKept = <T>(name: string, start: T | (() => T)) => {
  const latest = useRef<T>(undefined)
  const carried = useCarried<T>(name, () => latest.current)
  const [value, set] = useState<T>(carried ?? start)
  latest.current = value
  return [value, set] as const
}
