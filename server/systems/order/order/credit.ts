import { sql } from 'kysely'
import { add, gt, isZero, type Money, sub, zeroMoney } from '../../../../core/rules/money.ts'
import { addDays, type EatDate } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault } from '../../../http/fault.ts'
import { eachItem, type Step } from '../../../jobs/scheduler.ts'
import type { Module } from '../../../module.ts'
import { newNo } from '../../../money/numbers.ts'
import { type Actor, system } from '../../../rights/actor.ts'
import { create, transition } from '../../../states/transition.ts'

type Credit = { creditNo: string; creditStatus: string; creditExpiry: EatDate | null; version: number }

const chunkSize = 500

/** Whether the credit of customer `c` is over, which the job of the day may not have written yet. */
export const isCreditOver = (today: EatDate) => sql<boolean>`exists (
  select 1 from credit x where x.customer_no = c.customer_no and (x.credit_status = 'expired' or x.credit_expiry < ${today}::date))`

/** By how much the coupon that an order holds raises the limit for it. */
export const couponRaise = (orderNo: string) =>
  sql<Money>`coalesce((select p.face_amount from coupon p where p.bound_order_no = ${orderNo} and p.coupon_status = 'frozen' and p.coupon_type = 'increase_loan_limit_coupon'), 0)::numeric(18,2)`

/** What customer `c` may still borrow of a merchant, with an order that may hold a coupon: what is left of the limit, with the higher limit that it gave for a while; nothing once the credit is over. */
export const usableLimit = (today: EatDate, merchantNo: string, orderNo = '') =>
  sql<Money>`case when ${isCreditOver(today)} then 0.00 else c.remaining_limit + coalesce((
    select g.quota_amount from temp_quota_grant g where g.customer_no = c.customer_no and g.merchant_no = ${merchantNo} and g.grant_status = 'effective' and g.bound_order_no is null
      and g.end_time > (${today}::date::timestamp at time zone 'Africa/Kampala')), 0)::numeric(18,2) + ${couponRaise(orderNo)} end`

const lockCredit = (tx: Tx, customerNo: string) =>
  tx.maybe(
    sql<Credit>`select credit_no, credit_status, credit_expiry, version from credit where customer_no = ${customerNo} for update`,
  )

const expiryFrom = async (tx: Tx): Promise<EatDate> => {
  const { days } = await tx.one(sql<{ days: number }>`
    select coalesce((select (config_value #>> '{}')::int from business_config where config_key = 'CREDIT_VALID_DAYS'), 365) as days`)
  return addDays(tx.today, days)
}

/** Grants a customer their credit when they first apply, and again once it expired; one that holds stays as it is. */
export const grantCredit = async (tx: Tx, customerNo: string, actor: Actor): Promise<void> => {
  let credit = await lockCredit(tx, customerNo)
  if (!credit) {
    await tx.one(sql`select 1 from customer where customer_no = ${customerNo} for update`)
    credit = await lockCredit(tx, customerNo)
    if (!credit) {
      const values = { creditNo: newNo('CR', tx.now), customerNo, createdTime: tx.now }
      await create(tx, 'credit', values, { event: 'credit.start' }, actor)
      credit = (await lockCredit(tx, customerNo)) as Credit
    }
  }
  const isOver = credit.creditExpiry !== null && credit.creditExpiry < tx.today
  if (credit.creditStatus === 'granted' && isOver)
    credit = await transition(tx, 'credit', credit, { event: 'clock.expire' }, actor)
  if (credit.creditStatus === 'expired')
    credit = await transition(tx, 'credit', credit, { event: 'credit.regrant' }, actor)
  if (credit.creditStatus === 'granting')
    await transition(tx, 'credit', credit, { event: 'credit.ok', set: { creditExpiry: await expiryFrom(tx) } }, actor)
}

