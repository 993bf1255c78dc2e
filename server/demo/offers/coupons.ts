import { sql } from 'kysely'
import type { ValueOf } from '../../../core/contract/fields.ts'
import type { couponTypes } from '../../../core/contract/order/order.ts'
import type { Tx } from '../../db/database.ts'
import { newRequestId } from '../../http/request.ts'
import { newNo } from '../../money/numbers.ts'
import { system } from '../../rights/actor.ts'
import { create, transition } from '../../states/transition.ts'

type Kind = ValueOf<typeof couponTypes>
type Coupon = { couponNo: string; couponStatus: string; boundOrderNo: string | null; version: number }

const validMs = 30 * 86_400_000

/** The customer of an order under review uses a coupon for it; answers its number. */
export const bindCoupon = async (tx: Tx, orderNo: string, couponType: Kind): Promise<string> => {
  const actor = system(newRequestId())
  const couponNo = newNo('CP', tx.now)
  const { customerNo, merchantNo } = await tx.one(
    sql<{
      customerNo: string
      merchantNo: string
    }>`select customer_no, merchant_no from loan_order where order_no = ${orderNo}`,
  )
  const values = {
    couponNo,
    customerNo,
    couponType,
    couponRepayType: couponType === 'increase_loan_limit_coupon' ? null : 'generic',
    merchantNo,
    faceAmount: '10000.00',
    startTime: tx.now,
    expireTime: new Date(tx.now.getTime() + validMs),
    createdTime: tx.now,
  }
  await create(tx, 'coupon', values, { event: 'coupon.issue', as: 'system' }, actor)
  const issued = await tx.one(
    sql<Coupon>`select coupon_no, coupon_status, bound_order_no, version from coupon where coupon_no = ${couponNo} for update`,
  )
  const started = await transition(tx, 'coupon', issued, { event: 'clock.start' }, actor)
  await transition(tx, 'coupon', started, { event: 'coupon.freeze', set: { boundOrderNo: orderNo } }, actor)
  return couponNo
}
