import { type RawBuilder, sql } from 'kysely'
import { serviceCoupon } from '../../../../core/contract/service/service-coupon.ts'
import { text } from '../../../../core/i18n/server.ts'
import { type Asker, blocks } from '../../../approval/blocks.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault } from '../../../http/fault.ts'
import { begins } from '../../../lists/list.ts'
import { type Listed, listed, type Reader } from '../../../lists/listed.ts'
import { scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import { leftOf } from '../../after-loan/repayment/index.ts'
import { couponSeen } from '../../operation/coupon/index.ts'
import { noteSearch } from '../../order/order/index.ts'
import { spent } from './config.ts'

type Frag = RawBuilder<unknown>

/** Applications `x` for customers of merchants that a person serves. */
export const applySeen = (session: Session): Frag =>
  scope(session, {
    merchant: 'x.merchant_no',
    holder: person => person(sql`x.applicant_no`),
    perm: serviceCoupon.audit.perm,
  })

type Facts = { couponApplyStatus: string; applicantNo: string }

const read = async (tx: Tx, keys: readonly string[]): Promise<ReadonlyMap<string, Facts>> => {
  const found = await tx.rows(sql<Facts & { applyNo: string }>`
    select apply_no, coupon_apply_status, applicant_no from cs_coupon_apply where apply_no = any(${[...keys]})`)
  return new Map(found.map(({ applyNo, ...facts }) => [applyNo, facts]))
}

const own = ({ couponApplyStatus, applicantNo }: Facts, { session }: Asker) =>
  couponApplyStatus === 'pending' && session?.userNo === applicantNo
    ? new Fault('forbidden', 'errors.ownApplication')
    : null
const others = ({ couponApplyStatus, applicantNo }: Facts, { session }: Asker) =>
  couponApplyStatus === 'pending' && session && session.userNo !== applicantNo
    ? new Fault('forbidden', 'errors.onlyMaker')
    : null

/** Why applications are not decided, or not withdrawn. */
export const applyBlocks = blocks<Facts>({
  read,
  states: ({ couponApplyStatus }) => ({ couponApplication: couponApplyStatus }),
  commands: [
    { command: serviceCoupon.decide, refuses: own },
    { command: serviceCoupon.withdraw, refuses: others },
  ],
})

/** What a customer owes on orders that are open. */
export const dueOf = (customerNo: Frag): Frag => sql`coalesce((
  select sum(${leftOf()}) from repay_plan b join loan_order o on o.order_no = b.order_no
  where o.customer_no = ${customerNo} and o.order_status = 'funds_disbursed' and b.bill_status in ('pending', 'partial')), 0)::numeric(18,2)`

/** Coupons that customer service gave a customer in 30 days and nobody took back. */
export const given30 = (tx: Tx, customerNo: Frag): Frag => sql`(
  select count(*)::int from coupon c where c.customer_no = ${customerNo} and c.coupon_source = 'service' and c.revoke_reason is null
    and c.created_time >= ${new Date(tx.now.getTime() - 30 * 86_400_000)})`

const budgetLeft = (tx: Tx): Frag =>
  sql`(s.monthly_budget - (select used from (${spent(tx, sql`x.service_config_no`)}) a))::numeric(18,2)`

const source = ({ tx, session }: Reader, where: Frag) => ({
  from: sql`cs_coupon_apply x`,
  alias: 'x',
  key: sql`x.apply_no`,
  where,
  joins: {
    s: sql`join cs_coupon_config s on s.service_config_no = x.service_config_no`,
    t: sql`join coupon_template t on t.coupon_template_no = s.coupon_template_no`,
    c: sql`join customer c on c.customer_no = x.customer_no`,
    m: sql`join merchant m on m.merchant_no = x.merchant_no`,
  },
  columns: {
    configName: sql`s.config_name`,
    couponType: sql`t.coupon_type`,
    couponRepayType: sql`t.coupon_repay_type`,
    customerName: sql`c.customer_name`,
    phone: sql`c.phone`,
    merchantName: sql`m.merchant_name`,
    given30Days: given30(tx, sql`x.customer_no`),
    budgetLeft: budgetLeft(tx),
    amountDue: dueOf(sql`x.customer_no`),
    auditRemark: sql`case when x.coupon_apply_status = 'rejected' and x.auditor_no is null then ${text(session.language, 'serviceCoupon.withdrawn')} else x.audit_remark end`,
    couponNos: sql`array(select c.coupon_no from coupon c where c.coupon_source = 'service' and c.source_no = x.apply_no order by 1)`,
  },
  filters: {
    phone: (phone: string) => sql`c.phone = ${phone}`,
    applicantName: (text: string) => begins(sql`x.applicant_name`, text),
  },
})

/** What reviewers decide and decided. */
export const auditList = listed({
  list: serviceCoupon.audit,
  source: at => source(at, applySeen(at.session)),
  check: noteSearch,
  blocked: applyBlocks,
})

/** What an agent asked for: the own alone, whatever the rule of their role. */
export const myList = listed({
  list: serviceCoupon.my,
  source: at => source(at, sql`x.applicant_no = ${at.session.userNo}`),
  check: noteSearch,
  blocked: applyBlocks,
})

/** Coupons that customer service gave. */
export const issuedList = listed({
  list: serviceCoupon.issued,
  source: ({ session }) => ({
    from: sql`coupon x`,
    alias: 'x',
    key: sql`x.coupon_no`,
    where: sql`x.coupon_source = 'service' and ${couponSeen(session, serviceCoupon.issued.perm)}`,
    joins: {
      c: sql`join customer c on c.customer_no = x.customer_no`,
      m: sql`left join merchant m on m.merchant_no = x.merchant_no`,
    },
    columns: {
      applyNo: sql`x.source_no`,
      customerName: sql`c.customer_name`,
      phone: sql`c.phone`,
      merchantName: sql`m.merchant_name`,
      pendingApproval: sql`(select a.maker_name from approval a where a.object_type = 'coupon' and a.object_no = x.coupon_no and a.approval_status = 'pending' limit 1)`,
    },
  }),
})

export const lists: readonly Listed[] = [auditList, myList, issuedList]
