import type { ReactNode } from 'react'
import { useMayOpen } from '../client/providers.tsx'
import { useHost } from '../element/context.ts'
import { useText } from '../element/i18n.ts'
import { dictText, plain } from '../i18n/plain.ts'
import type { Machine } from '../rules/machines/machine.ts'
import { machines } from '../rules/machines/machines.ts'
import { eatDateTime, shortTime } from '../rules/time.ts'
import { CopyIcon } from '../ui/copy-icon.tsx'
import { StatusBadge } from '../ui/status-badge.tsx'
import { listed, type Meta, type Row } from './columns.ts'
import { Reveal } from './reveal.tsx'

const machineOf = new Map(Object.values(machines).map(m => [m.dict, m as Machine]))

/** A value of a dictionary: a status with its colour, anything else in words. */
export const Dict = ({ dict, value }: { dict: string; value: string }) => {
  const t = useText()
  const state = machineOf.get(dict)?.states[value]
  return state ? <StatusBadge tone={state.tone} label={dictText(t, dict, value)} /> : dictText(t, dict, value)
}

const none = <span className="mk-none">–</span>

/** A link to another screen of the console; the host decides how it opens. Plain text where the caller cannot open it. */
export const ScreenLink = ({
  to,
  query,
  children,
}: {
  to: string
  query: Record<string, string>
  children: ReactNode
}) => {
  const host = useHost()
  if (!useMayOpen(to)) return children
  return (
    <a
      className="mk-link"
      href={`${to}?${new URLSearchParams(query)}`}
      rel="opener"
      onClick={event => {
        event.stopPropagation()
        if (event.button !== 0) return
        event.preventDefault()
        host.emit('mkopo-navigate', {
          to,
          query,
          target: event.ctrlKey || event.metaKey || event.shiftKey ? 'new' : 'same',
        })
      }}
    >
      {children}
    </a>
  )
}

export const orderPath = '/AdminContent/OrderDetailAudit/OrderDetail'

/** The key of a record in the letters of keys, with its copy icon; an order's leads to its detail. */
export const KeyText = ({ name, value, from }: { name?: string; value: string; from?: string }) => (
  <span className="mk-key">
    {name === 'orderNo' ? (
      <ScreenLink to={orderPath} query={{ orderNo: value, ...(from ? { from } : {}) }}>
        {value}
      </ScreenLink>
    ) : (
      value
    )}
    <CopyIcon value={value} />
  </span>
)

/** Draws a value by the kind of its field; `row` gives a sensitive one the record it belongs to. */
export const Value = ({
  name,
  meta,
  value,
  row,
  from,
}: {
  name: string
  meta: Meta | null
  value: unknown
  row?: Row
  from?: string
}): ReactNode => {
  const t = useText()
  if (value === null || value === undefined || value === '') return none
  if (!meta) return String(value)
  if (Array.isArray(value)) return value.length ? listed(t, value.map(String)) : none
  switch (meta.kind) {
    case 'key':
      return <KeyText name={name} value={String(value)} from={from} />
    case 'dict':
      return <Dict dict={meta.dict ?? ''} value={String(value)} />
    case 'time':
      return (
        <time dateTime={String(value)} title={`${eatDateTime(String(value))} EAT`}>
          {shortTime(String(value))}
        </time>
      )
    case 'phone':
    case 'idNumber':
    case 'bankCardNo':
    case 'walletAccount':
      return <Reveal kind={meta.kind} name={name} masked={String(value)} of={meta.of} row={row ?? {}} />
    default:
      return plain(t, meta, value)
  }
}

export const alignsRight = (meta: Meta | null) =>
  meta !== null && ['money', 'int', 'minutes', 'seconds', 'rate'].includes(meta.kind)
