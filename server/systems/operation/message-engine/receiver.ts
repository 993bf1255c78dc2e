import { sql } from 'kysely'
import { type MessageValue, messageValues } from '../../../../core/contract/operation/message-event.ts'
import { type Language, languages } from '../../../../core/i18n/language.ts'
import { isZero, type Money } from '../../../../core/rules/amount.ts'
import { diffDays, type EatDate } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import type { Channel } from '../../../outgoing/post.ts'
import { leftOf } from '../../after-loan/repayment/index.ts'
import { amountInText } from './happened.ts'

type Values = { [V in MessageValue]?: string }

/** A customer at a merchant, as far as messages need it. */
export type Receiver = {
  customerNo: string
  merchantNo: string
  customerName: string
  phone: string
  email: string | null
  brand: string
  appName: string
  hotline: string | null
  language: Language
}

/** The customer, in the language of the phone that the order came from; where that is none of ours, in that of the app; else English. */
export const receiverOf = async (
  tx: Tx,
  { customerNo, merchantNo, orderNo }: { customerNo: string; merchantNo: string; orderNo?: string | null },
): Promise<Receiver | undefined> => {
  const found = await tx.maybe(sql<Omit<Receiver, 'language'> & { said: string | null; ofApp: Language | null }>`
    select c.customer_no, c.merchant_no, c.customer_name, c.phone, c.email, coalesce(m.brand_name, m.merchant_name) as brand, m.app_name,
      (select h.contact_value from hotline h where h.enabled = 'enabled' and h.deleted_time is null and h.hotline_type = 'phone' and m.app_name = any(h.app_codes)
        order by h.sort, h.hotline_no limit 1) as hotline,
      (select o.device ->> 'language' from loan_order o where o.order_no = ${orderNo ?? null}) as said,
      (select a.default_language from message_app a where a.app_code = m.app_name and a.enabled = 'enabled' and a.deleted_time is null) as of_app
    from order_customer c join merchant m using (merchant_no) where c.customer_no = ${customerNo} and c.merchant_no = ${merchantNo}`)
  if (!found) return undefined
  const { said, ofApp, ...receiver } = found
  const language = languages.find(one => said?.toLowerCase().split(/[-_]/)[0] === one) ?? ofApp ?? 'en'
  return { ...receiver, language }
}

/** Where a channel reaches a customer; null where it does not. */
export const addressOf = ({ phone, email }: Receiver, channel: Channel): string | null => {
  if (channel === 'email') return email
  // No phone of a customer has said yet where its app is reached.
  return channel === 'app_push' ? null : phone
}

const locales: Readonly<Record<Language, string>> = { zh: 'zh-CN', en: 'en-GB', sw: 'sw' }
const dayIn = (date: EatDate, language: Language) =>
  new Intl.DateTimeFormat(locales[language], {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(new Date(`${date}T00:00:00Z`))

const open = leftOf()

type Loan = { loanAmount: Money; actualLoanAmount: Money; payCode: string | null; total: Money | null }
type Bill = { dueDate: EatDate; amount: Money }

const loanOf = (tx: Tx, orderNo: string) =>
  tx.maybe(sql<Loan>`
    select o.loan_amount, o.actual_loan_amount, o.pay_code,
      (select sum(${open})::numeric(18,2) from repay_plan b where b.order_no = o.order_no and b.bill_status in ('pending', 'partial')) as total
    from loan_order o where o.order_no = ${orderNo}`)

/** The bill that a message is about: the named one, else the oldest that is open. */
const billOf = (tx: Tx, orderNo: string, billNo: string | null) =>
  tx.maybe(sql<Bill>`
    select b.due_date, (${open})::numeric(18,2) as amount from repay_plan b
    where b.order_no = ${orderNo} and b.bill_status in ('pending', 'partial') and b.bill_no = coalesce(${billNo}, b.bill_no)
    order by b.due_date, b.bill_no limit 1`)

const ofOrder = async (tx: Tx, orderNo: string, billNo: string | null, language: Language): Promise<Values> => {
  const loan = await loanOf(tx, orderNo)
  if (!loan) return {}
  const bill = await billOf(tx, orderNo, billNo)
  const late = bill ? diffDays(bill.dueDate, tx.today) : 0
  return {
    orderNo,
    loanAmount: amountInText(loan.loanAmount),
    amountReceived: amountInText(loan.actualLoanAmount),
    ...(loan.payCode ? { payCode: loan.payCode } : {}),
    ...(loan.total && !isZero(loan.total) ? { totalDue: amountInText(loan.total) } : {}),
    outstanding: amountInText(loan.total ?? '0.00'),
    ...(bill ? { amountDue: amountInText(bill.amount), dueDate: dayIn(bill.dueDate, language) } : {}),
    ...(late > 0 ? { daysOverdue: String(late) } : {}),
  }
}

/** Values of the texts to a customer: as they are now, and those that the cause knows. */
export const valuesFor = async (
  tx: Tx,
  receiver: Receiver,
  of: { orderNo?: string | null; billNo?: string | null; values?: Values },
): Promise<Values> => {
  const { customerName, brand, hotline, language } = receiver
  return {
    ...{ customerName, brand },
    ...(hotline ? { hotline } : {}),
    ...(of.orderNo ? await ofOrder(tx, of.orderNo, of.billNo ?? null, language) : {}),
    ...of.values,
  }
}

/** Values by which a text is shown before there is a customer. */
export const sampleValues: Readonly<Record<MessageValue, string>> = Object.fromEntries(
  Object.entries(messageValues).map(([name, { example }]) => [name, example]),
) as Record<MessageValue, string>
