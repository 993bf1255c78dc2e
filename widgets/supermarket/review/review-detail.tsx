import { useRead } from '../../../core/client/providers.tsx'
import { common } from '../../../core/contract/common/common.ts'
import { type ReviewRow, review } from '../../../core/contract/supermarket/review.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts, Section } from '../../../core/engine/drawer/facts.tsx'
import { ApprovalBox } from '../../../core/engine/form/approval-box.tsx'
import { Dict } from '../../../core/engine/table/value.tsx'
import { dictText } from '../../../core/i18n/plain.ts'
import { formatMoney } from '../../../core/rules/amount.ts'
import { eatDateTime } from '../../../core/rules/time.ts'
import { Text } from '../../../core/ui/basics.ts'
import { Loaded } from '../../shared/loaded.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

type Row = ReviewRow

/** Stars of a rating; a screen reader hears the number. */
export const Stars = ({ rating }: { rating: number }) => {
  const t = useText()
  const words = t('review.stars', { n: rating })
  return (
    <span role="img" aria-label={words} title={words}>
      {'★'.repeat(rating)}
      {'☆'.repeat(5 - rating)}
    </span>
  )
}

/** Its product and state beside the number. */
export const reviewHead = (row: Row) => (
  <>
    <Dict dict="REVIEW_STATUS" value={row.reviewStatus} />
    <Text size="2" truncate>
      {row.marketProductName}
    </Text>
  </>
)

const Waiting = ({ row }: { row: Row }) => {
  const input = { objectType: 'product_review', objectNo: row.reviewNo, approvalStatus: ['pending' as const] }
  const read = useRead(common.approvals, input)
  return (
    <Loaded read={read}>
      {({ list }) =>
        list.map(one => <ApprovalBox key={one.approvalNo} approval={one} onChange={() => void read.retry()} />)
      }
    </Loaded>
  )
}

/** The answer, what the author did with the product, and what was done about the review. */
const Course = ({ row }: { row: Row }) => {
  const t = useText()
  const { detail } = review
  return (
    <Loaded read={useRead(detail, { reviewNo: row.reviewNo })}>
      {({ replyText, replyTime, hideRemark, productThen, course, history }) => (
        <>
          {replyText !== null && (
            <Section title={t('fields.replyText')}>
              <Text as="p" size="2">
                {replyText}
              </Text>
              <Text as="p" size="1" color="gray">
                {row.repliedBy} {replyTime && eatDateTime(replyTime).slice(0, 16)}
              </Text>
            </Section>
          )}
          {hideRemark && (
            <Text as="p" size="2" color="gray">
              {hideRemark}
            </Text>
          )}
          <Text as="p" size="2" mb="2">
            {t('review.productThen', {
              name: productThen.marketProductName,
              max: formatMoney(productThen.amountMax),
              rate: productThen.allInMonthRate ?? '–',
            })}
          </Text>
          <Section title={t('review.course')}>
            <SmallTable
              schema={detail.output.shape.course.element}
              rows={course}
              rowKey="stepNo"
              names={['at', 'event']}
              empty="–"
              cells={{
                event: one => (one.event === 'click' ? t('review.clicked') : dictText(t, 'MARKET_EVENT', one.event)),
              }}
            />
          </Section>
          <Section title={t('config.history')}>
            <SmallTable
              schema={detail.output.shape.history.element}
              rows={history}
              rowKey="historyNo"
              names={['at', 'event', 'actorName', 'reason']}
              empty="–"
              cells={{
                event: one => t.maybe(`machines.${one.event}`) ?? one.event,
                reason: one => (one.reason ? dictText(t, 'REVIEW_HIDE_REASON', one.reason) : '–'),
              }}
            />
          </Section>
        </>
      )}
    </Loaded>
  )
}

/** The whole text, what its author did with the product, and what was done about it. */
export const ReviewDetail = ({ row }: { row: Row }) => {
  const t = useText()
  const { page } = review
  return (
    <>
      {row.pendingApproval !== null && <Waiting row={row} />}
      <Section title={t('fields.reviewText')}>
        <Stars rating={row.rating} />
        <Text as="p" size="3" lang={row.reviewLanguage}>
          {row.reviewText}
        </Text>
      </Section>
      <Facts
        schema={page.row}
        value={row}
        names={[
          'createdTime',
          'customerName',
          'verified',
          'appCode',
          'reportCount',
          'wordHeld',
          'hideReason',
          'handledBy',
        ]}
      />
      <Course row={row} />
    </>
  )
}
