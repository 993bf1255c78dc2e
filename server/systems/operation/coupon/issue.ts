import { sql } from 'kysely'
import type { ValueOf } from '../../../../core/contract/fields.ts'
import type { issueFails } from '../../../../core/contract/operation/coupon.ts'
import type { Money } from '../../../../core/rules/money.ts'
import type { Tx } from '../../../db/database.ts'
import { newNo } from '../../../money/numbers.ts'
import type { Actor } from '../../../rights/actor.ts'
import { create, transition } from '../../../states/transition.ts'
import { amountInText, happened } from '../message-engine/index.ts'

/** Why a customer gets no coupon. */
export type IssueFail = ValueOf<typeof issueFails>

/** A kind of coupon as it stands. */
export type Template = {
  couponTemplateNo: string
  enabled: string
  couponName: string
  couponType: string
  couponRepayType: string | null
  merchantNos: string[]
  faceAmount: Money
  minOrderAmount: Money
  validityDays: number
  issueCapPerCustomer: number
  budgetAmount: Money
  issuedAmount: Money
}

export const findTemplate = (tx: Tx, no: string): Promise<Template | undefined> =>
  tx.maybe(sql<Template>`select * from coupon_template where coupon_template_no = ${no} and deleted_time is null`)

type Holder = { customerNo: string; merchantNo: string; overdue: boolean; barred: boolean }

/** A customer of some merchants, by number or phone; the first of those merchants answers for them. */
export const holderOf = async (
  tx: Tx,
  { merchantNos }: Pick<Template, 'merchantNos'>,
  named: string,
): Promise<Holder | undefined> =>
  tx.maybe(sql<Holder>`
    select c.customer_no, mc.merchant_no,
      exists (select 1 from loan_order o where o.customer_no = c.customer_no and o.overdue and o.order_status = 'funds_disbursed') as overdue,
      exists (select 1 from loan_order o join order_list_value v using (order_no) join name_list_item i using (value_hash) join name_list l using (name_list_no)
        where o.customer_no = c.customer_no and i.item_status = 'active' and i.expire_time > ${tx.now} and l.list_kind = 'black' and l.list_effect = 'refuse'
          and l.enabled = 'enabled' and l.deleted_time is null and (l.merchant_no is null or l.merchant_no = mc.merchant_no)) as barred
    from customer c join merchant_customer mc using (customer_no)
    where (c.customer_no = ${named} or mc.phone = ${named}) and mc.merchant_no = any(${merchantNos})
    order by array_position(${merchantNos}::text[], mc.merchant_no), c.customer_no limit 1`)

/** Why this customer would get none, budget and number aside. */
export const refusedFor = (template: Template, holder: Holder | undefined): IssueFail | null => {
  if (!holder) return 'not_found'
  if (holder.barred) return 'barred'
  return template.couponType === 'increase_loan_limit_coupon' && holder.overdue ? 'overdue' : null
}

/** How many coupons of a kind a customer has had; what was taken back does not count. */
export const heldOf = async (tx: Tx, couponTemplateNo: string, customerNo: string): Promise<number> => {
  const { n } = await tx.one(sql<{ n: number }>`
    select count(*)::int as n from coupon where coupon_template_no = ${couponTemplateNo} and customer_no = ${customerNo} and revoke_reason is null`)
  return n
}

export type Given = {
  couponTemplateNo: string
  /** A customer number or a phone. */
  named: string
  startTime: Date
  source: 'batch' | 'promo_code' | 'service' | 'activity'
  sourceNo: string
  /** Where the amount is not that of the kind. */
  faceAmount?: Money
  /** The person who decided it; the machine otherwise. */
  as?: 'person' | 'system'
}

/** Whether a customer who is named twice, by number and by phone, has the coupon of a batch already. */
const givenBy = (tx: Tx, batchNo: string, customerNo: string) =>
  tx.maybe(
    sql`select 1 from coupon where coupon_source = 'batch' and source_no = ${batchNo} and customer_no = ${customerNo}`,
  )

/** A coupon whose time has come may be used. */
export const startCoupon = (
  tx: Tx,
  coupon: { couponNo: string; couponStatus: string; version: number },
  actor: Actor,
) => transition(tx, 'coupon', coupon, { event: 'clock.start' }, actor)

/**
 * Gives a customer a coupon. The budget is taken in one statement, which also keeps two who give the same kind apart: what a customer may
 * have at most is counted behind it.
 */
export const issueCoupon = async (
  tx: Tx,
  given: Given,
  actor: Actor,
): Promise<
  | { couponNo: string; customerNo: string; expireTime: Date; template: Template }
  | { fail: IssueFail; customerNo: string | null }
> => {
  const { couponTemplateNo, named, startTime } = given
  const template = await findTemplate(tx, couponTemplateNo)
  if (template?.enabled !== 'enabled') return { fail: 'template_off', customerNo: null }
  const holder = await holderOf(tx, template, named)
  const customerNo = holder?.customerNo ?? null
  const refused = refusedFor(template, holder)
  if (refused || !holder) return { fail: refused ?? 'not_found', customerNo }
  if (given.source === 'batch' && (await givenBy(tx, given.sourceNo, holder.customerNo)))
    return { fail: 'twice', customerNo }
  const faceAmount = given.faceAmount ?? template.faceAmount
  const taken = await tx.exec(sql`
    update coupon_template set issued_amount = issued_amount + ${faceAmount}::numeric, issued_count = issued_count + 1
    where coupon_template_no = ${couponTemplateNo} and issued_amount + ${faceAmount}::numeric <= budget_amount`)
  if (taken !== 1) return { fail: 'budget', customerNo }
  if ((await heldOf(tx, couponTemplateNo, holder.customerNo)) >= template.issueCapPerCustomer) {
    await tx.exec(sql`
      update coupon_template set issued_amount = issued_amount - ${faceAmount}::numeric, issued_count = issued_count - 1 where coupon_template_no = ${couponTemplateNo}`)
    return { fail: 'customer_cap', customerNo }
  }
  const couponNo = newNo('CP', tx.now)
  const expireTime = new Date(startTime.getTime() + template.validityDays * 86_400_000)
  const values = {
    couponNo,
    customerNo: holder.customerNo,
    merchantNo: holder.merchantNo,
    couponTemplateNo,
    couponType: template.couponType,
    couponRepayType: template.couponRepayType,
    faceAmount,
    minOrderAmount: template.minOrderAmount,
    startTime,
    expireTime,
    couponSource: given.source,
    sourceNo: given.sourceNo,
    createdTime: tx.now,
  }
  await create(tx, 'coupon', values, { event: 'coupon.issue', as: given.as ?? 'system' }, actor)
  if (startTime.getTime() <= tx.now.getTime())
    await startCoupon(tx, { couponNo, couponStatus: 'pending', version: 0 }, actor)
  await happened(tx, {
    event: 'coupon.issued',
    objectType: 'coupon',
    objectNo: couponNo,
    customerNo: holder.customerNo,
    merchantNo: holder.merchantNo,
    values: { couponName: template.couponName, couponAmount: amountInText(faceAmount) },
  })
  return { couponNo, customerNo: holder.customerNo, expireTime, template }
}
