import { sql } from 'kysely'
import type { ContactKind, ContactMedium } from '../../../../core/rules/contact/contact-block.ts'
import { type ContactRefusal, contactRefusal } from '../../../../core/rules/message/contact-guard.ts'
import { startOfEatDay } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { contactBlocksOf, type Forbidden, noteStop } from '../../merchant/contact-block/index.ts'
import type { ListValues } from '../../risk/name-list/index.ts'
import { contactCaps, contactWindow } from './contact-rules.ts'

/** A contact that is about to be made. */
export type Contact = {
  phone: string
  kind: ContactKind
  medium: ContactMedium
  merchantNo?: string | null
  customerNo?: string | null
  /** The app that speaks: it may keep quiet for longer than the law says. */
  appCode?: string | null
  orderNo?: string | null
  billNo?: string | null
  /** It is the number under which the customer is registered. */
  isOwn: boolean
  /** The record that it is about, where it is really to be made; without one nothing is counted. */
  about?: { objectType: string; objectNo: string }
}

type Known = { isDue: boolean; isLate: boolean; today: number; in7Days: number }

const dayMs = 86_400_000

/** What the database says of a number and its customer: replies, bills, and the offers that it got. */
const knownOf = (tx: Tx, { phone, customerNo, orderNo, billNo }: Contact): Promise<Known> => {
  const today = startOfEatDay(tx.today)
  const paidToday = sql`exists (select 1 from repay_record r where r.order_no = ${orderNo ?? null} and r.repayment_time >= ${today} and r.rolled_back_time is null)`
  const begun = sql`m.recipient = ${phone} and m.contact_kind = 'marketing' and m.begun_time is not null and m.message_status not in ('failed', 'blocked', 'cancelled')`
  return tx.one(sql<Known>`
    select
      (exists (select 1 from repay_plan b join loan_order o using (order_no) where b.order_no = ${orderNo ?? null} and o.order_status = 'funds_disbursed'
        and b.bill_status in ('pending', 'partial') and b.bill_no = coalesce(${billNo ?? null}, b.bill_no)) and not ${paidToday}) as is_due,
      exists (select 1 from loan_order o where o.customer_no = ${customerNo ?? null} and o.overdue and o.order_status = 'funds_disbursed') as is_late,
      (select count(*)::int from message m where ${begun} and m.begun_time >= ${today}) as today,
      (select count(*)::int from message m where ${begun} and m.begun_time > ${new Date(tx.now.getTime() - 7 * dayMs)}) as in7_days`)
}

/** Offers to one number wait for one another, so that two at once do not both go as the last one allowed. */
const oneAtATime = (tx: Tx, phone: string) =>
  tx.exec(sql`select pg_advisory_xact_lock(hashtext(${`contact ${phone}`}))`)

/** What lists say of a number; a contact that they stop is counted at the entry that says so. */
const forbiddenBy = async (tx: Tx, lists: ListValues, contact: Contact): Promise<Forbidden | undefined> => {
  const { phone, merchantNo = null, kind, medium, about } = contact
  const [forbidden] = await contactBlocksOf(tx, lists, { phones: [phone], merchantNo, kind, medium })
  if (forbidden && about) await noteStop(tx, forbidden, { kind, medium, merchantNo, byName: 'message', ...about })
  return forbidden
}

/**
 * Whether somebody may be contacted now: what is known of them, given to the one rule (`contactRefusal`).
 * @returns the first reason against it, or null
 */
export const contactCheck = async (tx: Tx, lists: ListValues, contact: Contact): Promise<ContactRefusal | null> => {
  const { phone, kind, medium, isOwn } = contact
  if (kind === 'marketing') await oneAtATime(tx, phone)
  const known = await knownOf(tx, contact)
  const forbidden = await forbiddenBy(tx, lists, contact)
  return contactRefusal({
    ...{ phone, kind, medium, isOwn: isOwn && !forbidden, at: tx.now },
    ...{ window: await contactWindow(tx, kind, contact.appCode), caps: await contactCaps(tx) },
    stopped: forbidden?.reason === 'opted_out' ? ['all'] : [],
    blocked: forbidden?.reason === 'blacklisted' ? ['all'] : [],
    isNeeded: kind === 'marketing' ? !known.isLate : known.isDue,
    ...{ today: known.today, in7Days: known.in7Days },
  })
}
