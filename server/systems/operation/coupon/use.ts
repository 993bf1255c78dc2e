import { sql } from 'kysely'
import type { Discount } from '../../../../core/rules/loan/allocate.ts'
import type { Money } from '../../../../core/rules/money.ts'
import type { Tx } from '../../../db/database.ts'
import { invalid } from '../../../http/fault.ts'
import type { Actor } from '../../../rights/actor.ts'
import { transition } from '../../../states/transition.ts'
import { releaseCoupon } from './coupon.ts'

/** A coupon that a repayment of an order can be made with. */
export type Usable = {
  couponNo: string
  couponName: string | null
  couponType: 'discount_coupon' | 'interest_discount_coupon'
  faceAmount: Money
  expireTime: string
  couponStatus: string
  /** The customer named it when they applied. */
  bound: boolean
  version: number
}

type Order = { orderNo: string; customerNo: string; merchantNo: string; loanAmount: Money }

/** Whether coupon `c` is neither used nor held by an order, and in its time. */
const isFree = (tx: Tx) =>
  sql`(c.coupon_status = 'waiting_used' and c.bound_order_no is null and c.start_time <= ${tx.now} and c.expire_time > ${tx.now})`

/** Whether coupon `c` of kind `t` is for loans of this size, of this merchant. */
const fits = ({
  merchantNo,
  loanAmount,
}: Pick<Order, 'merchantNo' | 'loanAmount'>) => sql`(c.min_order_amount <= ${loanAmount}::numeric
  and case when t.coupon_template_no is null then coalesce(c.merchant_no = ${merchantNo}, true) else ${merchantNo} = any(t.merchant_nos) end)`

/** Coupons that take something off a repayment, and one that was named at the application first; an order takes one in all. Lock the order first. */
export const usableCoupons = (
  tx: Tx,
  { orderNo, customerNo, merchantNo, loanAmount }: Order,
  o: { repayType: string; couponNo?: string | undefined; lock?: boolean },
): Promise<Usable[]> =>
  tx.rows(sql<Usable>`
    select c.coupon_no, t.coupon_name, c.coupon_type, c.face_amount, c.expire_time, c.coupon_status, c.bound_order_no is not null as bound, c.version
    from coupon c left join coupon_template t using (coupon_template_no)
    where c.customer_no = ${customerNo} and c.coupon_type <> 'increase_loan_limit_coupon' and c.coupon_repay_type in ('generic', ${o.repayType})
      and (c.coupon_status = 'frozen' and c.bound_order_no = ${orderNo} or ${isFree(tx)}) and ${fits({ merchantNo, loanAmount })}
      and not exists (select 1 from coupon b where b.bound_order_no = ${orderNo} and b.coupon_no <> c.coupon_no and b.coupon_status = 'used')
      ${o.couponNo ? sql`and c.coupon_no = ${o.couponNo}` : sql``}
    order by (c.bound_order_no is null), c.expire_time, c.coupon_no limit 50 ${o.lock ? sql`for update of c` : sql``}`)

/** A customer applies with a coupon of theirs: it waits for the order. */
export const nameCoupon = async (tx: Tx, couponNo: string, order: Order, actor: Actor): Promise<void> => {
  const { orderNo, customerNo } = order
  await tx.flush()
  const coupon = await tx.maybe(sql<Pick<Usable, 'couponNo' | 'couponStatus' | 'version'>>`
    select c.coupon_no, c.coupon_status, c.version from coupon c left join coupon_template t using (coupon_template_no)
    where c.coupon_no = ${couponNo} and c.customer_no = ${customerNo} and ${isFree(tx)} and ${fits(order)} for update of c`)
  if (!coupon) throw invalid('couponNo', 'errors.couponUnusable')
  const set = { boundOrderNo: orderNo }
  await transition(tx, 'coupon', coupon, { event: 'coupon.freeze', set, payload: { orderNo } }, actor)
}

/** What a coupon takes off, as the calculation knows it. */
export const discountOf = ({ couponType, faceAmount }: Usable): Discount => ({
  amount: faceAmount,
  interestOnly: couponType === 'interest_discount_coupon',
})

type Used = { orderNo: string; repaymentNo: string; usedAmount: Money }

/** A repayment is made with a locked coupon: it is bound to the order, another that the order held is free again, and used. */
export const useDiscount = async (tx: Tx, coupon: Usable, used: Used, actor: Actor): Promise<void> => {
  const { orderNo, repaymentNo, usedAmount } = used
  const payload = { orderNo, repaymentNo }
  if (!coupon.bound) await releaseCoupon(tx, { orderNo }, actor)
  await tx.flush()
  const frozen = coupon.bound
    ? coupon
    : await transition(tx, 'coupon', coupon, { event: 'coupon.freeze', set: { boundOrderNo: orderNo }, payload }, actor)
  const set = { usedTime: tx.now, usedAmount }
  await transition(tx, 'coupon', frozen, { event: 'coupon.use', set, payload }, actor)
}
