import type { Trial } from '../../../core/contract/after-loan/repayment.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Dict } from '../../../core/engine/table/value.tsx'
import { formatMoney } from '../../../core/rules/amount.ts'
import { AmountsTable } from '../../shared/amounts-table.tsx'
import { Figures } from '../../shared/figures.tsx'

/** What would be posted: due, applied and waived by component, and how the order stands afterwards. */
export const TrialView = ({ trial, extending = false }: { trial: Trial; extending?: boolean }) => {
  const t = useText()
  const extension = extending ? trial.extension : null
  return (
    <div className="mk-trial" aria-live="polite">
      <AmountsTable
        label={t('afterLoan.trial')}
        rows={[
          { key: 'due', label: t('fields.due'), amounts: trial.due },
          { key: 'applied', label: t('fields.applied'), amounts: trial.applied },
          { key: 'waived', label: t('fields.waived'), amounts: trial.waived },
        ]}
      />
      <Figures
        label={t('afterLoan.afterwards')}
        list={[
          { label: t('fields.valueDate'), value: trial.valueDate },
          ...(extension ? [{ label: t('fields.extensionFee'), value: formatMoney(extension.extensionFee) }] : []),
          ...(trial.couponAmount === '0.00'
            ? []
            : [{ label: t('fields.couponAmount'), value: formatMoney(trial.couponAmount) }]),
          { label: t('fields.overflowAmount'), value: formatMoney(trial.overflow) },
          { label: t('afterLoan.outstandingAfter'), value: formatMoney(trial.outstandingAfter) },
          { label: t('fields.orderStatus'), value: <Dict dict="ORDER_STATUS" value={trial.orderStatusAfter} /> },
        ]}
      />
    </div>
  )
}
