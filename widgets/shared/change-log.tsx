import type { ReactNode } from 'react'
import { common } from '../../core/contract/common/common.ts'
import { useText } from '../../core/element/i18n.ts'
import { PagedTable } from './paged-table.tsx'

type Values = Readonly<Record<string, unknown>>

/** What a line of the log holds, value by value; what lies in parts is named by its part. */
const Said = ({ sign, values }: { sign: '+' | '−'; values: Values | null }): ReactNode => {
  const t = useText()
  return Object.entries(values ?? {}).map(([name, value]) => {
    if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return null
    if (typeof value === 'object' && !Array.isArray(value))
      return <Said key={name} sign={name === 'lost' ? '−' : sign} values={value as Values} />
    const words = (Array.isArray(value) ? value : [value]).map(one =>
      typeof one === 'object' ? Object.values(one as Values).join(': ') : String(one),
    )
    const label = t.maybe(`fields.${name}`) ?? name
    return (
      <div key={name}>
        {sign} {t('common.labelled', { label, value: words.join(', ') })}
      </div>
    )
  })
}

/** The record whose lines are shown, or an order with everything about it. */
export type LogOf = { objectType: string; objectNo: string } | { orderNo: string }
type Props = LogOf & {
  /** Where the words of the commands lie: `{words}.save` says what `….save` did; else those of the machines say it. */
  words?: string
}

/** Who changed a record and when, with the values before and after. */
export const ChangeLog = ({ words, ...of }: Props) => {
  const t = useText()
  return (
    <PagedTable
      list={common.auditLog}
      filters={of}
      size={10}
      batch={50}
      rowKey="auditNo"
      names={['at', 'action', 'actorName', 'changed']}
      headers={{ changed: t('common.beforeAfter') }}
      cells={{
        action: row => {
          const code = String(row.action)
          return (words && t.maybe(`${words}.${code.split('.')[1]}`)) ?? t.maybe(`machines.${code}`) ?? code
        },
        changed: row => (
          <>
            <Said sign="−" values={row.before as Values | null} />
            <Said sign="+" values={row.after as Values | null} />
          </>
        ),
      }}
      empty={t('common.emptyList')}
      label={t('common.beforeAfter')}
    />
  )
}
