import { sql } from 'kysely'
import { add, isZero, type Money } from '../../../../core/rules/money.ts'
import { addDays, type EatDate } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
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

/** What customer `c` may still borrow: nothing once the credit is over. */
export const usableLimit = (today: EatDate) =>
  sql<Money>`case when ${isCreditOver(today)} then 0.00 else c.remaining_limit end`

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

type Approved = { customerNo: string; loanAmount: Money }

/** The credit that an approved order takes from its customer; answers what was left before and after. */
export const takeCredit = async (tx: Tx, { customerNo, loanAmount }: Approved) => {
  const { after } = await tx.one(sql<{ after: Money }>`
    update customer set remaining_limit = remaining_limit - ${loanAmount}::numeric, version = version + 1
    where customer_no = ${customerNo} returning remaining_limit as after`)
  return { before: add(after, loanAmount), after }
}

/** Gives the customer back the credit that an order took at its approval. */
export const restoreCredit = (tx: Tx, { customerNo, loanAmount }: Approved) =>
  tx.exec(sql`
    update customer set remaining_limit = least(credit_limit, remaining_limit + ${loanAmount}::numeric), version = version + 1
    where customer_no = ${customerNo}`)

/** Repaid principal of a revolving limit can be lent again; a rolled-back repayment (negative) takes it away. */
export const returnCredit = async (tx: Tx, customerNo: string, principal: Money): Promise<void> => {
  if (isZero(principal)) return
  await tx.exec(sql`
    update customer set remaining_limit = greatest(least(remaining_limit + ${principal}::numeric, credit_limit), 0), version = version + 1
    where customer_no = ${customerNo} and credit_type = 'revolving'`)
}

export const creditModule = (): Module => ({
  served: [],
  chunked: [{ job: 'credit.expire', dailyAt: '00:05', chunk: expireChunk }],
})
