import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { orderRoute } from '../../../messages/message.ts'
import type { Found, WarningRule } from '../../../warnings/rule.ts'
import { autoAllotEnabled } from './allot-jobs.ts'

type Waiting = { merchantNo: string; n: number; orders: string[] }

/** Orders that have waited too long for an auditor, by merchant. */
const waiting = async (tx: Tx, minutes: number): Promise<Found[]> => {
  const rows = await tx.rows(sql<Waiting>`
    select merchant_no, count(*)::int as n, (array_agg(order_no order by status_time, order_no))[1:10] as orders
    from loan_order where order_status = 'to_be_allocated' and status_time <= ${new Date(tx.now.getTime() - minutes * 60_000)}
    group by merchant_no order by merchant_no`)
  return rows.map(({ merchantNo, n, orders }) => ({
    key: merchantNo,
    merchantNo,
    objectType: 'order',
    affected: orders.map(orderNo => ({ objectNo: orderNo, route: orderRoute(orderNo) })),
    facts: { n, minutes },
  }))
}

const auditWaiting: WarningRule = {
  type: 'audit_waiting',
  level: 'warning',
  find: (tx, { auditMinutes }) => waiting(tx, auditMinutes),
}

/** Orders are handed out by the minute while somebody may take them: what still waits finds nobody. */
const allotStuck: WarningRule = {
  type: 'allot_stuck',
  level: 'warning',
  find: async (tx, { allotMinutes }) => ((await autoAllotEnabled(tx)) ? waiting(tx, allotMinutes) : []),
}

export const allotWarnings = [auditWaiting, allotStuck]
