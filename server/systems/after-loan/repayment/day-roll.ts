import { sql } from 'kysely'
import { lateRoomOf } from '../../../../core/rules/legal-cap.ts'
import { tick } from '../../../../core/rules/loan/penalty.ts'
import type { Terms } from '../../../../core/rules/loan/terms.ts'
import { machines } from '../../../../core/rules/machines/machines.ts'
import { isZero, type Money, sum, zeroMoney } from '../../../../core/rules/money.ts'
import { diffDays, type EatDate } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { isPassing } from '../../../db/faults.ts'
import { eachItem, type Step } from '../../../jobs/scheduler.ts'
import type { Deps, Module } from '../../../module.ts'
import { type Actor, system } from '../../../rights/actor.ts'
import { legalCaps } from '../payout/legal-caps.ts'
import { expireQuotes } from './extension/store.ts'
import { bookTick } from './penalty.ts'
import { billOf, type PlanRow } from './plan.ts'

type Late = {
  orderNo: string
  merchantNo: string
  customerNo: string
  terms: Terms
  loanAmount: Money
  overdue: boolean
  reversing: boolean
}
type Marked = { orderNo: string; overdue: boolean; oldest: EatDate }
type Due = PlanRow & { generation: number | null }

/** How many orders are turned in one transaction: nobody waits long for the lock of one. */
const chunkSize = 100

/**
 * The next orders with a bill overdue on the date, locked in the order of their numbers. Each is asked for its own bills (`offset 0` keeps
 * it so): gathering the overdue bills of all orders for every chunk would grow with the square of them.
 */
const lockLate = (tx: Tx, date: EatDate, after: string | null) =>
  tx.rows(sql<Late>`
    select o.order_no, o.merchant_no, o.customer_no, o.terms, o.loan_amount, o.overdue,
      exists (select 1 from loan_code lc where lc.order_no = o.order_no and lc.loan_code_status = 'reversing') as reversing
    from loan_order o
    where o.order_status = 'funds_disbursed' and o.order_no > ${after ?? ''}
      and exists (
        select 1 from repay_plan b where b.order_no = o.order_no and b.bill_status in ('pending', 'partial') and b.due_date < ${date} offset 0)
    order by o.order_no limit ${chunkSize} for update of o`)

/** Their overdue bills that were not charged for the date, with the last generation of a charge that was taken back. */
const lockBills = (tx: Tx, orderNos: readonly string[], date: EatDate) =>
  tx.rows(sql<Due>`
    select b.*, (select max(t.generation) from penalty_tick t where t.bill_no = b.bill_no and t.business_date = ${date}) as generation
    from repay_plan b
    where b.order_no = any(${orderNos as string[]}) and b.bill_status in ('pending', 'partial') and b.due_date < ${date}
      and not exists (select 1 from penalty_tick t where t.bill_no = b.bill_no and t.business_date = ${date} and not t.reversed)
    order by b.bill_no for update of b`)

/** What orders were charged for lateness so far, on all their bills. */
const chargedSoFar = async (tx: Tx, orderNos: readonly string[]) => {
  const rows = await tx.rows(sql<{ orderNo: string; charged: Money }>`
    select order_no, sum(late_fee_due + liquidated_damages_due) as charged from repay_plan
    where order_no = any(${orderNos as string[]}) group by order_no`)
  return new Map(rows.map(row => [row.orderNo, row.charged]))
}

/** Charges every overdue bill for one business date: a bill is charged once per date, however often this runs. */
const charge = async (tx: Tx, late: readonly Late[], date: EatDate, actor: Actor) => {
  const orders = new Map(late.filter(order => !order.reversing).map(order => [order.orderNo, order]))
  const charged: { billNo: string; lateFee: string; liquidatedDamages: string }[] = []
  const bills = await lockBills(tx, [...orders.keys()], date)
  const soFar = await chargedSoFar(tx, [...orders.keys()])
  const caps = await legalCaps(tx)
  for (const row of bills) {
    const order = orders.get(row.orderNo) as Late
    const before = soFar.get(row.orderNo) ?? zeroMoney
    const penalty = tick(billOf(row), order.terms, date, lateRoomOf(caps, order.loanAmount)(date, before))
    if (isZero(penalty.lateFee) && isZero(penalty.liquidatedDamages)) continue
    soFar.set(row.orderNo, sum([before, penalty.lateFee, penalty.liquidatedDamages]))
    const { billNo, billStatus } = row
    await bookTick(
      tx,
      { ...order, billNo, generation: (row.generation ?? -1) + 1 },
      { businessDate: date, ...penalty },
      actor,
    )
    tx.append('stateTransition', {
      machine: machines.plan.id,
      objectNo: billNo,
      event: 'penalty.tick',
      fromState: billStatus,
      toState: billStatus,
      actor: actor.no,
      requestId: actor.requestId,
      at: tx.now,
      payload: { businessDate: date, ...penalty },
    })
    charged.push({ billNo, ...penalty })
  }
  if (charged.length > 0)
    await tx.exec(sql`
      update repay_plan b
      set late_fee_due = b.late_fee_due + x.late_fee, liquidated_damages_due = b.liquidated_damages_due + x.damages, version = b.version + 1
      from unnest(${charged.map(one => one.billNo)}::text[], ${charged.map(one => one.lateFee)}::numeric[], ${charged.map(one => one.liquidatedDamages)}::numeric[])
        as x(bill_no, late_fee, damages)
      where b.bill_no = x.bill_no`)
  return charged.length
}