/** Ends credits whose last day is before the date. */
const expireChunk = async (tx: Tx, { date, cursor }: { date: string; cursor: string | null }): Promise<Step> => {
  const due = await tx.rows(sql<Credit>`
    select credit_no, credit_status, credit_expiry, version from credit
    where credit_status = 'granted' and credit_expiry < ${date} and credit_no > ${cursor ?? ''}
    order by credit_no limit ${chunkSize} for update`)
  const actor = system(`credit.expire ${date}`)
  const parked = await eachItem(
    tx,
    due,
    credit => credit.creditNo,
    (inner, credit) => transition(inner, 'credit', credit, { event: 'clock.expire' }, actor),
  )
  const isLast = due.length < chunkSize
  return {
    cursor: isLast ? null : (due.at(-1)?.creditNo ?? null),
    counts: { expired: due.length - parked.length },
    parked,
  }
}

type Approved = { orderNo: string; customerNo: string; merchantNo: string; loanAmount: Money }
type Grant = {
  grantNo: string
  customerNo: string
  grantStatus: string
  quotaAmount: Money
  usedAmount: Money
  endTime: string
  version: number
}

const grantOf = (tx: Tx, { orderNo }: { orderNo: string }) =>
  tx.maybe(sql<Grant>`select * from temp_quota_grant where bound_order_no = ${orderNo} for update`)

/** What an order takes beyond the limit of its customer comes from their higher limit, which it holds from now on. */
const takeGrant = async (tx: Tx, { orderNo, customerNo, merchantNo }: Approved, beyond: Money): Promise<void> => {
  const taken = await tx.exec(sql`
    update temp_quota_grant set bound_order_no = ${orderNo}, used_amount = ${beyond}::numeric, version = version + 1
    where customer_no = ${customerNo} and merchant_no = ${merchantNo} and grant_status = 'effective' and bound_order_no is null
      and end_time > ${tx.now} and quota_amount >= ${beyond}::numeric`)
  if (taken !== 1) throw new Fault('stateConflict', 'errors.creditTakenMeanwhile')
}

/** What an order takes beyond the limit of its customer by the coupon that it holds; answers how much of it the coupon covers. */
const takeRaise = async (tx: Tx, orderNo: string, beyond: Money): Promise<Money> => {
  const raised = await tx.maybe(sql<{ usedAmount: Money }>`
    update coupon set used_amount = least(face_amount, ${beyond}::numeric), version = version + 1
    where bound_order_no = ${orderNo} and coupon_status = 'frozen' and coupon_type = 'increase_loan_limit_coupon' returning used_amount`)
  return raised?.usedAmount ?? zeroMoney
}

/** An order gives back what it had beyond the limit by its coupon, which it may go on to hold; answers how much that was. */
const freeRaise = async (tx: Tx, orderNo: string): Promise<Money> => {
  const held = await tx.maybe(sql<{ couponNo: string; usedAmount: Money | null }>`
    select coupon_no, used_amount from coupon where bound_order_no = ${orderNo} and coupon_type = 'increase_loan_limit_coupon' and used_amount is not null for update`)
  if (!held?.usedAmount) return zeroMoney
  await tx.exec(sql`
    update coupon set used_amount = null, returned_amount = 0, version = version + 1 where coupon_no = ${held.couponNo}`)
  return held.usedAmount
}

/** The credit that an approved order takes from its customer; answers what was left before and after. */
export const takeCredit = async (tx: Tx, order: Approved) => {
  const { customerNo, loanAmount } = order
  const { before } = await tx.one(
    sql<{ before: Money }>`select remaining_limit as before from customer where customer_no = ${customerNo} for update`,
  )
  const beyond = gt(loanAmount, before) ? sub(loanAmount, before) : zeroMoney
  const raised = isZero(beyond) ? zeroMoney : await takeRaise(tx, order.orderNo, beyond)
  if (gt(beyond, raised)) await takeGrant(tx, order, sub(beyond, raised))
  const { after } = await tx.one(sql<{ after: Money }>`
    update customer set version = version + 1, remaining_limit = remaining_limit - ${loanAmount}::numeric
      + coalesce((select used_amount from temp_quota_grant where bound_order_no = ${order.orderNo}), 0) + ${raised}::numeric
    where customer_no = ${customerNo} returning remaining_limit as after`)
  return { before, after }
}

