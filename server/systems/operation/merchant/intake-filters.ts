import { type RawBuilder, sql } from 'kysely'
import { type MerchantFilter, merchantFilters } from '../../../../core/contract/operation/merchant.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault } from '../../../http/fault.ts'

type Frag = RawBuilder<unknown>
type Mode = 'off' | 'count' | 'refuse'

/** What a merchant takes: which customers, on which conditions, and what is looked for. */
export type Intake = {
  merchantNo: string
  enabled: string
  drain: boolean
  trafficLimit: number
  registerAllowed: boolean
  minContacts: number | null
  settledHours: number | null
  noOverdue: boolean
  refusedHereDays: number | null
} & Record<MerchantFilter, Mode>

/** The columns of {@link Intake}. */
export const intakeColumns = sql`merchant_no, enabled, drain, traffic_limit, register_allowed, min_contacts, settled_hours, no_overdue,
  refused_here, refused_here_days, open_order, same_device, same_account`

/** An application as the filters see it; each part is an expression. */
export type Candidate = {
  orderNo: Frag
  merchantNo: Frag
  customerNo: Frag
  deviceId: Frag
  account: Frag
  at: Frag
  /** Days of the refusal filter. */
  days: Frag
}

const ended = (alias: string) =>
  sql`${sql.ref(`${alias}.order_status`)} in ('settled', 'cancelled', 'machine_refused', 'approval_rejected')`

/** For each filter, whether it meets an application: earlier orders `p` of its customer, or of another one. */
export const metBy = (c: Candidate): Record<MerchantFilter, Frag> => {
  const earlier = sql`p.apply_time <= ${c.at} and p.order_no <> ${c.orderNo}`
  return {
    refusedHere: sql`exists (select 1 from loan_order p where p.customer_no = ${c.customerNo} and p.merchant_no = ${c.merchantNo} and ${earlier}
      and p.order_status in ('machine_refused', 'approval_rejected') and p.status_time >= ${c.at} - ${c.days} * interval '1 day')`,
    openOrder: sql`exists (select 1 from loan_order p join merchant pm on pm.merchant_no = p.merchant_no
      where p.customer_no = ${c.customerNo} and ${earlier} and pm.org_no = (select own.org_no from merchant own where own.merchant_no = ${c.merchantNo})
        and (not ${ended('p')} or p.status_time > ${c.at}))`,
    sameDevice: sql`exists (select 1 from loan_order p where p.device ->> 'deviceId' = ${c.deviceId} and p.customer_no <> ${c.customerNo} and ${earlier})`,
    sameAccount: sql`exists (select 1 from loan_order p where p.wallet_account = ${c.account} and p.customer_no <> ${c.customerNo} and ${earlier})`,
  }
}

export type Applying = { customerNo: string; deviceId: string; account: string; contacts: number }

/** A customer draws a loan on the conditions of the merchant: enough contacts, nothing overdue in its organization, time since the last loan. */
const checkConditions = async (tx: Tx, merchant: Intake, applying: Applying): Promise<void> => {
  const { merchantNo, minContacts, settledHours, noOverdue } = merchant
  const { customerNo } = applying
  if (minContacts !== null && applying.contacts < minContacts)
    throw new Fault('quota', 'errors.conditionContacts', { min: minContacts })
  if (settledHours !== null) {
    const lately = await tx.maybe(sql`
      select 1 from loan_order where customer_no = ${customerNo} and merchant_no = ${merchantNo}
        and settled_time > ${tx.now}::timestamptz - ${settledHours} * interval '1 hour' limit 1`)
    if (lately) throw new Fault('quota', 'errors.conditionSettled', { n: settledHours })
  }
  if (!noOverdue) return
  const overdue = await tx.maybe(sql`
    select 1 from loan_order o join merchant m on m.merchant_no = o.merchant_no join repay_plan b on b.order_no = o.order_no
    where o.customer_no = ${customerNo} and b.bill_status in ('pending', 'partial') and b.due_date < ${tx.today}
      and m.org_no = (select own.org_no from merchant own where own.merchant_no = ${merchantNo}) limit 1`)
  if (overdue) throw new Fault('quota', 'errors.conditionOverdue')
}

/**
 * Refuses an application that the merchant does not take. Answers the filters that met it and only count, and that of open orders.
 * @throws {Fault} 41001 with words that say no more than the partner may know
 */
export const checkIntake = async (tx: Tx, merchant: Intake, applying: Applying): Promise<MerchantFilter[]> => {
  await checkConditions(tx, merchant, applying)
  const asked = merchantFilters.filter(name => merchant[name] !== 'off')
  if (asked.length === 0) return []
  const met = metBy({
    orderNo: sql`''`,
    merchantNo: sql`${merchant.merchantNo}`,
    customerNo: sql`${applying.customerNo}`,
    deviceId: sql`${applying.deviceId}`,
    account: sql`${applying.account}`,
    at: sql`${tx.now}::timestamptz`,
    days: sql`${merchant.refusedHereDays ?? 0}::int`,
  })
  const found = await tx.one(
    sql<
      Record<MerchantFilter, boolean>
    >`select ${sql.join(asked.map(name => sql`${met[name]} as ${sql.ref(name.replace(/[A-Z]/g, one => `_${one.toLowerCase()}`))}`))}`,
  )
  const hits = asked.filter(name => found[name])
  if (hits.some(name => name !== 'openOrder' && merchant[name] === 'refuse'))
    throw new Fault('quota', 'errors.filtered')
  return hits
}

/** Refuses who has an open order, among the filters that {@link checkIntake} answered; it is asked after whom the merchant bars. */
export const checkOpenOrder = (merchant: Intake, hits: readonly MerchantFilter[]): void => {
  if (hits.includes('openOrder') && merchant.openOrder === 'refuse') throw new Fault('quota', 'errors.filtered')
}

/** Notes the filters that met an application which was taken. */
export const noteHits = (tx: Tx, merchantNo: string, orderNo: string, hits: readonly MerchantFilter[]): void => {
  for (const filter of hits) tx.append('merchantFilterHit', { orderNo, filter, merchantNo, at: tx.now })
}
