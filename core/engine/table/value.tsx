import type { ReactNode } from 'react'
import { useMayOpen, useRead } from '../../client/providers.tsx'
import { common } from '../../contract/common/common.ts'
import { statusTones } from '../../contract/fields.ts'
import { orderPath } from '../../contract/pages.ts'
import { useHost } from '../../element/context.ts'
import { useText } from '../../element/i18n.ts'
import { dictText, plain } from '../../i18n/plain.ts'
import { eatDateTime, shortTime } from '../../rules/time.ts'
import { CopyIcon } from '../../ui/copy-icon.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { listed, type Meta, type Row } from './columns.ts'
import { Reveal } from './reveal.tsx'

/** A value of a dictionary: a status with its colour, anything else in words. */
export const Dict = ({ dict, value }: { dict: string; value: string }) => {
  const t = useText()
  const tone = statusTones.get(dict)?.[value]?.tone
  return tone ? <StatusBadge tone={tone} label={dictText(t, dict, value)} /> : dictText(t, dict, value)
}

/** The label of a maintained option, also of one that is disabled by now. */
const OptionWord = ({ dict, value }: { dict: string; value: string }) => {
  const { data } = useRead(common.options, { KEY: dict }, { background: true })
  return data?.list.find(one => one.value === value)?.label ?? value
}

const none = <span className="mk-none">–</span>

/** A link to another screen of the console; the host decides how it opens. Plain text where the caller cannot open it. */
export const ScreenLink = ({
  to,
  query,
  go,
  children,
}: {
  to: string
  query: Record<string, string>
  /** Opens the address in place of the host. */
  go?: ((path: string) => void) | undefined
  children: ReactNode
}) => {
  const host = useHost()
  if (!useMayOpen(to)) return children
  const path = `${to}?${new URLSearchParams(query)}`
  return (
    <a
      className="mk-link"
      href={path}
      rel="opener"
      onClick={event => {
        event.stopPropagation()
        if (event.button !== 0) return
        const apart = event.ctrlKey || event.metaKey || event.shiftKey
        if (go && apart) return
        event.preventDefault()
        if (go) go(path)
        else host.emit('mkopo-navigate', { to, query, target: apart ? 'new' : 'same' })
      }}
    >
      {children}
    </a>
  )
}

/** A link to an order, with the section that it is opened from: by that the time on its page is measured. */
export const OrderLink = ({ orderNo, children }: { orderNo: string; children: ReactNode }) => {
  const { path, props } = useHost()
  const from = props.orderNo === orderNo ? props.from : path?.split('/').at(-1)
  return (
    <ScreenLink to={orderPath} query={{ orderNo, ...(from ? { from } : {}) }}>
      {children}
    </ScreenLink>
  )
}

/** The key of a record in the letters of keys, with its copy icon; an order's leads to its detail. */
export const KeyText = ({ name, value }: { name?: string; value: string }) => (
  <span className="mk-key">
    {name === 'orderNo' ? <OrderLink orderNo={value}>{value}</OrderLink> : value}
    <CopyIcon value={value} />
  </span>
)

/** Draws a value by the kind of its field; `row` gives a sensitive one the record it belongs to. */
export const Value = ({
  name,
  meta,
  value,
  row,
}: {
  name: string
  meta: Meta | null
  value: unknown
  row?: Row
}): ReactNode => {
  const t = useText()
  if (value === null || value === undefined || value === '') return none
  if (!meta) return String(value)
  if (Array.isArray(value) && meta.kind !== 'weekDays')
    return value.length
      ? listed(
          t,
          value.map(one => plain(t, meta, one)),
        )
      : none
  switch (meta.kind) {
    case 'key':
      return <KeyText name={name} value={String(value)} />
    case 'option':
      return <OptionWord dict={meta.dict ?? ''} value={String(value)} />
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

/** Whether a column of this kind is aligned to the right: numbers are compared by their last digit. */
export const alignsRight = (meta: Meta | null) =>
  meta !== null && ['money', 'int', 'minutes', 'seconds', 'rate', 'percent'].includes(meta.kind)
