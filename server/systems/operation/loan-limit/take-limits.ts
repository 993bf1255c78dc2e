import { type RawBuilder, sql } from 'kysely'
import { lte, type Money, sub } from '../../../../core/rules/money.ts'
import type { Tx } from '../../../db/database.ts'

type Frag = RawBuilder<unknown>
type Paid = { merchantNo: string; productNo: string; loanKind: string }

/** Whether a limit (`l`) is one of an order's; the order is a row of that alias. */
export const limitsOrder = (order: string): Frag => {
  const of = (column: string) => sql.ref(`${order}.${column}`)
  return sql`(l.merchant_no = ${of('merchant_no')} and (l.product_no is null or l.product_no = ${of('product_no')})
    and (l.loan_kind is null or l.loan_kind = ${of('loan_kind')}))`
}

/** What a limit (`l`) allows on a day: that of the day alone, where there is one. Null for no limit. */
export const allowed = (today: string) => ({
  amount: sql`(case when l.day_date = ${today}::date then l.day_limit else l.daily_limit end)`,
  count: sql`(case when l.day_date = ${today}::date then l.day_payouts else l.daily_payouts end)`,
})

/** Principal of the limit's (`l`) paid-out orders that is not paid back, with what is on its way. */
export const outstandingOf: Frag = sql`(
  select coalesce(sum(case o2.order_status when 'remitting' then o2.loan_amount else (
    select coalesce(sum(b.principal_due - b.principal_paid - b.principal_waived), 0) from repay_plan b where b.order_no = o2.order_no and b.bill_status not in ('extended', 'cancelled')) end), 0)
  from loan_order o2 where o2.order_status in ('remitting', 'funds_disbursed') and ${limitsOrder('o2')})::numeric(18,2)`

/** Whether a limit (`l`, its use `u`) has no room for an amount and a principal today. */
const isFull = (today: string, amount: Frag, principal: Frag): Frag => sql`(
  l.suspend_status = 'suspended'
  or coalesce(u.used_amount, 0) + ${amount} > ${allowed(today).amount}
  or coalesce(u.used_count, 0) + 1 > ${allowed(today).count}
  or (l.outstanding_limit is not null and ${outstandingOf} + ${principal} > l.outstanding_limit))`

const used = (today: string): Frag =>
  sql`left join merchant_loan_usage u on u.limit_no = l.limit_no and u.business_date = ${today}`

/** Whether a limit keeps an order (`o`) with its loan code (`lc`) from being paid today. */
export const keptByLimit = (today: string): Frag => sql`exists (
  select 1 from merchant_loan_limit l ${used(today)}
  where ${limitsOrder('o')} and ${isFull(today, sql`lc.actual_loan_amount`, sql`o.loan_amount`)})`

const lockLimits = (tx: Tx, { merchantNo, productNo, loanKind }: Paid) =>
  tx.rows(sql<{ limitNo: string }>`
    select l.limit_no from merchant_loan_limit l
    where l.merchant_no = ${merchantNo} and (l.product_no is null or l.product_no = ${productNo}) and (l.loan_kind is null or l.loan_kind = ${loanKind})
    order by l.limit_no for update of l`)

/** Locks the limits of several orders, so that what they have room for stays so. */
export const lockLimitsOf = async (tx: Tx, orderNos: readonly string[]): Promise<void> => {
  await tx.rows(sql`
    select l.limit_no from merchant_loan_limit l
    where exists (select 1 from loan_order o where o.order_no = any(${orderNos as string[]}) and ${limitsOrder('o')})
    order by l.limit_no for update of l`)
}

type Room = {
  loanCode: string
  limitNo: string
  amount: Money
  principal: Money
  amountLeft: Money | null
  countLeft: number | null
  principalLeft: Money | null
}

