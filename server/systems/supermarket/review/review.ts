import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { OutputOf } from '../../../../core/contract/endpoint.ts'
import { enoughReviews, type ReviewRow } from '../../../../core/contract/supermarket/review.ts'
import { addDays, startOfEatDay } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { eachItem } from '../../../jobs/scheduler.ts'
import { serveListed } from '../../../lists/listed.ts'
import type { Deps, Module } from '../../../module.ts'
import { system } from '../../../rights/actor.ts'
import { transition } from '../../../states/transition.ts'
import { appCalls } from './app.ts'
import { type Review, reviewBlocks } from './blocks.ts'
import { hideApproval, reviewCommands } from './commands.ts'
import { reviewList, reviewScope, reviewSource } from './source.ts'

const { review } = contract
type Detail = OutputOf<typeof review.detail>
type Stored = Omit<ReviewRow, 'blockedBy'> & Omit<Detail, 'review' | 'course' | 'history'> & { customerNo: string }

/** How long a review that nothing holds waits before it is shown. */
const waitMs = 24 * 3_600_000
const snake = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

const detail = serve(review.detail, async ({ tx, session, input: { reviewNo } }) => {
  const { columns, joins, from, where } = reviewSource({ tx, session })
  const own = Object.keys(review.page.row.shape).filter(name => name !== 'blockedBy' && !(name in columns))
  const row = await tx.maybe(sql<Stored>`
    select ${sql.join([
      ...[...own, 'replyText', 'replyTime', 'hideRemark', 'appVersion', 'productThen', 'customerNo'].map(
        name => sql`${sql.ref(`x.${snake(name)}`)} as ${sql.ref(snake(name))}`,
      ),
      ...Object.entries(columns).map(([name, value]) => sql`${value} as ${sql.ref(snake(name))}`),
    ])} from ${from} ${sql.join(Object.values(joins), sql` `)} where x.review_no = ${reviewNo} and ${where}`)
  if (!row) throw notFound()
  const [blockedBy = {}] = await reviewBlocks.of({ tx, session }, [reviewNo])
  const course = await tx.rows(sql<Detail['course'][number]>`
    select row_number() over (order by at)::int as step_no, event, at from (
      select 'click' as event, c.click_time as at from market_click c where c.customer_no = ${row.customerNo} and c.market_product_no = ${row.marketProductNo}
      union all select b.market_event, b.received_time from market_click c join market_postback b on b.click_id = c.click_id and b.platform_no = c.platform_no
      where c.customer_no = ${row.customerNo} and c.market_product_no = ${row.marketProductNo} and b.postback_result = 'accepted') steps order by at limit 50`)
  const history = await tx.rows(sql<Detail['history'][number]>`
    select t.transition_no as history_no, t.event, coalesce(u.real_name, t.actor) as actor_name, t.at, t.payload ->> 'reason' as reason
    from state_transition t left join app_user u on u.user_no = t.actor where t.machine = 'M88' and t.object_no = ${reviewNo} order by t.transition_no desc limit 50`)
  const { replyText, replyTime, hideRemark, appVersion, productThen, ...shown } = row
  return { review: { ...shown, blockedBy }, replyText, replyTime, hideRemark, appVersion, productThen, course, history }
})

const stat = serve(review.stat, async ({ tx, session, input: { marketProductNo = null, fromDate, toDate } }) => {
  const of = sql`${reviewScope(session)} and (${marketProductNo}::text is null or x.market_product_no = ${marketProductNo})`
  const list = await tx.rows(sql<OutputOf<typeof review.stat>['list'][number]>`
    select r as rating, count(x.review_no)::int as written_count, count(*) filter (where x.review_status = 'shown')::int as shown_count,
      count(*) filter (where x.review_status = 'hidden')::int as hidden_count,
      round(100.0 * count(*) filter (where x.review_status = 'hidden') / nullif(count(x.review_no), 0), 2)::numeric(5,2) as hidden_share
    from generate_series(1, 5) r left join product_review x on x.rating = r and ${of}
      and x.created_time >= ${startOfEatDay(fromDate)} and x.created_time < ${startOfEatDay(addDays(toDate, 1))}
    group by r order by r desc`)
  const { n, mean } = await tx.one(sql<{ n: number; mean: number | null }>`
    select count(*)::int as n, round(avg(x.rating), 1)::float8 as mean from product_review x where x.review_status = 'shown' and ${of}`)
  return { average: n >= enoughReviews ? mean : null, list }
})

/** Shows what has waited a day and nothing holds: no word of the list, no report. */
const tick = async (tx: Tx) => {
  const due = await tx.rows(sql<Review>`
    select x.* from product_review x where x.review_status = 'pending' and not x.word_held and x.report_count = 0 and x.pending_since <= ${new Date(tx.now.getTime() - waitMs)}
      and not exists (select 1 from approval a where a.object_type = 'product_review' and a.object_no = x.review_no and a.approval_status = 'pending')
    order by x.review_no limit 500 for update`)
  const actor = system('review.clock')
  const parked = await eachItem(
    tx,
    due,
    row => row.reviewNo,
    (inner, row) => transition(inner, 'productReview', row, { event: 'review.show', as: 'system' }, actor),
  )
  return { shown: due.length - parked.length }
}

/** What customers write of supermarket products. */
export const reviewModule = (deps: Pick<Deps, 'secretKey'>): Module => ({
  served: [serveListed(reviewList), detail, stat, ...reviewCommands, ...appCalls(deps)],
  lists: [reviewList],
  approvals: [hideApproval],
  scheduled: [{ job: 'review.clock', every: { seconds: 600 }, run: tick }],
})
