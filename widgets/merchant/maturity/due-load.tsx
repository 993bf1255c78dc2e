import { lazy, Suspense } from 'react'
import { useRead } from '../../../core/client/providers.tsx'
import { maturity } from '../../../core/contract/merchant/maturity.ts'
import { useText } from '../../../core/element/i18n.ts'
import { formatMoney } from '../../../core/rules/amount.ts'
import { addDays, eatDate } from '../../../core/rules/time.ts'
import { Skeleton, Text } from '../../../core/ui/basics.ts'
import { Empty, Failed, Loading } from '../../../core/ui/states.tsx'

const Bars = lazy(async () => ({ default: (await import('../../../core/ui/bars.tsx')).Bars }))
const shownDays = 60

/** Bills that fall due on each of the next 60 days, with holidays and Sundays: so that no campaign is paid out onto one Monday. */
export const DueLoad = ({ maturityNo }: { maturityNo?: string }) => {
  const t = useText()
  const from = eatDate(new Date())
  const read = useRead(maturity.load, { from, to: addDays(from, shownDays - 1), ...(maturityNo ? { maturityNo } : {}) })
  if (!read.data)
    return read.error ? (
      <Failed message={t('common.noConnection')} onRetry={() => void read.retry()} />
    ) : (
      <Loading rows={3} />
    )
  const days = read.data.list
  const words = (day: (typeof days)[number]) =>
    t('maturity.billsOf', { date: day.date, n: day.count, amount: formatMoney(day.amount) }) +
    (day.holiday ? ` · ${day.holiday}` : '')
  const busy = days.filter(day => day.count > 0 || day.holiday)
  if (busy.length === 0) return <Empty title={t('maturity.noBills')} />
  return (
    <>
      <Suspense fallback={<Skeleton height="140px" />}>
        <Bars
          label={t('maturity.chart')}
          bars={days.map(day => ({
            name: day.date.slice(5),
            value: day.count,
            label: words(day),
            quiet: !day.working,
          }))}
        />
      </Suspense>
      <ul className="mk-refused">
        {busy.map(day => (
          <li key={day.date}>{words(day)}</li>
        ))}
      </ul>
      <Text as="p" size="1" color="gray">
        {t('maturity.caseEntry')}
      </Text>
    </>
  )
}
