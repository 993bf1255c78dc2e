import { useRead } from '../../core/client/providers.tsx'
import { auditManage } from '../../core/contract/audit-manage.ts'
import { dictionaries } from '../../core/contract/dictionaries.ts'
import { useText } from '../../core/element/i18n.ts'
import { formatMoney } from '../../core/rules/amount.ts'
import { Figures } from '../shared/figures.tsx'

/** How many orders of the filter stand in each status, and what they add up to. */
export const StatusChips = ({ filters }: { filters: Readonly<Record<string, unknown>> }) => {
  const t = useText()
  const { data } = useRead(auditManage.manageSum, { filters }, { background: true })
  const statuses = dictionaries.ORDER_STATUS.filter(status => data?.byStatus[status])
  return (
    <Figures
      label={t('audit.totals')}
      list={[
        { label: t('audit.count'), value: data?.count },
        { label: t('fields.loanAmount'), value: data && formatMoney(data.loanAmount) },
        { label: t('fields.actualLoanAmount'), value: data && formatMoney(data.actualLoanAmount) },
        { label: t('fields.overdue'), value: data?.overdue, ...(data?.overdue ? { tone: 'bad' as const } : {}) },
        ...statuses.map(status => ({ label: t(`dict.ORDER_STATUS.${status}`), value: data?.byStatus[status] })),
      ]}
    />
  )
}
