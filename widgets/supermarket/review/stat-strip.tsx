import { useRead } from '../../../core/client/providers.tsx'
import { review } from '../../../core/contract/supermarket/review.ts'
import { useText } from '../../../core/element/i18n.ts'
import { addDays, eatDate } from '../../../core/rules/time.ts'
import { Flex, Text } from '../../../core/ui/basics.ts'

/** The average, and how many of each rating were hidden in the last 30 days: so that nobody tidies the average. */
export const StatStrip = ({ marketProductNo }: { marketProductNo: string | undefined }) => {
  const t = useText()
  const toDate = eatDate(new Date())
  const input = { ...(marketProductNo ? { marketProductNo } : {}), fromDate: addDays(toDate, -29), toDate }
  const { data } = useRead(review.stat, input, { background: true })
  if (!data) return null
  return (
    <Flex gap="4" wrap="wrap" mb="2">
      <Text size="2">
        {data.average === null ? t('review.notEnough') : t('review.average', { average: data.average.toFixed(1) })}
      </Text>
      {data.list.map((one, index) => (
        <Text size="2" color="gray" key={String(index)}>
          {t('review.hiddenOf', { rating: one.rating, hidden: one.hiddenCount, written: one.writtenCount })}
        </Text>
      ))}
    </Flex>
  )
}
