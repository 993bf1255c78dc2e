import { useCallback, useEffect, useRef, useState } from 'react'
import { type ListState, stateFrom } from '../client/url-state.ts'
import { useHost } from '../element/context.ts'
import type { Listed, ListScreen } from './screen.ts'

export const startOf = (screen: ListScreen<Listed>): ListState => ({
  filters: (screen.start ?? {}) as Record<string, unknown>,
  sort: screen.list.defaultSort,
  pageNum: 1,
  pageSize: 20,
})

/** The state of a list. The host is told of every change and may give it back through `filters`: that is how it gets into an address. */
export const useListState = (screen: ListScreen<Listed>): [ListState, (change: Partial<ListState>) => void] => {
  const host = useHost()
  const { filters: given, open } = host.props
  const initial = given ? stateFrom(given, startOf(screen)) : startOf(screen)
  const [state, setState] = useState<ListState>({ ...initial, ...(open === undefined ? {} : { open }) })
  const latest = useRef(state)
  const seen = useRef(JSON.stringify(given))

  useEffect(() => {
    const text = JSON.stringify(given)
    if (text === seen.current) return
    seen.current = text
    const next = given ? stateFrom(given, startOf(screen)) : startOf(screen)
    latest.current = next
    setState(next)
  }, [given, screen])

  const change = useCallback(
    (by: Partial<ListState>) => {
      const next = { ...latest.current, ...by }
      for (const name of ['open', 'columns', 'density'] as const) if (next[name] === undefined) delete next[name]
      latest.current = next
      setState(next)
      host.emit('mkopo-filters-change', { ...next })
    },
    [host],
  )
  return [state, change]
}
