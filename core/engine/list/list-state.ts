import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { z } from 'zod'
import { type ListState, stateFrom } from '../../client/url-state.ts'
import { metaOf } from '../../contract/fields.ts'
import type { View } from '../../contract/portal/view.ts'
import { useHost } from '../../element/context.ts'
import { isPreset } from '../form/date-range.tsx'
import type { Listed, ListScreen } from '../screen.ts'
import { stateOfView } from '../views/view-state.ts'

/** The state of a list before anything was chosen or read from an address. */
export const startOf = (screen: ListScreen<Listed>): ListState => ({
  filters: (screen.start ?? {}) as Record<string, unknown>,
  sort: screen.list.defaultSort,
  pageNum: 1,
  pageSize: 20,
})

const absent = ['open', 'columns', 'density', 'view'] as const
const withoutAbsent = (state: ListState): ListState => {
  const next = { ...state }
  for (const name of absent) if (next[name] === undefined) delete next[name]
  return next
}

/** What a host or an address says of a list; a range that is none is left out. */
const saidOf = (screen: ListScreen<Listed>, given: Readonly<Record<string, unknown>>): ListState => {
  const state = stateFrom(given, startOf(screen))
  const isRange = (value: unknown) => isPreset(value) || (Array.isArray(value) && value.length === 2)
  const filters = Object.entries(state.filters).filter(([name, value]) => {
    const schema = screen.list.filters[name] as z.ZodType | undefined
    return !schema || !metaOf(schema).range || isRange(value)
  })
  return { ...state, filters: Object.fromEntries(filters) }
}

/** What a list shows when its address names nothing: the view that its user starts with, else what the screen says. */
const beginning = (screen: ListScreen<Listed>, view: View | undefined): ListState =>
  withoutAbsent({ ...startOf(screen), ...(view ? stateOfView(screen.list, view) : {}) })

/**
 * The state of a list. The host hears of every change and may give it back through `filters`: this is how it gets into an address.
 * A `view` to start with that becomes known later is taken as long as nobody has begun to use the list; `begin` says that somebody has.
 */
export const useListState = (screen: ListScreen<Listed>, view: View | undefined) => {
  const host = useHost()
  const { filters: given, open } = host.props
  const base = useMemo(() => beginning(screen, view), [screen, view])
  const [state, setState] = useState<ListState>(() => ({
    ...(given ? saidOf(screen, given) : base),
    ...(open === undefined ? {} : { open }),
  }))
  const latest = useRef(state)
  const seen = useRef({ given: JSON.stringify(given), base })
  const begun = useRef(given !== undefined)

  useEffect(() => {
    const text = JSON.stringify(given)
    const moved = text !== seen.current.given
    const based = base !== seen.current.base
    seen.current = { given: text, base }
    if (moved) begun.current = given !== undefined
    if (!moved && (!based || begun.current)) return
    const next = given
      ? saidOf(screen, given)
      : { ...base, ...(latest.current.open && !moved ? { open: latest.current.open } : {}) }
    latest.current = next
    setState(next)
  }, [given, screen, base])

  const begin = useCallback(() => {
    begun.current = true
  }, [])
  const change = useCallback(
    (by: Partial<ListState>) => {
      const next = withoutAbsent({ ...latest.current, ...by })
      begin()
      latest.current = next
      setState(next)
      host.emit('mkopo-filters-change', { ...next })
    },
    [host, begin],
  )
  return { state, change, begin }
}
