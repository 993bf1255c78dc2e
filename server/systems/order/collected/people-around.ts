import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { OutputOf } from '../../../../core/contract/endpoint.ts'
import type { OrderContact } from '../../../../core/contract/order/collected.ts'
import { mask } from '../../../../core/rules/mask.ts'
import { networkOf } from '../../../../core/rules/text/phone-network.ts'
import type { Tx } from '../../../db/database.ts'
import { noteSeen } from '../../../http/defence/sensitive-reads.ts'
import { serve } from '../../../http/serve.ts'
import type { Session } from '../../../session/session.ts'
import { blackAmong, type ListValues } from '../../risk/name-list/index.ts'
import { findOrder, type Order, orderScope } from '../order/index.ts'
import { consentTimeOf } from './consent.ts'

const { orderCollected } = contract

type Affinity = OutputOf<typeof orderCollected.affinity>['list'][number]
type Asked = { tx: Tx; session: Session; order: Order; values: ListValues }

/** Contacts of one source, with what the reader may know of them: who is a customer, who is overdue, whom others name too. */
const contactsOf = async <C extends OrderContact>(
  { tx, session, order: { orderNo, customerNo, merchantNo }, values }: Asked,
  source: C['contactSource'],
): Promise<C[]> => {
  const rule = orderScope(session)
  const theirs = sql`merchant_customer mc join loan_order o using (customer_no, merchant_no) where mc.phone = k.contact_phone and ${rule}`
  const rows = await tx.rows(sql<C>`
    select k.*, exists (select 1 from ${theirs}) as is_customer,
      exists (select 1 from ${theirs} and o.overdue and o.order_status = 'funds_disbursed') as contact_overdue,
      (select count(distinct o.customer_no)::int from order_contact other join loan_order o using (order_no)
        where other.contact_phone = k.contact_phone and o.customer_no <> ${customerNo} and ${rule}) as shared_count,
      (select f.follow_result from follow_record f where f.order_no = k.order_no and f.contact_no = k.contact_no order by f.created_time desc limit 1) as last_follow_result
    from (
      select contact_no, order_no, contact_source, relation, contact_name, contact_phone, call_count, sms_count, call_minutes, last_call_time, in_phone_book, sort
      from order_contact where order_no = ${orderNo} and contact_source = ${source}
    ) k order by k.sort, k.contact_no`)
  const texts = rows.map(row => row.contactPhone)
  const black = await blackAmong(tx, values, { merchantNo, dimension: 'phone', texts })
  return rows.map(row => ({
    ...row,
    blacklisted: black.has(row.contactPhone),
    contactName: session.desensitized ? mask(row.contactName) : row.contactName,
    phoneNetwork: networkOf(row.contactPhone),
  }))
}

/** Whom the applicant named. */
const relations = (values: ListValues) =>
  serve(orderCollected.relations, async ({ tx, session, actor, input }) => {
    const order = await findOrder(tx, session, input.orderNo)
    await noteSeen(tx, actor, { objectType: 'order', objectNo: order.orderNo, kind: 'contacts' })
    return { list: await contactsOf<OrderContact>({ tx, session, order, values }, 'declared') }
  })

/** Whom the applicant talks with, those they talk with longest first. */
const affinity = (values: ListValues) =>
  serve(orderCollected.affinity, async ({ tx, session, actor, input }) => {
    const order = await findOrder(tx, session, input.orderNo)
    await noteSeen(tx, actor, { objectType: 'order', objectNo: order.orderNo, kind: 'contacts' })
    return {
      consentTime: await consentTimeOf(tx, order.orderNo, 'contacts'),
      list: await contactsOf<Affinity>({ tx, session, order, values }, 'affinity'),
    }
  })

export const peopleAround = (values: ListValues) => [relations(values), affinity(values)]
