import { type RawBuilder, sql } from 'kysely'
import type { BlockedBy } from '../../../../core/contract/blocked.ts'
import { contract } from '../../../../core/contract/contract.ts'
import { listed } from '../../../lists/listed.ts'
import { scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import { codeList } from './promo.ts'
import { templateSeen } from './template.ts'

const { coupon } = contract
const perm = coupon.coupons.perm as string

/** Coupons `x` of customers of merchants that a person serves. */
export const couponSeen = (session: Session, code = perm): RawBuilder<unknown> =>
  scope(session, { merchant: 'x.merchant_no', holder: () => sql`true`, perm: code })

/** Coupons that somebody holds or has held. */
export const couponList = listed({
  list: coupon.coupons,
  source: ({ session }) => ({
    from: sql`coupon x`,
    alias: 'x',
    key: sql`x.coupon_no`,
    where: couponSeen(session),
    joins: {
      c: sql`join customer c on c.customer_no = x.customer_no`,
      m: sql`left join merchant m on m.merchant_no = x.merchant_no`,
      t: sql`left join coupon_template t on t.coupon_template_no = x.coupon_template_no`,
    },
    columns: {
      couponName: sql`t.coupon_name`,
      customerName: sql`c.customer_name`,
      phone: sql`c.phone`,
      takenOff: sql`x.used_amount`,
      merchantName: sql`m.merchant_name`,
      pendingApproval: sql`(select a.maker_name from approval a where a.object_type = 'coupon' and a.object_no = x.coupon_no and a.approval_status = 'pending' limit 1)`,
    },
    // A number leads to its owner: only who may see numbers finds by one.
    filters: { phone: phone => sql`c.phone = ${phone}` },
  }),
  blocked: async (_, rows) =>
    rows.map(
      (row): BlockedBy =>
        row.pendingApproval ? { 'coupon.revoke': { reason: 'errors.approvalWaits', params: {} } } : {},
    ),
})

/** Issues to many customers. */
export const batchList = listed({
  list: coupon.batches,
  source: ({ session }) => ({
    from: sql`coupon_issue_batch b join coupon_template x on x.coupon_template_no = b.coupon_template_no`,
    alias: 'b',
    key: sql`b.issue_batch_no`,
    where: templateSeen(session),
    columns: { couponName: sql`x.coupon_name`, faceAmount: sql`x.face_amount` },
  }),
})

/** Names a row of a batch. */
const rowKey = sql`(r.issue_batch_no || '-' || lpad(r.row_no::text, 5, '0'))`

/** Customers of an issue, and what became of each. */
export const rowList = listed({
  list: coupon.batchRows,
  source: ({ session }) => ({
    from: sql`coupon_batch_row r join coupon_issue_batch b on b.issue_batch_no = r.issue_batch_no join coupon_template x on x.coupon_template_no = b.coupon_template_no`,
    alias: 'r',
    key: rowKey,
    where: templateSeen(session),
    columns: {
      batchRowNo: rowKey,
      named: session.desensitized
        ? sql`case when r.named ~ '^[+0-9 ]{9,15}$' then left(r.named, 2) || '********' || right(r.named, 2) else r.named end`
        : sql`r.named`,
    },
  }),
})

export const couponLists = [couponList, batchList, rowList, codeList]
