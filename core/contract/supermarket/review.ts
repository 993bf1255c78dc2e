import { z } from 'zod'
import { productReview as machine } from '../../rules/machines/supermarket/product-review.ts'
import { blockedBy } from '../blocked.ts'
import { command, done, endpoint, list, noun, read, results } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { marketEvents } from './platform.ts'

/** Why a review is hidden. A low rating is no reason. */
export const hideReasons = dictionary('REVIEW_HIDE_REASON', [
  'personal_data',
  'abuse',
  'spam',
  'off_topic',
  'fake',
  'author_request',
])
const verified = dictionary('REVIEW_VERIFIED', ['paid_out', 'applied', 'none'])
const languages = dictionary('REVIEW_LANGUAGE', ['zh', 'en', 'sw'])
/** Reviews that are needed before an average says anything. */
export const enoughReviews = 5
/** Reviews that one person hides in a day by themselves. */
export const hidesADay = 20

const rating = () =>
  z.int('validation.rating').min(1, 'validation.rating').max(5, 'validation.rating').meta({ kind: 'int' })
const perm = 'market:review:page'
const key = { reviewNo: field.key() }

const Row = z.object({
  reviewNo: field.key(),
  createdTime: field.time(),
  marketProductNo: field.key(),
  marketProductName: field.text(),
  platformName: field.text(),
  rating: rating(),
  /** With personal data hidden. */
  reviewText: z.string(),
  reviewLanguage: field.dict(languages),
  verified: field.dict(verified),
  customerName: field.customerName(),
  appCode: field.app(),
  reviewStatus: field.state(machine),
  hideReason: field.dict(hideReasons).nullable(),
  reportCount: field.int(),
  /** A word of the list keeps it from being shown by itself. */
  wordHeld: field.flag(),
  hasReply: field.flag(),
  repliedBy: field.user().nullable(),
  handledBy: field.user().nullable(),
  /** How long it has waited, where it waits. */
  waitedMinutes: field.minutes().nullable(),
  /** What the average is, and would be once it is hidden, or shown; null while there are too few. */
  averageNow: z.number().nullable(),
  averageThen: z.number().nullable(),
  pendingApproval: field.user().nullable(),
  version: z.int(),
  blockedBy: blockedBy(),
})
export type ReviewRow = z.output<typeof Row>

const atOnce = 100
const many = { reviewNos: z.array(field.key()).min(1).max(atOnce) }

/** What customers write of products: read, answered, and taken down for a listed reason. Nothing is written or changed by staff. */
export const review = noun('supermarket/review', {
  page: list('/marketProduct/review/page', {
    perm,
    row: Row,
    filters: {
      marketProductNo: field.option('MARKET_PRODUCT').optional(),
      platformNo: field.option('MARKET_PLATFORM').optional(),
      appCode: field.app().optional(),
      rating: field.intRange().optional(),
      reviewStatus: z.array(field.state(machine)).optional(),
      reviewLanguage: z.array(field.dict(languages)).optional(),
      verified: z.array(field.dict(verified)).optional(),
      hasReply: field.flag().optional(),
      reported: field.flag().optional(),
      reviewText: field.text(64).optional(),
      createdTime: field.dateRange().optional(),
    },
    sort: ['createdTime', 'rating', 'reportCount'],
    defaultSort: '-createdTime',
    exported: { as: 'marketReviews', perm: 'market:review:export' },
  }),
  detail: read('/marketProduct/review/detail', {
    perm,
    input: key,
    output: z.object({
      review: Row,
      replyText: z.string().nullable(),
      replyTime: field.time().nullable(),
      hideRemark: z.string().nullable(),
      appVersion: z.string().nullable(),
      /** The product as it was when the review was written. */
      productThen: z.object({
        marketProductName: field.text(),
        amountMax: field.money(),
        allInMonthRate: field.percent().nullable(),
      }),
      /** What the author did with the product. */
      course: z.array(
        z.object({ stepNo: z.int(), event: z.enum(['click', ...marketEvents.values]), at: field.time() }),
      ),
      history: z.array(
        z.object({
          historyNo: z.int(),
          event: z.string(),
          actorName: field.user(),
          at: field.time(),
          reason: z.string().nullable(),
        }),
      ),
    }),
  }),
  /** How reviews of a product, or of all, stand by rating: so that nobody tidies the average. */
  stat: endpoint({
    method: 'POST',
    path: '/marketProduct/review/stat',
    perm,
    input: z
      .strictObject({
        marketProductNo: field.option('MARKET_PRODUCT').optional(),
        fromDate: field.date(),
        toDate: field.date(),
      })
      .refine(({ fromDate, toDate }) => fromDate <= toDate, { path: ['toDate'], message: 'validation.wrongValue' }),
    output: z.object({
      /** The mean of shown reviews, null while there are fewer than five. */
      average: z.number().nullable(),
      list: z.array(
        z.object({
          rating: rating(),
          writtenCount: field.int(),
          shownCount: field.int(),
          hiddenCount: field.int(),
          hiddenShare: field.percent().nullable(),
        }),
      ),
    }),
  }),
  show: command({
    path: '/marketProduct/review/show',
    perm: 'market:review:handle',
    audit: 'review.show',
    on: { machine, event: 'review.show', key: 'reviewNos' },
    input: z.strictObject(many),
    output: results,
  }),
  /** Hides for a listed reason; above so many a day, or where low ratings are hidden much oftener, a second person agrees. */
  hide: command({
    path: '/marketProduct/review/hide',
    perm: 'market:review:handle',
    audit: 'review.hide',
    on: { machine, event: 'review.hide', key: 'reviewNos' },
    input: z.strictObject({ ...many, hideReason: field.dict(hideReasons), remark: field.remark().optional() }),
    output: results,
  }),
  /** The answer of the brand below a review. */
  reply: command({
    path: '/marketProduct/review/reply',
    perm: 'market:review:reply',
    audit: 'review.reply',
    input: z.strictObject({
      ...key,
      version: z.int(),
      replyText: field.longText(500),
      confirmWord: z.boolean().optional(),
    }),
    output: done,
  }),
})

const Shown = z.object({
  reviewNo: field.key(),
  rating: rating(),
  reviewText: z.string(),
  reviewLanguage: field.dict(languages),
  verified: field.dict(verified),
  createdTime: field.time(),
  replyText: z.string().nullable(),
})
export type ShownReview = z.output<typeof Shown>

/** What the apps of merchants call, which sign as they sign applications. */
export const marketReview = noun('supermarket/review', {
  /** A customer writes of a product that they opened, or changes what they wrote. */
  write: endpoint({
    method: 'POST',
    path: '/noAuth/marketProduct/review/write',
    auth: 'merchant',
    input: z.strictObject({
      customerNo: field.key(),
      marketProductNo: field.key(),
      appCode: field.app(),
      appVersion: field.text(20),
      rating: rating(),
      reviewText: field.longText(500),
      reviewLanguage: field.dict(languages),
    }),
    output: z.object({ reviewNo: field.key() }),
  }),
  /** Another customer says that a review breaks the rules; each of them once. */
  report: endpoint({
    method: 'POST',
    path: '/noAuth/marketProduct/review/report',
    auth: 'merchant',
    input: z.strictObject({ customerNo: field.key(), reviewNo: field.key() }),
    output: z.object({}),
  }),
  shown: endpoint({
    method: 'POST',
    path: '/noAuth/marketProduct/review/list',
    auth: 'merchant',
    input: z.strictObject({ marketProductNo: field.key() }),
    output: z.object({ average: z.number().nullable(), count: field.int(), list: z.array(Shown) }),
  }),
})
