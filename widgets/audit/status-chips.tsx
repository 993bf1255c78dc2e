import type { ReactNode } from 'react'
import { auditManage } from '../../core/contract/audit/order-list.ts'
import { useText } from '../../core/element/i18n.ts'
import { statesOf } from '../../core/rules/machines/machine.ts'
import { order } from '../../core/rules/machines/order/order.ts'
import { Button } from '../../core/ui/basics.ts'
import { FiguresFailed, useFigures } from '../shared/figures.tsx'

type Filters = Readonly<Record<string, unknown>>
type Props = { filters: Filters; apply: (filters: Filters) => void }

const Chip = ({ on, press, children }: { on: boolean; press: () => void; children: ReactNode }) => (
  <Button size="1" variant={on ? 'solid' : 'soft'} color={on ? undefined : 'gray'} aria-pressed={on} onClick={press}>
    {children}
  </Button>
)

/** How many orders of the filter stand in each status, and how many are overdue; pressing one shows them alone, and again all. */
export const StatusChips = ({ filters, apply }: Props) => {
  const t = useText()
  const read = useFigures(auditManage.manageSum, { filters })
  const { data } = read
  const chosen = (filters.orderStatus ?? []) as readonly string[]
  const statuses = statesOf(order).filter(status => data?.byStatus[status] || chosen.includes(status))
  const press = (status: string) => {
    const next = chosen.includes(status) ? chosen.filter(one => one !== status) : [...chosen, status]
    apply({ ...filters, orderStatus: next.length ? next : undefined })
  }
  const late = filters.overdue === true
  return (
    <div className="mk-chips" role="group" aria-label={t('audit.byStatus')} data-stale={read.error ? true : undefined}>
      {statuses.map(status => (
        <Chip key={status} on={chosen.includes(status)} press={() => press(status)}>
          {t(`dict.ORDER_STATUS.${status}`)} {(data?.byStatus[status] ?? 0).toLocaleString('en')}
        </Chip>
      ))}
      {(late || (data?.overdue ?? 0) > 0) && (
        <Chip on={late} press={() => apply({ ...filters, overdue: late ? undefined : true })}>
          {t('fields.overdue')} {(data?.overdue ?? 0).toLocaleString('en')}
        </Chip>
      )}
      <FiguresFailed read={read} />
    </div>
  )
}
