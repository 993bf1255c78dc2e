import { sql } from 'kysely'
import type { settleSkips } from '../../../../core/contract/after-loan/auto-settle.ts'
import type { ValueOf } from '../../../../core/contract/fields.ts'
import { remainingTotal } from '../../../../core/rules/loan/bill.ts'
import { gt, isZero, lte, type Money, min, sub, sum } from '../../../../core/rules/money.ts'
import type { EatDate } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault } from '../../../http/fault.ts'
import { eachItem, type Step } from '../../../jobs/scheduler.ts'
import { type Actor, system } from '../../../rights/actor.ts'
import { orderApproval } from '../../order/order/index.ts'
import { freeOf, lockOverpayment } from '../repayment/overflow.ts'
import { outstandingColumn } from '../repayment/repay-source.ts'
import { type Standing, standingOf, tryOut } from '../repayment/trial.ts'
import { nearestRule } from '../rule/rule-place.ts'
import { writeOff } from '../write-off/write-off.ts'

/** Orders of one part of a run. */
const chunkSize = 100

type Skip = ValueOf<typeof settleSkips>
type Due = {
  orderNo: string
  configNo: string
  residueLimit: Money
  quietEnough: boolean
  useOverflow: boolean
  waits: boolean
}

/** Orders that a rule may do something about on a date and that the run of that date has not met yet. */
const due = (tx: Tx, date: EatDate, after: string): Promise<Due[]> => {
  const owed = outstandingColumn()
  const lastPaid = sql`coalesce((select max(r.value_date) from repay_record r where r.order_no = o.order_no and r.record_status = 'posted'), o.payout_date)`
  return tx.rows(sql<Due>`
    select o.order_no, rule.config_no, rule.residue_limit, rule.use_overflow, ${orderApproval} is not null as waits,
      ${lastPaid} <= ${date}::date - rule.days_since_payment as quiet_enough
    from loan_order o join lateral ${nearestRule('auto_settle_config', sql`c.enabled = 'enabled'`)} rule on true
    where o.order_status = 'funds_disbursed' and o.order_no > ${after}
      and (${owed} <= rule.residue_limit and ${lastPaid} <= ${date}::date - rule.days_since_payment
        or rule.use_overflow and exists (select 1 from overpayment v where v.customer_no = o.customer_no and v.credited - v.refunded - v.reapplied > v.reserved)
          and exists (select 1 from repay_plan b where b.order_no = o.order_no and b.bill_status in ('pending', 'partial') and b.due_date <= ${date}))
      and not exists (select 1 from auto_settle_result done where done.business_date = ${date} and done.order_no = o.order_no)
    order by o.order_no limit ${chunkSize}`)
}

const owedNow = ({ bills }: Standing): Money => sum(bills.map(remainingTotal))

type Paid = { amount: Money; repaymentNo: string | null }

/** Pays what is due on a date from the money held for the customer. */
const payFromOverflow = async (tx: Tx, standing: Standing, date: EatDate, actor: Actor): Promise<Paid> => {
  const none = { amount: '0.00', repaymentNo: null }
  const held = await lockOverpayment(tx, standing.order.customerNo)
  const isDue = sum(standing.bills.filter(bill => bill.dueDate <= date).map(remainingTotal))
  const amount = held ? min(freeOf(held), isDue) : '0.00'
  if (!held || !gt(amount, '0.00')) return none
  const quote = { valueDate: tx.today, sources: [held.overpaymentNo], smallSettle: false }
  const { settleAmount } = tryOut(standing, { ...quote, repayType: 'settle', amounts: [] }, tx.today).trial
  const repayType = gt(settleAmount, amount) ? 'partial' : 'settle'
  const outcome = tryOut(standing, { ...quote, repayType, amounts: [amount] }, tx.today)
  if (outcome.refusal) return none
  const sources = { kind: 'overflow', overpayment: held, amount } as const
  const { repaymentNo } = await writeOff(tx, standing, outcome, { event: 'repay.auto', sources, actor })
  return { amount, repaymentNo }
}

type Forgiven = { waived: Money; repaymentNo: string } | { skip: Skip }

