import { type ReactNode, useEffect, useMemo, useSyncExternalStore } from 'react'
import { fromEntries, toEntries } from '../client/url-state.ts'
import { HostContext, useHost } from '../element/context.ts'

const listeners = new Set<() => void>()
const tell = () => {
  for (const listener of [...listeners]) listener()
}
window.addEventListener('popstate', tell)

/** Steps of the browser, and what another widget of the page wrote. */
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The entries of an address that begin with a prefix, and without it; those of others stay as they are. */
const split = (search: string, prefix: string) => {
  const [own, others]: [[string, string][], [string, string][]] = [[], []]
  for (const [name, value] of new URLSearchParams(search))
    if (name.startsWith(prefix)) own.push([name.slice(prefix.length), value])
    else others.push([name, value])
  return { own, others }
}

/** Keeps the state of a list in the address of the host's page, under the prefix that it gave. */
export const Addressed = ({ children }: { children: ReactNode }) => {
  const host = useHost()
  const { element } = host
  const prefix = `${host.props.urlState}.`
  const search = useSyncExternalStore(subscribe, () => location.search)
  const filters = useMemo(() => fromEntries(split(search, prefix).own), [search, prefix])
  const addressed = useMemo(() => (filters ? { ...host, props: { ...host.props, filters } } : host), [host, filters])
  useEffect(() => {
    const write = (event: HTMLElementEventMap['mkopo-filters-change']) => {
      if (event.composedPath()[0] !== element) return
      const { others } = split(location.search, prefix)
      const own = toEntries({ sort: '', ...event.detail }).map(([name, value]) => [prefix + name, value] as const)
      const next = `?${new URLSearchParams([...others, ...own].map(([name, value]) => [name, value]))}`
      if (next === (location.search || '?')) return
      history.pushState(history.state, '', `${next === '?' ? location.pathname : next}${location.hash}`)
      tell()
    }
    element.addEventListener('mkopo-filters-change', write)
    return () => element.removeEventListener('mkopo-filters-change', write)
  }, [element, prefix])
  return <HostContext value={addressed}>{children}</HostContext>
}