/** The payout of its order uses a higher limit up. */
export const useGrant = async (tx: Tx, order: { orderNo: string }, actor: Actor): Promise<void> => {
  const grant = await grantOf(tx, order)
  if (grant?.grantStatus !== 'effective') return
  await transition(
    tx,
    'tempQuotaGrant',
    grant,
    { event: 'grant.use', set: { usedTime: tx.now }, payload: order },
    actor,
  )
}

/** An order gives its higher limit back: to be used again until its last day. Answers what the order had of it. */
const freeGrant = async (tx: Tx, order: { orderNo: string }, actor: Actor): Promise<Money> => {
  const grant = await grantOf(tx, order)
  if (!grant) return zeroMoney
  const set = { boundOrderNo: null, usedAmount: zeroMoney, returnedAmount: zeroMoney, usedTime: null }
  const isOver = Date.parse(grant.endTime) <= tx.now.getTime()
  if (grant.grantStatus === 'used') {
    // A customer holds one at a time: one that was given since stays.
    const other = await tx.maybe(sql`
      select 1 from temp_quota_grant where customer_no = ${grant.customerNo} and grant_status in ('waiting', 'waiting_consent', 'effective')`)
    const as = isOver || other ? 'late' : 'valid'
    await transition(tx, 'tempQuotaGrant', grant, { event: 'grant.restore', as, set, payload: order }, actor)
    return grant.usedAmount
  }
  await tx.exec(sql`
    update temp_quota_grant set bound_order_no = null, used_amount = 0, returned_amount = 0, version = version + 1 where grant_no = ${grant.grantNo}`)
  if (isOver)
    await transition(
      tx,
      'tempQuotaGrant',
      { ...grant, version: grant.version + 1 },
      { event: 'clock.expire', payload: order },
      actor,
    )
  return grant.usedAmount
}

/** Gives the customer back the credit that an order took at its approval. */
export const restoreCredit = async (tx: Tx, order: Approved, actor: Actor): Promise<void> => {
  await tx.one(sql`select 1 from customer where customer_no = ${order.customerNo} for update`)
  const beyond = add(await freeRaise(tx, order.orderNo), await freeGrant(tx, order, actor))
  const own = sub(order.loanAmount, beyond)
  await tx.flush()
  await tx.exec(sql`
    update customer set remaining_limit = least(credit_limit, remaining_limit + ${own}::numeric), version = version + 1
    where customer_no = ${order.customerNo}`)
}

/** What of a repayment belongs to the customer's own limit: the part beyond it is closed first. */
const ownPart = async (tx: Tx, { orderNo }: { orderNo: string }, repaid: Money): Promise<Money> => {
  const raised = await tx.maybe(sql<{ own: Money }>`
    update coupon set returned_amount = greatest(returned_amount + ${repaid}::numeric, 0), version = version + 1
    where bound_order_no = ${orderNo} and coupon_status = 'used' and coupon_type = 'increase_loan_limit_coupon' and used_amount > 0
    returning (greatest(returned_amount - used_amount, 0) - greatest(returned_amount - ${repaid}::numeric - used_amount, 0))::numeric(18,2) as own`)
  const principal = raised?.own ?? repaid
  const grant = await tx.maybe(sql<{ own: Money }>`
    update temp_quota_grant set returned_amount = greatest(returned_amount + ${principal}::numeric, 0), version = version + 1
    where bound_order_no = ${orderNo} and grant_status = 'used'
    returning (greatest(returned_amount - used_amount, 0) - greatest(returned_amount - ${principal}::numeric - used_amount, 0))::numeric(18,2) as own`)
  return grant?.own ?? principal
}

/** Repaid principal of a revolving limit can be lent again; a rolled-back repayment (negative) takes it away. */
export const returnCredit = async (
  tx: Tx,
  { orderNo, customerNo }: { orderNo: string; customerNo: string },
  principal: Money,
): Promise<void> => {
  if (isZero(principal)) return
  const own = await ownPart(tx, { orderNo }, principal)
  await tx.exec(sql`
    update customer set remaining_limit = greatest(least(remaining_limit + ${own}::numeric, credit_limit), 0), version = version + 1
    where customer_no = ${customerNo} and credit_type = 'revolving'`)
}

export const creditModule = (): Module => ({
  served: [],
  chunked: [{ job: 'credit.expire', dailyAt: '00:05', chunk: expireChunk }],
})
