import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { repay } from '../../../../core/contract/after-loan/repayment.ts'
import type { OutputOf } from '../../../../core/contract/endpoint.ts'
import type { Key } from '../../../../core/i18n/index.ts'
import type { Language } from '../../../../core/i18n/language.ts'
import { text } from '../../../../core/i18n/server.ts'
import { lateRoomOf } from '../../../../core/rules/legal-cap.ts'
import { type Bill, remainingTotal } from '../../../../core/rules/loan/bill.ts'
import { amountsOf } from '../../../../core/rules/loan/components.ts'
import type { LateRoom } from '../../../../core/rules/loan/penalty.ts'
import type { Terms } from '../../../../core/rules/loan/terms.ts'
import { type Extension, type Trial, trial, type WaiveReason } from '../../../../core/rules/loan/trial.ts'
import type { machines } from '../../../../core/rules/machines/machines.ts'
import { add, gt, type Money, sub, sum, zeroMoney } from '../../../../core/rules/money.ts'
import { type EatDate, eatDate, startOfEatDay } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault } from '../../../http/fault.ts'
import { discountOf, type Usable } from '../../operation/coupon/index.ts'
import { legalCaps } from '../payout/legal-caps.ts'
import { nearestRule } from '../rule/rule-place.ts'
import { type StoredTick, standingTicks, ticksAfter } from './penalty.ts'
import { billOf, type PlanRow } from './plan.ts'
import { repayRefusal } from './repay-blocks.ts'

type Frag = RawBuilder<unknown>

/** An order with everything that a repayment of it depends on. */
export type Standing = {
  order: RepaidOrder
  plans: PlanRow[]
  bills: Bill[]
  ticks: StoredTick[]
  facts: Facts
  /** What the law still allows to charge for lateness. */
  lateRoom: LateRoom
}

export type OrderStatus = keyof typeof machines.order.states

type RepaidOrder = {
  orderNo: string
  orderStatus: OrderStatus
  merchantNo: string
  customerNo: string
  customerName: string
  terms: Terms
  loanAmount: Money
  actualLoanAmount: Money
  payoutDate: EatDate
  overdue: boolean
  overdueDays: number
  version: number
}

type Facts = {
  orderNo: string
  /** What posted records applied to the order. */
  writtenOff: Money
  lastValueDate: EatDate | null
  lastSeq: number
  reversing: boolean
  /** What was forgiven of small shortfalls of the customer in this month. */
  forgivenThisMonth: Money
  monthCap: Money
  shortfallLimit: Money
  principalLimit: Money
  /** The most that may be left over when the system writes off by itself; null is any. */
  overflowLimit: Money | null
  /** Whether the system takes what settles nothing as a partial repayment. */
  autoPartial: boolean
  /** Whether the system takes exactly the quoted price of an extension as one. */
  autoExtension: boolean
  /** What today's quote of an extension says; null where none is open. */
  quotedAmount: Money | null
}

const monthCapKey = 'repay.smallSettleMonthCap'
const monthCap = '20000.00'

const factsOf = (tx: Tx, orderNos: readonly string[]) => {
  const month = startOfEatDay(`${tx.today.slice(0, 7)}-01`)
  return tx.rows(sql<Facts>`
    select o.order_no, coalesce(r.written_off, 0.00) as written_off, r.last_value_date, coalesce(r.last_seq, 0) as last_seq,
      exists (select 1 from loan_code lc where lc.order_no = o.order_no and lc.loan_code_status = 'reversing') as reversing,
      coalesce((
        select sum((s.trial ->> 'shortfall')::numeric) from repay_record s join loan_order so using (order_no)
        where so.customer_no = o.customer_no and s.record_status = 'posted' and s.repayment_time >= ${month}), 0.00) as forgiven_this_month,
      coalesce((select (config_value #>> '{}')::numeric(18,2) from business_config where config_key = ${monthCapKey}), ${monthCap}::numeric(18,2)) as month_cap,
      coalesce(w.shortfall_limit, 0.00) as shortfall_limit, coalesce(w.principal_limit, 0.00) as principal_limit,
      case when w.enabled is null then 0.00 else w.overflow_limit end as overflow_limit,
      coalesce(w.auto_partial, true) as auto_partial, coalesce(w.auto_extension, true) as auto_extension,
      (select x.amount from extension x where x.order_no = o.order_no and x.extension_status = 'quoted' and x.business_date = ${tx.today}) as quoted_amount
    from loan_order o
    left join lateral (
      select sum(amount - overflow_amount - extension_fee) filter (where record_status = 'posted') as written_off,
        max(value_date) filter (where record_status = 'posted') as last_value_date, max(record_seq) as last_seq
      from repay_record where order_no = o.order_no) r on true
    left join lateral (select * from ${nearestRule('auto_write_off_config')} nearest where enabled = 'enabled') w on true
    where o.order_no = any(${orderNos as string[]})`)
}

