import { type ReactNode, useMemo, useState } from 'react'
import { type Host, HostContext, useHost } from '../../element/context.ts'
import type { MkopoEvents } from '../../element/events.ts'
import { useText } from '../../element/i18n.ts'
import { Badge, TextField } from '../../ui/basics.ts'
import type { Screen } from '../screen.ts'

/** One of the parts that a list falls into: its name, and how many items it has. */
export type Part = { name: string; label: string; hint?: string; count: number }

type Props = {
  /** What says which part is shown; it stands in the address. */
  by: string
  /** The lists of the parts do not know it as a filter: they begin with filters of their own. */
  apart?: true
  label: string
  parts: readonly Part[]
  /** The list of a part. */
  screenOf: (part: Part) => Screen
}

const matches = (part: Part, text: string) =>
  `${part.name} ${part.label}`.toLowerCase().includes(text.trim().toLowerCase())

type ListChange = MkopoEvents['mkopo-filters-change']
type Of = Pick<Props, 'by' | 'apart'> & { part: string }

/**
 * The host of the list: what the address says of another part is not meant for it, and an address that names the part alone leaves the
 * list as it begins.
 */
const usePartHost = ({ by, apart, part }: Of): Host => {
  const host = useHost()
  return useMemo(() => {
    const { filters = {} } = host.props
    const { [by]: named, ...rest } = filters
    const given = named === part && Object.keys(rest).length > 0 ? (apart ? rest : filters) : undefined
    const emit: Host['emit'] = (name, detail) =>
      host.emit(
        name,
        apart && name === 'mkopo-filters-change'
          ? ({ ...detail, filters: { ...(detail as ListChange).filters, [by]: part } } as typeof detail)
          : detail,
      )
    return { ...host, part, emit, props: { ...host.props, filters: given } }
  }, [host, by, apart, part])
}

const Shown = ({ screen, ...of }: Of & { screen: Screen }) => {
  const Body = screen.render
  return (
    <HostContext value={usePartHost(of)}>
      <Body />
    </HostContext>
  )
}

/** The parts of a list on the left, with a search over their names; the items of the chosen one on the right. */
export const Panes = ({ by, apart, label, parts, screenOf }: Props): ReactNode => {
  const t = useText()
  const host = useHost()
  const [text, setText] = useState('')
  const named = host.props.filters?.[by]
  const [chosen, setChosen] = useState(typeof named === 'string' ? named : parts[0]?.name)
  const [address, setAddress] = useState(named)
  if (named !== address) {
    setAddress(named)
    if (typeof named === 'string') setChosen(named)
  }
  const part = parts.find(one => one.name === chosen) ?? parts[0]
  const choose = (name: string) => {
    setChosen(name)
    host.emit('mkopo-filters-change', { filters: { [by]: name }, pageNum: 1, pageSize: 20 })
  }
  return (
    <div className="mk-panes">
      <nav aria-label={label} className="mk-parts">
        <TextField.Root
          size="1"
          type="search"
          aria-label={t('common.search')}
          placeholder={t('common.search')}
          value={text}
          onChange={event => setText(event.target.value)}
        />
        <ul>
          {parts
            .filter(one => matches(one, text))
            .map(one => (
              <li key={one.name}>
                <button type="button" aria-current={one === part} title={one.hint} onClick={() => choose(one.name)}>
                  <span>{one.label}</span>
                  <Badge color="gray">{one.count}</Badge>
                </button>
              </li>
            ))}
        </ul>
      </nav>
      {part && <Shown key={part.name} by={by} part={part.name} screen={screenOf(part)} {...(apart && { apart })} />}
    </div>
  )
}
