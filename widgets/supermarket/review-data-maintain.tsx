import { approvalCalls } from '../../core/contract/common/approval.ts'
import { common } from '../../core/contract/common/common.ts'
import { type ReviewRow, review } from '../../core/contract/supermarket/review.ts'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import type { Words } from '../../core/engine/screen.ts'
import { ReviewDetail, reviewHead, Stars } from './review/review-detail.tsx'
import { StatStrip } from './review/stat-strip.tsx'

type Row = ReviewRow
const shownOf = (average: number | null | undefined) => (average == null ? '–' : average.toFixed(1))

/** What hiding does to the average of the product. */
const asksHide = (rows: readonly Row[]): Words => {
  const [row] = rows
  return row && rows.length === 1
    ? {
        key: 'review.confirmHide',
        params: { name: row.marketProductName, now: shownOf(row.averageNow), later: shownOf(row.averageThen) },
      }
    : { key: 'review.confirmHideMany', params: { n: rows.length } }
}

/** Service and operations staff read what customers write about products, answer it, and take down what breaks the rules. */
export default listScreen({
  list: review.page,
  rowKey: 'reviewNo',
  start: { createdTime: 'last30' },
  filters: [
    'marketProductNo',
    'reviewStatus',
    'rating',
    'createdTime',
    'platformNo',
    'appCode',
    'reviewLanguage',
    'verified',
    'hasReply',
    'reported',
    'reviewText',
  ],
  presets: [
    { label: 'review.waiting', filters: { reviewStatus: ['pending'] }, sort: 'createdTime' },
    { label: 'review.reported', filters: { reported: true } },
    { label: 'review.lowUnanswered', filters: { rating: [1, 2], hasReply: false } },
  ],
  columns: [
    'createdTime',
    { id: 'marketProductName', width: 150 },
    { id: 'rating', cell: (row: Row) => <Stars rating={row.rating} /> },
    { id: 'reviewText', width: 320, cell: (row: Row) => row.reviewText.slice(0, 120) },
    'reviewLanguage',
    'verified',
    'customerName',
    'reviewStatus',
    'hideReason',
    'reportCount',
    'wordHeld',
    'hasReply',
    'repliedBy',
    'handledBy',
    'waitedMinutes',
    'pendingApproval',
  ],
  more: ['reviewNo', 'platformName', 'appCode'],
  row: act => [act(review.reply, { label: 'review.reply', ask: ['replyText'], done: 'config.saved' })],
  rowAndBulk: act => [
    act(review.show, {
      label: 'review.show',
      shortcut: 'acknowledge',
      confirm: rows => ({ key: 'review.confirmShow', params: { n: rows.length } }),
    }),
    act(review.hide, { label: 'review.hide', tone: 'danger', ask: ['hideReason', 'remark'], confirm: asksHide }),
  ],
  above: filters => <StatStrip marketProductNo={filters.marketProductNo} />,
  head: reviewHead,
  detail: row => <ReviewDetail row={row} />,
  also: [review.detail, review.stat, common.options, common.apps, ...approvalCalls],
})
