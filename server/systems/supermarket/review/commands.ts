import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { hidesADay } from '../../../../core/contract/supermarket/review.ts'
import { startOfEatDay } from '../../../../core/rules/time.ts'
import { requestApproval } from '../../../approval/approval.ts'
import type { Tx } from '../../../db/database.ts'
import { checkVersion, notFound } from '../../../http/fault.ts'
import { type Call, serve, serveEach } from '../../../http/serve.ts'
import type { ApprovalAction } from '../../../module.ts'
import type { Actor } from '../../../rights/actor.ts'
import { transition } from '../../../states/transition.ts'
import { checkText } from '../../operation/sensitive-word/index.ts'
import { type Review, reviewBlocks } from './blocks.ts'
import { reviewScope } from './source.ts'

const { review } = contract
type Command = Parameters<typeof reviewBlocks.check>[1]
const lookBackDays = 30
/** Low ratings that have to be hidden before their share says anything. */
const fewHidden = 5

/** A review within the data rule, locked, and in a state for what is asked. */
const held = async (at: Pick<Call, 'tx' | 'session'>, command: Command, no: string): Promise<Review> => {
  const row = await at.tx.maybe(
    sql<Review>`select x.* from product_review x where x.review_no = ${no} and ${reviewScope(at.session, command.perm)} for update`,
  )
  if (!row) throw notFound()
  await reviewBlocks.check(at, command, no)
  return row
}

const handled = (tx: Tx, actor: Actor) => ({ handledBy: actor.no, handledTime: tx.now })

const show = serveEach(review.show, {
  ids: input => input.reviewNos,
  row: async (no, call) => {
    const { tx, actor, audit } = call
    const row = await held(call, review.show, no)
    const set = { ...handled(tx, actor), hideReason: null, hideRemark: null, wordHeld: false }
    await transition(tx, 'productReview', row, { event: 'review.show', as: 'person', set }, actor)
    audit({
      objectType: 'product_review',
      objectNo: no,
      before: { reviewStatus: row.reviewStatus },
      after: { reviewStatus: 'shown' },
    })
  },
})

/** Above the limit of a day, or where low ratings are hidden more than twice as often as good ones, a second person agrees. */
const needsSecond = async (tx: Tx, userNo: string, { rating }: Review): Promise<boolean> => {
  const { n } = await tx.one(sql<{ n: number }>`
    select count(*)::int as n from state_transition where machine = 'M88' and event = 'review.hide' and actor = ${userNo} and at >= ${startOfEatDay(tx.today)}`)
  if (n >= hidesADay) return true
  if (rating > 2) return false
  const since = new Date(tx.now.getTime() - lookBackDays * 86_400_000)
  const { low, lowHidden, good, goodHidden } = await tx.one(sql<
    Record<'low' | 'lowHidden' | 'good' | 'goodHidden', number>
  >`
    select count(*) filter (where rating <= 2)::int as low, count(*) filter (where rating <= 2 and review_status = 'hidden')::int as low_hidden,
      count(*) filter (where rating >= 4)::int as good, count(*) filter (where rating >= 4 and review_status = 'hidden')::int as good_hidden
    from product_review where created_time >= ${since}`)
  return lowHidden + 1 > fewHidden && (lowHidden + 1) / Math.max(1, low) > 2 * (goodHidden / Math.max(1, good))
}

type Hiding = { hideReason: string; remark: string | null }

const hideNow = (tx: Tx, row: Review, { hideReason, remark }: Hiding, actor: Actor) =>
  transition(
    tx,
    'productReview',
    row,
    {
      event: 'review.hide',
      set: { ...handled(tx, actor), hideReason, hideRemark: remark },
      payload: { reason: hideReason, ...(remark ? { remark } : {}) },
    },
    actor,
  )

const hide = serveEach(review.hide, {
  ids: input => input.reviewNos,
  row: async (no, call) => {
    const { tx, input, session, actor, audit } = call
    const row = await held(call, review.hide, no)
    const hiding = { hideReason: input.hideReason, remark: input.remark || null }
    const waits = await needsSecond(tx, session.userNo, row)
    if (waits)
      await requestApproval(call, {
        action: 'productReview.hide',
        perm: review.hide.perm as string,
        objectType: 'product_review',
        objectNo: no,
        merchantNo: row.merchantNo,
        version: row.version,
        payload: { ...hiding, version: row.version },
        summary: [
          { label: 'fields.hideReason', before: null, after: `dict.REVIEW_HIDE_REASON.${hiding.hideReason}` },
          { label: 'fields.rating', before: null, after: String(row.rating) },
        ],
      })
    else await hideNow(tx, row, hiding, actor)
    audit({
      objectType: 'product_review',
      objectNo: no,
      before: { reviewStatus: row.reviewStatus },
      after: waits ? { asked: true, ...hiding } : { reviewStatus: 'hidden', ...hiding },
    })
  },
})

/** A second person agrees that a review is hidden. */
export const hideApproval: ApprovalAction = {
  action: 'productReview.hide',
  perm: review.hide.perm as string,
  money: false,
  async execute(tx, { objectNo, payload, checker }) {
    const row = await tx.maybe(sql<Review>`select x.* from product_review x where x.review_no = ${objectNo} for update`)
    if (!row) throw notFound()
    checkVersion(row, Number(payload.version))
    const { hideReason, remark = null } = payload as Hiding
    await hideNow(tx, row, { hideReason, remark }, checker)
  },
}

const reply = serve(review.reply, async call => {
  const { tx, input, actor, audit } = call
  const { reviewNo, replyText } = input
  const row = await held(call, review.reply, reviewNo)
  checkVersion(row, input.version)
  const refusal = await checkText(call, {
    scope: 'feedback_reply',
    text: replyText,
    confirmed: input.confirmWord,
    objectType: 'product_review',
    objectNo: reviewNo,
  })
  if (refusal) return refusal
  await tx.exec(sql`
    update product_review set reply_text = ${replyText}, reply_time = ${tx.now}, replied_by = ${actor.no}, version = version + 1 where review_no = ${reviewNo}`)
  audit({
    objectType: 'product_review',
    objectNo: reviewNo,
    before: { replyText: row.replyText },
    after: { replyText },
  })
  return { version: row.version + 1 }
})

export const reviewCommands = [show, hide, reply]
