import type { WarningRow } from '../../core/contract/portal/warning.ts'
import { useText } from '../../core/element/i18n.ts'
import { ScreenLink } from '../../core/engine/table/value.tsx'
import { StatusBadge } from '../../core/ui/status-badge.tsx'

const tones = { info: 'progress', warning: 'attention', critical: 'bad' } as const

/** How bad it is: in colour and in words. */
export const Level = ({ value }: { value: WarningRow['warningLevel'] }) => (
  <StatusBadge tone={tones[value]} label={useText()(`dict.WARNING_LEVEL.${value}`)} />
)

/** An address with its query, as links of the console take it. */
export const targetOf = (route: string | null) => {
  const { pathname, searchParams } = new URL(route ?? '/', 'https://console.invalid')
  return { to: pathname, query: Object.fromEntries(searchParams) }
}

/** A record by its number, as a link where it has a page. */
export const RecordLink = ({ of: { objectNo, route } }: { of: { objectNo: string | null; route: string | null } }) => {
  if (!objectNo) return <span className="mk-none">–</span>
  const number = <span className="mk-key">{objectNo}</span>
  return route ? <ScreenLink {...targetOf(route)}>{number}</ScreenLink> : number
}
