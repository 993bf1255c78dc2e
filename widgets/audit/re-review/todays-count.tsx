import { reReview } from '../../../core/contract/audit/re-review.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Figures, useFigures } from '../../shared/figures.tsx'

/** How many applications the reader has made today, and may still make. */
export const TodaysCount = () => {
  const t = useText()
  const read = useFigures(reReview.quota, {}, 60_000)
  const { data } = read
  return (
    <Figures
      label={t('reReview.today')}
      read={read}
      list={[
        { label: t('fields.submittedToday'), value: data?.submittedToday },
        {
          label: t('fields.remainingToday'),
          value: data?.remainingToday,
          ...(data?.remainingToday === 0 ? { tone: 'attention' as const } : {}),
        },
        { label: t('fields.dailyCount'), value: data?.dailyCount },
      ]}
    />
  )
}
