import { type ReactNode, useMemo, useState } from 'react'
import { useMay } from '../../client/providers.tsx'
import { type Host, HostContext, useHost } from '../../element/context.ts'
import type { MkopoEvents } from '../../element/events.ts'
import { useText } from '../../element/i18n.ts'
import { useSheet } from '../../element/styles.ts'
import type { Key } from '../../i18n/index.ts'
import { TabNav } from '../../ui/more.ts'
import sheet from '../engine.css?sheet'
import { type Screen, screen } from '../screen.ts'
import { Counter } from './counter.tsx'
import { TopContext, TopLine } from './top-line.tsx'

type ListChange = MkopoEvents['mkopo-filters-change']
/** A counted tab says how many rows its list begins with. */
type Tab = { name: string; label: Key; screen: Screen; counted?: true }

const TabCounter = ({ tab }: { tab: Tab }) => {
  const { call, input } = tab.screen.opening?.(undefined) ?? {}
  return call && input ? <Counter call={call} filters={input} /> : null
}

/** The host of one tab: its filters are those of the address without the tab's own name. */
const useTabHost = (tab: string, given: Readonly<Record<string, unknown>> | undefined): Host => {
  const host = useHost()
  return useMemo(
    () => ({
      ...host,
      part: tab,
      props: { ...host.props, filters: given },
      emit: ((name, detail) => {
        const inTab =
          name === 'mkopo-filters-change' ? { ...detail, filters: { tab, ...(detail as ListChange).filters } } : detail
        return host.emit(name, inTab as typeof detail)
      }) as Host['emit'],
    }),
    [host, tab, given],
  )
}

const Shown = ({ tab, given }: { tab: Tab; given: Readonly<Record<string, unknown>> | undefined }): ReactNode => {
  const Body = tab.screen.render
  return (
    <HostContext value={useTabHost(tab.name, given)}>
      <Body />
    </HostContext>
  )
}

const Tabs = ({ tabs }: { tabs: readonly Tab[] }) => {
  const host = useHost()
  const t = useText()
  const may = useMay()
  useSheet(sheet)
  const allowed = tabs.filter(
    tab => !may.known || tab === tabs[0] || (tab.screen.calls[0] && may.call(tab.screen.calls[0])),
  )
  const { tab: named, ...rest } = host.props.filters ?? {}
  const [chosen, setChosen] = useState(typeof named === 'string' ? named : tabs[0]?.name)
  const [address, setAddress] = useState(host.props.filters)
  if (host.props.filters !== address) {
    setAddress(host.props.filters)
    setChosen(typeof named === 'string' ? named : tabs[0]?.name)
  }
  const current = allowed.find(tab => tab.name === chosen) ?? tabs[0]
  const given = Object.keys(rest).length && (named ?? tabs[0]?.name) === current?.name ? rest : undefined
  const choose = (tab: Tab) => {
    setChosen(tab.name)
    host.emit('mkopo-filters-change', { filters: tab === tabs[0] ? {} : { tab: tab.name }, pageNum: 1, pageSize: 20 })
  }
  const [outlet, setOutlet] = useState<HTMLElement | null>(null)
  return (
    <div className="mk-tabbed">
      <TopLine>
        <TabNav.Root size="1">
          {allowed.map(tab => (
            <TabNav.Link key={tab.name} asChild active={tab === current}>
              <button type="button" aria-current={tab === current ? 'page' : undefined} onClick={() => choose(tab)}>
                {t(tab.label)}
                {tab.counted && <TabCounter tab={tab} />}
              </button>
            </TabNav.Link>
          ))}
        </TabNav.Root>
        <div className="mk-top-part" ref={setOutlet} />
      </TopLine>
      <TopContext value={outlet}>{current && <Shown key={current.name} tab={current} given={given} />}</TopContext>
    </div>
  )
}

/** Several lists behind tabs of one screen; a tab whose first call the caller may not make is absent. */
export const tabbed = (tabs: readonly Tab[]): Screen =>
  screen(
    tabs.flatMap(tab => tab.screen.calls),
    () => <Tabs tabs={tabs} />,
  )