/** Marks orders as overdue and counts their days; only an order that was not overdue before has a new event. */
const mark = async (tx: Tx, orderNos: readonly string[], actor: Actor) => {
  const late = await tx.rows(sql<Marked>`
    select o.order_no, o.overdue, min(b.due_date) as oldest from loan_order o join repay_plan b using (order_no)
    where o.order_no = any(${orderNos as string[]}) and b.bill_status in ('pending', 'partial') and b.due_date < ${tx.today} group by o.order_no`)
  const days = late.map(order => diffDays(order.oldest, tx.today))
  if (late.length > 0)
    await tx.exec(sql`
      update loan_order o set overdue = true, overdue_days = x.days, version = o.version + case when o.overdue then 0 else 1 end
      from unnest(${late.map(order => order.orderNo)}::text[], ${days}::int[]) as x(order_no, days)
      where o.order_no = x.order_no and (not o.overdue or o.overdue_days <> x.days)`)
  const fresh = late.filter(order => !order.overdue)
  for (const { orderNo } of fresh)
    tx.append('stateTransition', {
      machine: machines.order.id,
      objectNo: orderNo,
      event: 'overdue.tick',
      fromState: 'funds_disbursed',
      toState: 'funds_disbursed',
      actor: actor.no,
      requestId: actor.requestId,
      at: tx.now,
      payload: null,
    })
  return fresh.length
}

const turn = async (tx: Tx, late: readonly Late[], date: EatDate, actor: Actor) => ({
  overdue: late.length,
  charged: await charge(tx, late, date, actor),
  newlyOverdue: await mark(
    tx,
    late.map(order => order.orderNo),
    actor,
  ),
})
type Counts = Awaited<ReturnType<typeof turn>>

const nothing: Counts = { overdue: 0, charged: 0, newlyOverdue: 0 }
const sumOf = (a: Counts, b: Counts): Counts => ({
  overdue: a.overdue + b.overdue,
  charged: a.charged + b.charged,
  newlyOverdue: a.newlyOverdue + b.newlyOverdue,
})

const start = async (tx: Tx, date: EatDate): Promise<Actor> => {
  if (date > tx.today) throw new RangeError(`${date} has not come yet`)
  await tx.flush()
  return system(`day.roll ${date}`)
}
const nextAfter = (late: readonly Late[]) => (late.length < chunkSize ? null : (late.at(-1)?.orderNo ?? null))

/** The turn of a business date: overdue flags and days, and the penalties of that date (P2b). Running it again changes nothing. */
export const rollDay = async (tx: Tx, date: EatDate): Promise<Counts> => {
  const actor = await start(tx, date)
  await expireQuotes(tx, date, actor)
  let counts = nothing
  for (let after: string | null = null; ; ) {
    const late = await lockLate(tx, date, after)
    counts = sumOf(counts, await turn(tx, late, date, actor))
    after = nextAfter(late)
    if (after === null) return counts
  }
}

/** {@link rollDay} for the next orders behind the cursor. One that cannot be turned is set aside, and the others are. */
export const rollChunk = async (tx: Tx, run: { date: EatDate; cursor: string | null }): Promise<Step> => {
  const { date } = run
  const actor = await start(tx, date)
  if (run.cursor === null) await expireQuotes(tx, date, actor)
  const late = await lockLate(tx, date, run.cursor)
  const cursor = nextAfter(late)
  try {
    return { cursor, counts: await tx.attempt(inner => turn(inner, late, date, actor)) }
  } catch (error) {
    if (isPassing(error)) throw error
  }
  let counts = nothing
  const parked = await eachItem(
    tx,
    late,
    order => order.orderNo,
    async (inner, order) => {
      counts = sumOf(counts, await turn(inner, [order], date, actor))
    },
  )
  return { cursor, counts, parked }
}

export const dayRollModule = (_deps: Deps): Module => ({
  served: [],
  chunked: [{ job: 'day.roll', dailyAt: '00:05', chunk: rollChunk }],
})
