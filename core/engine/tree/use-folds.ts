import { useState } from 'react'
import { useHost } from '../../element/context.ts'

const known = new Map<string, ReadonlySet<string>>()

/** Which nodes of a tree are open. They are the same when the screen is opened again in the same console. */
export const useFolds = (name: string, start: () => Iterable<string>) => {
  const key = `${useHost().tag}/${name}`
  const [open, set] = useState<ReadonlySet<string>>(() => known.get(key) ?? new Set(start()))
  const put = (next: ReadonlySet<string>) => {
    known.set(key, next)
    set(next)
  }
  const unfold = (value: string, wanted: boolean) => {
    const next = new Set(open)
    if (wanted) next.add(value)
    else next.delete(value)
    put(next)
  }
  return { open, unfold, put }
}
