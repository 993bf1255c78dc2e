import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { OutputOf } from '../../../../core/contract/endpoint.ts'
import { mask } from '../../../../core/rules/mask.ts'
import { sum } from '../../../../core/rules/money.ts'
import { noteSeen } from '../../../http/defence/sensitive-reads.ts'
import { serve } from '../../../http/serve.ts'
import { billsOfOrder, outstandingColumn } from '../../after-loan/repayment/index.ts'
import { faceThreshold, findOrder, orderScope } from '../order/index.ts'
import { consentTimeOf } from './consent.ts'

const { orderCollected } = contract

type Like = OutputOf<typeof orderCollected.faces>['list'][number]
type Merchant = OutputOf<typeof orderCollected.merchants>['list'][number]

const mostFaces = 50

/** How well the face fits the applicant's own document, and other orders with a face like it. */
const faces = serve(orderCollected.faces, async ({ tx, session, actor, input }) => {
  const { orderNo, customerNo } = await findOrder(tx, session, input.orderNo)
  await noteSeen(tx, actor, { objectType: 'order', objectNo: orderNo, kind: 'face' })
  const { share, threshold } = await faceThreshold(tx)
  const own = await tx.maybe(sql<{ faceScore: string | null }>`
    select (100 * face_score)::numeric(5,1)::text as face_score from order_collected where order_no = ${orderNo}`)
  const list = await tx.rows(sql<Like>`
    select o.order_no, m.merchant_name, c.customer_name, o.order_status, o.apply_time, o.overdue_days,
      (100 * like_it.likeness)::numeric(5,1)::text as likeness, o.customer_no = ${customerNo} as same_id_number
    from order_collected mine join order_collected f on f.order_no <> mine.order_no and f.face_features is not null
    join loan_order o on o.order_no = f.order_no join order_customer c using (customer_no, merchant_no) join merchant m using (merchant_no)
    cross join lateral (select face_likeness(f.face_features, mine.face_features) as likeness offset 0) like_it
    where mine.order_no = ${orderNo} and mine.face_features is not null and ${orderScope(session)} and like_it.likeness >= ${share}::numeric
    order by like_it.likeness desc, o.order_no limit ${mostFaces}`)
  return {
    consentTime: await consentTimeOf(tx, orderNo, 'face'),
    faceScore: own?.faceScore ?? null,
    threshold,
    list: session.desensitized ? list.map(one => ({ ...one, customerName: mask(one.customerName) })) : list,
  }
})

/** What the customer has with each merchant that the reader may see. */
const merchants = serve(orderCollected.merchants, async ({ tx, session, input }) => {
  const { customerNo } = await findOrder(tx, session, input.orderNo)
  return {
    list: await tx.rows(sql<Merchant>`
      select x.merchant_no, m.merchant_name, count(*)::int as order_count, count(*) filter (where x.order_status = 'funds_disbursed')::int as open_loans,
        sum(x.outstanding)::numeric(18,2) as outstanding, max(x.overdue_days)::int as max_overdue_days,
        (array_agg(x.order_status order by x.apply_time desc, x.order_no desc))[1] as last_status, max(x.apply_time) as last_apply_time
      from (
        select o.merchant_no, o.order_no, o.order_status, o.apply_time, o.overdue_days, ${outstandingColumn()} as outstanding
        from loan_order o where o.customer_no = ${customerNo} and ${orderScope(session)}
      ) x join merchant m using (merchant_no) group by x.merchant_no, m.merchant_name order by last_apply_time desc, x.merchant_no`),
  }
})

/** What the customer types to pay, and how much is due with it today. */
const repayCode = serve(orderCollected.repayCode, async ({ tx, session, input }) => {
  const { orderNo, orderStatus, payCode } = await findOrder(tx, session, input.orderNo)
  const bills = (await billsOfOrder(tx, orderNo)).filter(
    ({ billStatus }) => billStatus === 'pending' || billStatus === 'partial',
  )
  const owed = orderStatus === 'funds_disbursed'
  const due = bills.filter(({ dueDate }) => dueDate <= tx.today)
  return {
    payCode: payCode ?? '',
    dueToday: owed ? sum(due.map(({ left }) => left)) : null,
    settleToday: owed ? sum(bills.map(({ left }) => left)) : null,
    dueDate: bills[0]?.dueDate ?? null,
    validDate: tx.today,
  }
})

export const related = [faces, merchants, repayCode]
