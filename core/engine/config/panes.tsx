import { type ReactNode, useMemo, useState } from 'react'
import { type Host, HostContext, useHost } from '../../element/context.ts'
import { useText } from '../../element/i18n.ts'
import { Badge, TextField } from '../../ui/basics.ts'
import type { Screen } from '../screen.ts'

/** One of the parts that a list falls into: its name, and how many items it has. */
export type Part = { name: string; label: string; hint?: string; count: number }

type Props = {
  /** The filter that says which part is shown; it stands in the address. */
  by: string
  label: string
  parts: readonly Part[]
  /** The list of a part. */
  screenOf: (part: Part) => Screen
}

const matches = (part: Part, text: string) =>
  `${part.name} ${part.label}`.toLowerCase().includes(text.trim().toLowerCase())

/** The host of the list: what the address says of another part is not meant for it. */
const usePartHost = (by: string, part: string): Host => {
  const host = useHost()
  return useMemo(() => {
    const { filters } = host.props
    return { ...host, part, props: { ...host.props, filters: filters?.[by] === part ? filters : undefined } }
  }, [host, by, part])
}

const Shown = ({ by, part, screen }: { by: string; part: string; screen: Screen }) => {
  const Body = screen.render
  return (
    <HostContext value={usePartHost(by, part)}>
      <Body />
    </HostContext>
  )
}

/** The parts of a list on the left, with a search over their names; the items of the chosen one on the right. */
export const Panes = ({ by, label, parts, screenOf }: Props): ReactNode => {
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
      {part && <Shown key={part.name} by={by} part={part.name} screen={screenOf(part)} />}
    </div>
  )
}
