import { type RawBuilder, sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { enoughReviews } from '../../../../core/contract/supermarket/review.ts'
import { listed, type Reader } from '../../../lists/listed.ts'
import { scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import { reviewBlocks } from './blocks.ts'

const { review } = contract
type Frag = RawBuilder<unknown>
const perm = review.page.perm as string

/** Reviews `x` that a person sees: those of the apps of their merchants, no matter who answers them. */
export const reviewScope = (session: Session, of = perm): Frag =>
  scope(session, { merchant: 'x.merchant_no', holder: () => sql`true`, perm: of })

/** A text without what looks like a phone, an account, a national ID or an address. */
export const masked = (column: Frag): Frag => sql`
  regexp_replace(regexp_replace(regexp_replace(${column}, '[[:alnum:]._%+-]+@[[:alnum:]-]+([.][[:alnum:]-]+)+', '•••', 'g'), '\\mC[FM][A-Z0-9]{12}\\M', '•••', 'gi'), '[+]?[0-9][0-9 ()-]{5,}[0-9]', '•••', 'g')`

/** How far the author came with the product, by what the partner reported. */
export const verified = sql`(case when exists (select 1 from market_click c join market_postback b on b.click_id = c.click_id and b.platform_no = c.platform_no and b.postback_result = 'accepted'
    where c.customer_no = x.customer_no and c.market_product_no = x.market_product_no and b.market_event = 'payout') then 'paid_out'
  when exists (select 1 from market_click c join market_postback b on b.click_id = c.click_id and b.platform_no = c.platform_no and b.postback_result = 'accepted'
    where c.customer_no = x.customer_no and c.market_product_no = x.market_product_no and b.market_event = 'apply') then 'applied' else 'none' end)`

/** The reviews of the product of `x` that customers see: how many, and the sum of their stars. */
const seen = sql`left join lateral (select count(*)::int as n, coalesce(sum(y.rating), 0)::int as stars from product_review y
  where y.market_product_no = x.market_product_no and y.review_status = 'shown') seen on true`
const mean = (stars: Frag, n: Frag): Frag =>
  sql`(case when (${n}) >= ${enoughReviews} then round((${stars})::numeric / (${n}), 1) end)::float8`

const nameOf = (column: string): Frag =>
  sql`(select u.real_name from app_user u where u.user_no = ${sql.ref(`x.${column}`)})`

/** Reviews `x` as staff see them. */
export const reviewSource = ({ tx, session }: Reader) => ({
  from: sql`product_review x`,
  alias: 'x',
  key: sql`x.review_no`,
  where: reviewScope(session),
  joins: {
    p: sql`join market_product p on p.market_product_no = x.market_product_no join supermarket_platform f on f.platform_no = p.platform_no`,
    c: sql`join customer c on c.customer_no = x.customer_no`,
    seen,
  },
  columns: {
    marketProductName: sql`p.market_product_name`,
    platformName: sql`f.platform_name`,
    reviewText: masked(sql`x.review_text`),
    customerName: sql`c.customer_name`,
    verified,
    hasReply: sql`(x.reply_text is not null)`,
    repliedBy: nameOf('replied_by'),
    handledBy: nameOf('handled_by'),
    waitedMinutes: sql`(case when x.review_status = 'pending' then floor(extract(epoch from ${tx.now}::timestamptz - x.pending_since) / 60)::int end)`,
    averageNow: mean(sql`seen.stars`, sql`seen.n`),
    averageThen: sql`(case when x.review_status = 'shown' then ${mean(sql`seen.stars - x.rating`, sql`seen.n - 1`)} else ${mean(sql`seen.stars + x.rating`, sql`seen.n + 1`)} end)`,
    pendingApproval: sql`(select a.maker_name from approval a where a.object_type = 'product_review' and a.object_no = x.review_no and a.approval_status = 'pending' limit 1)`,
  },
})

/** The list of reviews. */
export const reviewList = listed({
  list: review.page,
  source: at => ({
    ...reviewSource(at),
    filters: {
      platformNo: (no: string) => sql`p.platform_no = ${no}`,
      hasReply: (is: boolean) => sql`(x.reply_text is not null) = ${is}`,
      reported: (is: boolean) => sql`(x.report_count > 0) = ${is}`,
      reviewText: (text: string) => sql`position(lower(${text}) in lower(${masked(sql`x.review_text`)})) > 0`,
    },
  }),
  blocked: reviewBlocks,
})