/** Which of some loan codes fit into their limits together, asked one after the other: each that fits has taken its part. */
export const roomFor = async (tx: Tx, loanCodes: readonly string[]): Promise<(loanCode: string) => boolean> => {
  const most = allowed(tx.today)
  const rows = await tx.rows(sql<Room>`
    select lc.loan_code, l.limit_no, lc.actual_loan_amount as amount, o.loan_amount as principal,
      (${most.amount} - coalesce(u.used_amount, 0))::numeric(18,2) as amount_left, ${most.count} - coalesce(u.used_count, 0) as count_left,
      (case when l.outstanding_limit is not null then l.outstanding_limit - ${outstandingOf} end)::numeric(18,2) as principal_left
    from loan_code lc join loan_order o on o.order_no = lc.order_no join merchant_loan_limit l on ${limitsOrder('o')} ${used(tx.today)}
    where lc.loan_code = any(${loanCodes as string[]})`)
  const left = new Map(rows.map(row => [row.limitNo, { ...row }]))
  return loanCode => {
    const own = rows.filter(row => row.loanCode === loanCode)
    const limits = own.map(row => left.get(row.limitNo) as Room)
    const fits = limits.every(
      (limit, at) =>
        (limit.amountLeft === null || lte((own[at] as Room).amount, limit.amountLeft)) &&
        (limit.countLeft === null || limit.countLeft >= 1) &&
        (limit.principalLeft === null || lte((own[at] as Room).principal, limit.principalLeft)),
    )
    if (!fits) return false
    for (const [at, limit] of limits.entries()) {
      const { amount, principal } = own[at] as Room
      if (limit.amountLeft !== null) limit.amountLeft = sub(limit.amountLeft, amount)
      if (limit.countLeft !== null) limit.countLeft -= 1
      if (limit.principalLeft !== null) limit.principalLeft = sub(limit.principalLeft, principal)
    }
    return true
  }
}

const addUse = (tx: Tx, limitNo: string, date: string, amount: Money) =>
  tx.exec(sql`
    insert into merchant_loan_usage (limit_no, business_date, used_amount, used_count) values (${limitNo}, ${date}, ${amount}, 1)
    on conflict (limit_no, business_date) do update set used_amount = merchant_loan_usage.used_amount + excluded.used_amount, used_count = merchant_loan_usage.used_count + 1`)

type Take = { externalId: string; amount: Money }

/** What was taken before the attempt was written, to be noted with it. */
export type Taken = { limitNo: string; amount: Money }[]

/**
 * Takes an amount from every limit of an order, or from none: false where one of them has no room. The limits stay locked until the
 * transaction ends, so that payouts beside each other never exceed one. They are locked before accounts are.
 */
export const takeLimits = async (tx: Tx, order: Paid & { loanAmount: Money }, amount: Money): Promise<Taken | null> => {
  const limits = await lockLimits(tx, order)
  if (limits.length === 0) return []
  const nos = limits.map(one => one.limitNo)
  const full = await tx.maybe(sql`
    select 1 from merchant_loan_limit l ${used(tx.today)}
    where l.limit_no = any(${nos}) and ${isFull(tx.today, sql`${amount}::numeric`, sql`${order.loanAmount}::numeric`)} limit 1`)
  if (full) return null
  for (const limitNo of nos) await addUse(tx, limitNo, tx.today, amount)
  return nos.map(limitNo => ({ limitNo, amount }))
}

/** Notes what an attempt took, so that it can be given back. */
export const noteTaken = async (tx: Tx, externalId: string, taken: Taken): Promise<void> => {
  for (const { limitNo, amount } of taken)
    await tx.exec(sql`
      insert into merchant_loan_take (external_id, limit_no, business_date, amount, taken_time) values (${externalId}, ${limitNo}, ${tx.today}, ${amount}, ${tx.now})`)
}

/** Takes without asking: money that has left counts, whatever the limit. */
export const takeAnyway = async (tx: Tx, order: Paid, { externalId, amount }: Take): Promise<void> => {
  const limits = await lockLimits(tx, order)
  for (const { limitNo } of limits) await addUse(tx, limitNo, tx.today, amount)
  await noteTaken(
    tx,
    externalId,
    limits.map(({ limitNo }) => ({ limitNo, amount })),
  )
}

const lessUse = (tx: Tx, limitNo: string, date: string, amount: Money) =>
  tx.exec(sql`
    update merchant_loan_usage set used_amount = used_amount - ${amount}::numeric, used_count = used_count - 1
    where limit_no = ${limitNo} and business_date = ${date}`)

/** Gives back what an attempt that failed had taken, to the day on which it took it. */
export const giveBack = async (tx: Tx, externalId: string): Promise<void> => {
  await tx.rows(sql`
    select l.limit_no from merchant_loan_limit l join merchant_loan_take t on t.limit_no = l.limit_no
    where t.external_id = ${externalId} and t.returned_time is null order by l.limit_no for update of l`)
  const takes = await tx.rows(sql<{ limitNo: string; businessDate: string; amount: Money }>`
    update merchant_loan_take set returned_time = ${tx.now} where external_id = ${externalId} and returned_time is null
    returning limit_no, business_date, amount`)
  const sorted = takes.sort((a, b) => (a.limitNo < b.limitNo ? -1 : 1))
  for (const { limitNo, businessDate, amount } of sorted) await lessUse(tx, limitNo, businessDate, amount)
}
