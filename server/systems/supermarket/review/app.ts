import { sql } from 'kysely'
import { enoughReviews, marketReview, type ShownReview } from '../../../../core/contract/supermarket/review.ts'
import type { Tx } from '../../../db/database.ts'
import { json } from '../../../db/json.ts'
import { Fault, notFound } from '../../../http/fault.ts'
import { serveSigned } from '../../../http/serve.ts'
import type { Deps } from '../../../module.ts'
import { newNo } from '../../../money/numbers.ts'
import { create, transition } from '../../../states/transition.ts'
import { merchantSecrets, merchantSigner } from '../../common/index.ts'
import { hitsIn } from '../../operation/sensitive-word/index.ts'
import type { Review } from './blocks.ts'
import { masked, verified } from './source.ts'

const most = 50

/** Whether a word of the list keeps a text from being shown by itself. */
const isHeld = async (tx: Tx, text: string) => (await hitsIn(tx, 'feedback_reply', text)).length > 0

const productThen = async (tx: Tx, marketProductNo: string) => {
  const row = await tx.maybe(sql<{ marketProductName: string; amountMax: string; allInMonthRate: string | null }>`
    select market_product_name, amount_max, all_in_month_rate from market_product where market_product_no = ${marketProductNo} and deleted_time is null`)
  if (!row) throw notFound()
  return row
}

/** The author changes it: it waits again. */
const change = async (
  tx: Tx,
  before: Review,
  said: Record<string, unknown>,
  actor: Parameters<typeof transition>[4],
) => {
  const set = { ...said, hideReason: null, hideRemark: null }
  if (before.reviewStatus !== 'pending') {
    await transition(
      tx,
      'productReview',
      before,
      { event: 'review.edit', set, payload: { before: before.reviewText } },
      actor,
    )
    return before.reviewNo
  }
  await tx.exec(sql`
    update product_review set rating = ${said.rating}, review_text = ${said.reviewText}, review_language = ${said.reviewLanguage}, word_held = ${said.wordHeld},
      pending_since = ${tx.now}, version = version + 1 where review_no = ${before.reviewNo}`)
  return before.reviewNo
}

type Signer = (tx: Tx, request: Parameters<typeof merchantSigner>[1]) => ReturnType<typeof merchantSigner>

const writing = (signer: Signer) =>
  serveSigned(marketReview.write, {
    signer,
    async handle({ tx, input, actor }, merchant) {
      const { customerNo, marketProductNo, appCode, appVersion, rating, reviewText, reviewLanguage } = input
      if (merchant.appName !== appCode) throw new Fault('forbidden', 'errors.forbidden')
      const clicked = await tx.maybe(sql`
        select 1 from market_click c join merchant_customer mc using (customer_no)
        where c.customer_no = ${customerNo} and c.market_product_no = ${marketProductNo} and mc.merchant_no = ${merchant.merchantNo} limit 1`)
      if (!clicked) throw new Fault('stateConflict', 'errors.reviewWithoutClick')
      const then = json(await productThen(tx, marketProductNo))
      const said = {
        rating,
        reviewText,
        reviewLanguage,
        appVersion,
        productThen: then,
        wordHeld: await isHeld(tx, reviewText),
        pendingSince: tx.now,
      }
      const before = await tx.maybe(sql<Review>`
        select * from product_review where customer_no = ${customerNo} and market_product_no = ${marketProductNo} for update`)
      if (before) return { reviewNo: await change(tx, before, said, actor) }
      const reviewNo = newNo('RV', tx.now)
      const values = {
        reviewNo,
        marketProductNo,
        customerNo,
        merchantNo: merchant.merchantNo,
        appCode,
        ...said,
        createdTime: tx.now,
      }
      await create(tx, 'productReview', values, { event: 'review.write' }, actor)
      return { reviewNo }
    },
  })

const reporting = (signer: Signer) =>
  serveSigned(marketReview.report, {
    signer,
    async handle({ tx, input }, merchant) {
      const { customerNo, reviewNo } = input
      const found = await tx.maybe(sql`
        select 1 from product_review x, merchant_customer mc
        where x.review_no = ${reviewNo} and x.review_status = 'shown' and mc.customer_no = ${customerNo} and mc.merchant_no = ${merchant.merchantNo} and x.customer_no <> ${customerNo}`)
      if (!found) throw notFound()
      const first = await tx.maybe(sql<{ reviewNo: string }>`
        insert into product_review_report (review_no, customer_no, at) values (${reviewNo}, ${customerNo}, ${tx.now}) on conflict do nothing returning review_no`)
      if (first)
        await tx.exec(sql`update product_review set report_count = report_count + 1 where review_no = ${reviewNo}`)
      return {}
    },
  })

const showing = (signer: Signer) =>
  serveSigned(marketReview.shown, {
    signer,
    async handle({ tx, input }) {
      const { n, mean } = await tx.one(sql<{ n: number; mean: number | null }>`
        select count(*)::int as n, round(avg(rating), 1)::float8 as mean from product_review where market_product_no = ${input.marketProductNo} and review_status = 'shown'`)
      const list = await tx.rows(sql<ShownReview>`
        select x.review_no, x.rating, ${masked(sql`x.review_text`)} as review_text, x.review_language, ${verified} as verified, x.created_time, x.reply_text
        from product_review x where x.market_product_no = ${input.marketProductNo} and x.review_status = 'shown' order by x.created_time desc, x.review_no limit ${most}`)
      return { average: n >= enoughReviews ? mean : null, count: n, list }
    },
  })

/** What the apps of merchants send and show of reviews. */
export const appCalls = ({ secretKey }: Pick<Deps, 'secretKey'>) => {
  const secrets = merchantSecrets(secretKey)
  const signer: Signer = (tx, request) => merchantSigner(tx, request, secrets)
  return [writing(signer), reporting(signer), showing(signer)]
}
