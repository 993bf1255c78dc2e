import type { ReactNode } from 'react'
import { useRead } from '../../core/client/providers.tsx'
import { auditManage } from '../../core/contract/audit-manage.ts'
import { dictionaries } from '../../core/contract/dictionaries.ts'
import { useText } from '../../core/element/i18n.ts'
import { Button, Flex } from '../../core/ui/basics.ts'

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
  const { data } = useRead(auditManage.manageSum, { filters }, { background: true })
  const chosen = (filters.orderStatus ?? []) as readonly string[]
  const statuses = dictionaries.ORDER_STATUS.filter(status => data?.byStatus[status] || chosen.includes(status))
  const press = (status: string) => {
    const next = chosen.includes(status) ? chosen.filter(one => one !== status) : [...chosen, status]
    apply({ ...filters, orderStatus: next.length ? next : undefined })
  }
  const late = filters.overdue === true
  return (
    <Flex gap="1" wrap="wrap" minHeight="24px" role="group" aria-label={t('audit.byStatus')}>
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
    </Flex>
  )
}
