import { sql } from 'kysely'
import { type Incomplete, type Inputs, undecided } from '../../../../core/rules/risk/judge.ts'
import type { Tx } from '../../../db/database.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { orderRoute } from '../../../messages/message.ts'
import { most, type WarningRule } from '../../../warnings/rule.ts'
import type { Order } from '../../order/order/index.ts'
import { noteDecision } from '../../risk/rule-set/index.ts'

export const reviewQueue = 'machine.review'

/** Minutes until the next try, by how many were incomplete. */
const waits = [1, 5, 15] as const

/** Nothing was found out, and nothing decided. */
const inputsOf = (order: Order, incomplete: Incomplete, manualAll: true | undefined): Inputs => ({
  requestedAmount: order.requestedAmount,
  monthlyIncome: '0.00',
  remainingLimit: '0.00',
  settledLoans: 0,
  limits: {
    minAmount: order.terms.minAmount,
    maxAmount: order.terms.maxAmount,
    amountStep: order.terms.amountStep,
  },
  manualReview: Boolean(order.terms.manualReview),
  autoApproveMax: order.terms.autoApproveMax ?? null,
  scoring: { modelScore: null, modelLevel: null, isRefused: false, bandDecision: 'review', hits: [] },
  bands: [],
  lists: [],
  cell: null,
  verifyResult: 'unavailable',
  overCap: false,
  ...(manualAll ? { manualAll } : {}),
  incomplete,
})

/**
 * Writes down that a review could decide nothing, and sets it for another try.
 * @returns whether it was the last, or everything goes to people anyhow: a person decides
 */
export const noteIncomplete = async (
  tx: Tx,
  order: Order,
  { why, manualAll, durationMs }: { why: Incomplete; manualAll: true | undefined; durationMs: number },
): Promise<boolean> => {
  await noteDecision(tx, order, {
    facts: {},
    sets: [],
    inputs: inputsOf(order, why, manualAll),
    judged: undecided,
    planVersionNo: null,
    modelNo: null,
    modelVersion: null,
    priceVersionNo: null,
    durationMs,
  })
  await tx.flush()
  const { tries } = await tx.one(sql<{ tries: number }>`
    select count(*)::int as tries from risk_decision where order_no = ${order.orderNo} and decision = 'incomplete'`)
  const minutes = waits[tries - 1]
  if (manualAll || minutes === undefined) return true
  const runAt = new Date(tx.now.getTime() + minutes * 60_000)
  await enqueue(tx, reviewQueue, `${order.orderNo} ${tries}`, { orderNo: order.orderNo }, { runAt })
  return false
}

/** Orders of the last hour that machine review could not decide: they are tried again, or went to auditors. */
export const incompleteWarning: WarningRule = {
  type: 'machine_incomplete',
  level: 'warning',
  async find(tx) {
    const rows = await tx.rows(sql<{ merchantNo: string; n: number; orders: string[] }>`
      select o.merchant_no, count(distinct o.order_no)::int as n, (array_agg(distinct o.order_no))[1:${sql.lit(most)}] as orders
      from risk_decision d join loan_order o using (order_no)
      where d.decision = 'incomplete' and d.decided_time > ${tx.now}::timestamptz - interval '1 hour' group by 1 order by 1`)
    return rows.map(({ merchantNo, n, orders }) => ({
      key: merchantNo,
      merchantNo,
      objectType: 'order',
      affected: orders.map(orderNo => ({ objectNo: orderNo, route: orderRoute(orderNo) })),
      facts: { n },
    }))
  },
}
