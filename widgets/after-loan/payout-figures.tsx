import { loan } from '../../core/contract/after-loan/loan.ts'
import { useText } from '../../core/element/i18n.ts'
import { minutesText } from '../../core/i18n/plain.ts'
import { formatMoney } from '../../core/rules/amount.ts'
import { loanCode } from '../../core/rules/machines/after-loan/loan-code.ts'
import { statesOf } from '../../core/rules/machines/machine.ts'
import { Figures, useFigures } from '../shared/figures.tsx'

const shown = statesOf(loanCode).filter(status =>
  ['created', 'remitting', 'unknown', 'failed', 'reversing'].includes(status),
)

/** What stands to be paid, what hangs, and whether the paying accounts cover it. */
export const PayoutFigures = () => {
  const t = useText()
  const read = useFigures(loan.summary, {}, 15_000)
  const { data } = read
  const word = (status: (typeof shown)[number]) =>
    status === 'unknown' ? t('afterLoan.unknown') : t(`dict.LOAN_CODE_STATUS.${status}`)
  return (
    <Figures
      label={t('afterLoan.payouts')}
      read={read}
      list={[
        ...shown.map(status => {
          const one = data?.byStatus[status]?.count ? data.byStatus[status] : undefined
          return {
            label: word(status),
            value: data && (one ? `${one.count} · ${formatMoney(one.amount)}` : 0),
            ...(one && status === 'unknown'
              ? { tone: 'attention' as const }
              : one && status === 'failed'
                ? { tone: 'bad' as const }
                : {}),
          }
        }),
        {
          label: t('afterLoan.oldestUnknown'),
          value: data && (data.oldestUnknownMinutes === null ? '–' : minutesText(t, data.oldestUnknownMinutes)),
        },
        ...(data?.accounts ?? []).map(one => ({
          label: one.accountName,
          value: formatMoney(one.balance),
          tone: one.enough ? ('good' as const) : ('bad' as const),
        })),
      ]}
    />
  )
}