/** Settles an order that owes little, as far as the limits of write-offs allow. */
const forgive = async (tx: Tx, standing: Standing, actor: Actor): Promise<Forgiven> => {
  const asked = { repayType: 'settle', valueDate: tx.today, amounts: [], sources: ['zero'], smallSettle: true } as const
  const outcome = tryOut(standing, asked, tx.today)
  if (outcome.refusal || !outcome.trial.orderSettled) return { skip: 'limit' }
  const how = { event: 'repay.zeroSettle', sources: { kind: 'none' }, actor } as const
  const { repaymentNo } = await writeOff(tx, standing, outcome, how)
  return { waived: outcome.trial.outstanding, repaymentNo }
}

type Counts = { settled: number; paid: number; skipped: number }

const settleOne = async (tx: Tx, one: Due, date: EatDate, actor: Actor): Promise<keyof Counts> => {
  const standing = await standingOf(tx, one.orderNo, { lock: true })
  const owedBefore = owedNow(standing)
  const note = (outcome: keyof Counts, more: Record<string, unknown>) => {
    tx.append('autoSettleResult', {
      businessDate: date,
      orderNo: one.orderNo,
      configNo: one.configNo,
      outcome,
      owedBefore,
      fromOverflow: '0.00',
      waived: '0.00',
      owedAfter: owedBefore,
      repaymentNo: null,
      skipReason: null,
      runTime: tx.now,
      ...more,
    })
    return outcome
  }
  if (standing.facts.reversing) return note('skipped', { skipReason: 'reversing' })
  if (one.waits) return note('skipped', { skipReason: 'approval' })
  const paid = one.useOverflow
    ? await payFromOverflow(tx, standing, date, actor)
    : { amount: '0.00', repaymentNo: null }
  const left = sub(owedBefore, paid.amount)
  const used = { fromOverflow: paid.amount, owedAfter: left, repaymentNo: paid.repaymentNo }
  if (isZero(left)) return note('settled', used)
  const small = one.quietEnough && lte(left, one.residueLimit)
  if (!small) return paid.repaymentNo ? note('paid', used) : note('skipped', { skipReason: 'overflow' })
  const now = paid.repaymentNo ? await standingOf(tx, one.orderNo, { lock: true }) : standing
  const done = await forgive(tx, now, actor)
  if ('skip' in done) return paid.repaymentNo ? note('paid', used) : note('skipped', { skipReason: done.skip })
  return note('settled', { ...used, ...done, owedAfter: '0.00' })
}

/** The next orders of the run of a date. */
export const settleChunk = async (tx: Tx, run: { date: string; cursor: string | null }): Promise<Step> => {
  const date = run.date as EatDate
  const actor = system(`repay.autoSettle ${date}`)
  await tx.flush()
  const orders = await due(tx, date, run.cursor ?? '')
  const counts: Counts = { settled: 0, paid: 0, skipped: 0 }
  const parked = await eachItem(
    tx,
    orders,
    ({ orderNo }) => orderNo,
    async (inner, one) => {
      counts[await settleOne(inner, one, date, actor)]++
    },
  )
  return { cursor: orders.length < chunkSize ? null : (orders.at(-1)?.orderNo ?? null), counts, parked }
}

/** Most parts of a run that a person starts by hand. */
const mostParts = 20

/** The whole run of today, unless the clock has begun it. */
export const settleNow = async (tx: Tx): Promise<Counts> => {
  const date = tx.today
  const begun = await tx.maybe(sql`select 1 from job_run where job = 'repay.autoSettle' and slot = ${date}`)
  const done = await tx.maybe(sql`select 1 from auto_settle_result where business_date = ${date} limit 1`)
  if (begun || done) throw new Fault('stateConflict', 'errors.settledToday')
  const sums: Counts = { settled: 0, paid: 0, skipped: 0 }
  let cursor: string | null = null
  for (let part = 0; part < mostParts; part++) {
    const step: Step = await settleChunk(tx, { date, cursor })
    for (const name of ['settled', 'paid', 'skipped'] as const) sums[name] += step.counts?.[name] ?? 0
    cursor = step.cursor
    if (cursor === null) break
  }
  return sums
}