export type StandingOptions = {
  /** The data rule over `o` loan_order; none for the machine itself. */
  where?: Frag
  /** Takes the locks of a write-off: orders, then their bills. */
  lock?: boolean
  /** Reads, or locks, what comes between orders and bills in the order of locks. */
  between?: () => Promise<unknown>
  /** The earliest value date that can be asked for; called when the locks are held. */
  from?: () => EatDate
}

const inOrder = (a: PlanRow, b: PlanRow) => a.installmentNo - b.installmentNo || a.extensionCount - b.extensionCount

/** Reads paid-out orders as they stand; the ones that are out of scope, unknown or not paid out are left out. */
export const standings = async (tx: Tx, orderNos: readonly string[], o: StandingOptions = {}): Promise<Standing[]> => {
  await tx.flush()
  const orders = await tx.rows(sql<RepaidOrder>`
    select o.order_no, o.order_status, o.merchant_no, o.customer_no, o.terms, o.loan_amount, o.actual_loan_amount, o.payout_date, o.overdue, o.overdue_days, o.version,
      (select c.customer_name from customer c where c.customer_no = o.customer_no) as customer_name
    from loan_order o where o.order_no = any(${orderNos as string[]}) and o.payout_date is not null and ${o.where ?? sql`true`}
    order by o.order_no ${o.lock ? sql`for update of o` : sql``}`)
  if (orders.length === 0) return []
  await o.between?.()
  const found = orders.map(order => order.orderNo)
  const readingPlans = tx.rows(sql<PlanRow>`
    select * from repay_plan where order_no = any(${found}) order by bill_no ${o.lock ? sql`for update` : sql``}`)
  const [plans, facts, caps] = await Promise.all([readingPlans, factsOf(tx, found), legalCaps(tx)])
  const open = plans.filter(plan => plan.billStatus === 'pending' || plan.billStatus === 'partial')
  const overdue = open.filter(plan => plan.dueDate < tx.today).map(plan => plan.billNo)
  const from = o.from?.() ?? tx.today
  const ticks = from < tx.today && overdue.length > 0 ? await ticksAfter(tx, overdue, from) : []
  return orders.map(order => {
    const own = plans.filter(plan => plan.orderNo === order.orderNo).sort(inOrder)
    return {
      order,
      plans: own,
      bills: own.map(billOf),
      ticks: ticks.filter(tick => own.some(plan => plan.billNo === tick.billNo)),
      facts: facts.find(fact => fact.orderNo === order.orderNo) as Facts,
      lateRoom: lateRoomOf(caps, order.loanAmount),
    }
  })
}

/** One order as {@link standings} reads it. */
export const standingOf = async (tx: Tx, orderNo: string, o: StandingOptions = {}): Promise<Standing> => {
  const [standing] = await standings(tx, [orderNo], o)
  if (!standing) throw new Fault('notFound', 'errors.notFound')
  return standing
}

/** Refuses an order on which no money is written off: not paid out any more, or its payout is being taken back. */
export const checkRepayable = ({ order, facts }: Standing, also: readonly string[] = []) => {
  const refusal = repayRefusal({ ...facts, orderStatus: order.orderStatus }, also)
  if (refusal) throw refusal
}

export const earlierOf = (a: EatDate, b: EatDate): EatDate => [a, b].sort()[0] as EatDate

/** The day on which money counts: that of its arrival, not before the payout or the last repayment, not after today. */
export const naturalValueDate = (
  { order, facts }: Standing,
  entryTimes: readonly string[],
  today: EatDate,
): EatDate => {
  const arrival = entryTimes.map(eatDate).sort().at(-1) ?? today
  const [latest] = [arrival, order.payoutDate, facts.lastValueDate ?? order.payoutDate].sort().reverse()
  return earlierOf(latest ?? today, today)
}

export type Asked = {
  repayType: 'settle' | 'partial' | 'extension' | 'overpayment'
  valueDate: EatDate
  /** The write-off amount of each source. */
  amounts: readonly Money[]
  /** Names of the sources, so that the key of the answer knows them. */
  sources: readonly string[]
  /** Whether a small shortfall may be forgiven. */
  smallSettle: boolean
  /** The coupon that it is made with, locked where it is posted. */
  coupon?: Usable | undefined
}

export type Outcome = {
  asked: Asked
  trial: Trial
  /** What is forgiven as a small shortfall. */
  shortfall: Money
  /** What the coupon takes off. */
  couponAmount: Money
  refusal?: Key
  /** Changes with every number a person may have seen. */
  trialKey: string
}

