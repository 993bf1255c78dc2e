import { sql } from 'kysely'
import { review as calls } from '../../../../core/contract/supermarket/review.ts'
import { blocks } from '../../../approval/blocks.ts'
import { Fault } from '../../../http/fault.ts'

/** A review as it is stored. */
export type Review = {
  reviewNo: string
  reviewStatus: string
  marketProductNo: string
  merchantNo: string
  customerNo: string
  rating: number
  reviewText: string
  replyText: string | null
  version: number
} & Record<string, unknown>

export type ReviewFacts = { review: Review; waits: boolean }

export const reviewBlocks = blocks<ReviewFacts>({
  read: async (tx, keys) => {
    const rows = await tx.rows(sql<Review>`select x.* from product_review x where x.review_no = any(${[...keys]})`)
    const waiting = await tx.rows(sql<{ no: string }>`
      select object_no as no from approval where object_type = 'product_review' and approval_status = 'pending' and object_no = any(${[...keys]})`)
    const waits = new Set(waiting.map(({ no }) => no))
    return new Map(rows.map(review => [review.reviewNo, { review, waits: waits.has(review.reviewNo) }]))
  },
  states: ({ review }) => ({ productReview: review.reviewStatus as never }),
  waits: ({ waits }) => waits,
  commands: [
    { command: calls.show },
    { command: calls.hide },
    {
      command: calls.reply,
      evenWhileWaiting: true,
      refuses: ({ review }) =>
        review.reviewStatus === 'shown'
          ? null
          : new Fault('stateConflict', 'errors.replyShownOnly', {}, { status: review.reviewStatus }),
    },
  ],
})
