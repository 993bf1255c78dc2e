import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { OrderBasic } from '../../../../core/contract/order/order.ts'
import { mask } from '../../../../core/rules/mask.ts'
import { eatDate } from '../../../../core/rules/time.ts'
import { serve } from '../../../http/serve.ts'
import { pickFor } from '../../../lists/pick.ts'
import { findOrder, refuseName } from './order-source.ts'
import { seenChecks } from './seen-checks.ts'

type Customer = Omit<OrderBasic['customer'], 'age'>
const { loan, payout } = contract.order.basic.output.shape

const ageOn = (date: string, birthDate: string | null): number | null =>
  birthDate
    ? Number(date.slice(0, 4)) - Number(birthDate.slice(0, 4)) - (date.slice(5) < birthDate.slice(5) ? 1 : 0)
    : null

/** Who the customer is, what they ask for, where it goes and who vouches: the first tab of an order. */
export const basic = serve(contract.order.basic, async ({ tx, session, input }) => {
  const order = await findOrder(tx, session, input.orderNo)
  const name = (text: string) => (session.desensitized ? mask(text) : text)
  const customer = await tx.one(sql<Customer>`
    select customer_no, customer_name, id_number, phone, gender, birth_date, marital_status, education, children_count, email, address_text, district, residence_type, occupation, employer_name,
      monthly_income, payday, register_time, customer_status, credit_type, credit_limit, remaining_limit,
      coalesce(cr.credit_status, 'granted') as credit_status, cr.credit_expiry, coalesce(cr.adjustable, true) as credit_adjustable
    from order_customer oc left join credit cr using (customer_no) where customer_no = ${order.customerNo} and merchant_no = ${order.merchantNo}`)
  const refused = await tx.maybe(
    sql<{
      name: string
    }>`select ${refuseName(session.language)} as name from refuse_code rc where rc.refuse_code = ${order.refuseCode}`,
  )
  const mayKnow = session.sensitive.has('pii:reveal:contacts')
  const contacts = await tx.rows(sql<NonNullable<OrderBasic['contacts']>[number]>`
    select k.contact_no, k.relation, k.contact_name, k.contact_phone,
      (select f.follow_result from follow_record f where f.order_no = k.order_no and f.contact_no = k.contact_no order by f.created_time desc limit 1) as last_follow_result
    from order_contact k where ${mayKnow} and k.order_no = ${order.orderNo} and k.contact_source = 'declared' order by k.sort, k.contact_no`)
  const coupon = await tx.maybe(sql<NonNullable<OrderBasic['coupon']>>`
    select coupon_no, coupon_type, face_amount, coupon_status, expire_time from coupon where bound_order_no = ${order.orderNo}`)
  const { walletAccount, cardholderName, payoutHolderName, payoutVerify } = order
  return {
    checks: await seenChecks({ tx, session, order }, { ...customer, walletAccount, payoutHolderName, payoutVerify }),
    customer: { ...customer, age: ageOn(eatDate(order.applyTime), customer.birthDate) },
    coupon: coupon ?? null,
    loan: { ...pickFor(loan, order), refuseReason: refused?.name ?? order.refuseRemark } as OrderBasic['loan'],
    payout: {
      ...pickFor(payout, order),
      verifyResult: order.payoutVerify,
      cardholderName: name(cardholderName),
      holderName: payoutHolderName && name(payoutHolderName),
    } as OrderBasic['payout'],
    contacts: mayKnow ? contacts.map(contact => ({ ...contact, contactName: name(contact.contactName) })) : null,
  }
})