/** What a repayment would do: the one calculation behind the trial on the screen and the posting. */
export const tryOut = ({ order, bills, ticks, facts, lateRoom }: Standing, asked: Asked, today: EatDate): Outcome => {
  const result = trial(
    {
      terms: order.terms,
      bills,
      payoutDate: order.payoutDate,
      loanAmount: order.loanAmount,
      actualLoanAmount: order.actualLoanAmount,
      writtenOffSoFar: facts.writtenOff,
      lastValueDate: facts.lastValueDate,
      ticks: standingTicks(ticks),
      lateRoom,
    },
    {
      repayType: asked.repayType,
      valueDate: asked.valueDate,
      businessDate: today,
      amounts: asked.amounts,
      shortfallLimit: asked.smallSettle ? facts.shortfallLimit : zeroMoney,
      principalLimit: facts.principalLimit,
      ...(asked.coupon ? { discount: discountOf(asked.coupon) } : {}),
    },
  )
  const waivedAs = (reason: WaiveReason) =>
    sum(result.waived.filter(line => line.reason === reason).map(line => line.amount))
  const [shortfall, couponAmount] = [waivedAs('shortfall'), waivedAs('coupon')]
  const capped = gt(shortfall, zeroMoney) && gt(add(facts.forgivenThisMonth, shortfall), facts.monthCap)
  const refusal: Key | undefined = result.refusal ?? (capped ? 'errors.limitExceeded' : undefined)
  const {
    due,
    settleAmount,
    amount,
    allocation,
    waived,
    overflow,
    accruals,
    extension,
    outstandingAfter,
    orderSettled,
  } = result
  const seen = [
    order.orderNo,
    asked,
    due,
    settleAmount,
    amount,
    allocation,
    waived,
    overflow,
    accruals,
    outstandingAfter,
    orderSettled,
    ...(asked.repayType === 'extension' ? [extension] : []),
    refusal ?? null,
  ]
  const trialKey = createHash('sha256').update(JSON.stringify(seen)).digest('hex').slice(0, 40)
  return { asked, trial: result, shortfall, couponAmount, refusal, trialKey }
}

const penaltyTakenBack = ({ accruals }: Trial): Money => {
  const total = (ticks: readonly { lateFee: Money; liquidatedDamages: Money }[]) =>
    sum(ticks.flatMap(tick => [tick.lateFee, tick.liquidatedDamages]))
  return sub(total(accruals.flatMap(each => each.reversed)), total(accruals.flatMap(each => each.ticks)))
}

/** What putting a bill off costs and does, in the words of the contract. */
export const offered = ({ billNo, fee, due, amount, dueDate, newDueDate, successor }: Extension, terms: Terms) => ({
  billNo,
  installmentNo: successor.installmentNo,
  extensionFee: fee,
  due,
  amount,
  dueDate,
  newDueDate,
  extensionCount: successor.extensionCount ?? 1,
  extensionsAllowed: terms.extension.max,
})

/** The answer of a trial, in the words of the contract. */
export const shown = (
  { order, bills }: Standing,
  { asked, trial: t, couponAmount, refusal, trialKey }: Outcome,
  language: Language,
  o: { unproven: readonly string[]; projected: boolean; coupons?: readonly Usable[] } = {
    unproven: [],
    projected: false,
  },
): OutputOf<typeof repay.trial> => {
  const touched = new Set([...t.allocation, ...t.waived].map(line => line.billNo))
  return {
    trialKey,
    valueDate: asked.valueDate,
    due: t.due,
    settleAmount: t.settleAmount,
    received: t.amount,
    applied: amountsOf(t.allocation),
    waived: amountsOf(t.waived),
    overflow: t.overflow,
    outstandingAfter: t.outstandingAfter,
    orderStatusAfter: t.orderSettled ? 'settled' : order.orderStatus,
    allocation: bills.flatMap(({ billNo, installmentNo, dueDate }, index) => {
      const after = t.after[index]
      if (!touched.has(billNo) || !after) return []
      const own = <L extends { billNo: string }>(lines: readonly L[]) => lines.filter(line => line.billNo === billNo)
      return [
        {
          billNo,
          installmentNo,
          dueDate,
          applied: amountsOf(own(t.allocation)),
          waived: amountsOf(own(t.waived)),
          leftAfter: remainingTotal(after),
        },
      ]
    }),
    extension: t.extension && offered(t.extension, order.terms),
    couponAmount,
    coupons: (o.coupons ?? []).map(({ couponNo, couponName, faceAmount, expireTime, bound }) => ({
      ...{ couponNo, couponName, faceAmount, expireTime, bound },
    })),
    flags: t.flags,
    refusal: refusal ? text(language, refusal) : null,
    reversedPenalty: penaltyTakenBack(t),
    unproven: [...o.unproven],
    projected: o.projected,
  }
}
