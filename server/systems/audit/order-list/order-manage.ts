import { sql } from 'kysely'
import { z } from 'zod'
import { contract } from '../../../../core/contract/contract.ts'
import { sum } from '../../../../core/rules/money.ts'
import { type DateRange, daysOf, diffDays } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { checkVersion, invalid } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { explain } from '../../../http/validation.ts'
import { conditions, fromFor } from '../../../lists/list.ts'
import { listed, serveListed } from '../../../lists/listed.ts'
import type { Deps, Module } from '../../../module.ts'
import { changes } from '../../../states/changes.ts'
import { transition } from '../../../states/transition.ts'
import { releaseCoupon } from '../../operation/coupon/index.ts'
import {
  lockActiveTask,
  lockOrder,
  noteSearch,
  orderApproval,
  orderBlocks,
  orderColumns,
  orderFrom,
  orderJoins,
  orderListFilters,
  orderScope,
} from '../../order/order/index.ts'
import { releaseTask } from '../allotment/allot-order.ts'
import { followReReview } from '../re-review/index.ts'

const { audit } = contract
const page = 'audit:manage:page'
const cancelPerm = 'audit:order:cancel'
const maxDays = 366

const filters = z.strictObject(audit.manageList.filters)

const checkRange = ({ applyTime }: { applyTime?: DateRange | undefined }, { now }: Tx, path: string) => {
  const [from, to] = applyTime ? daysOf(applyTime, now) : []
  if (from && to && diffDays(from, to) >= maxDays) throw invalid(path, 'validation.rangeTooLong', { max: maxDays })
}

const orders = listed({
  list: audit.manageList,
  source: ({ session }) => ({
    from: orderFrom,
    joins: orderJoins,
    where: orderScope(session, page),
    alias: 'o',
    key: sql`o.order_no`,
    columns: { ...orderColumns(session.language), pendingApproval: orderApproval },
    filters: orderListFilters(session),
  }),
  check: (call, at) => {
    checkRange(call.input, call.tx, `${at}applyTime`)
    noteSearch(call)
  },
  blocked: orderBlocks,
})

type Sum = {
  orderStatus: string
  chosen: boolean
  count: number
  loanAmount: string
  actualLoanAmount: string
  overdue: number
}

/** Totals of a filter; the counts by status leave the status filters out, so that one can go from one status to another. */
const manageSum = serve(audit.manageSum, async call => {
  const given = filters.safeParse(call.input.filters)
  if (!given.success) throw explain(given.error.issues.map(issue => ({ ...issue, path: ['filters', ...issue.path] })))
  checkRange(given.data, call.tx, 'filters.applyTime')
  const { orderStatus, orderStatusType, ...others } = given.data
  const own = orders.source(call)
  const where = conditions(call.tx, audit.manageList, own, others)
  const chosen = conditions(call.tx, audit.manageList, { ...own, where: sql`true` }, { orderStatus, orderStatusType })
  const statuses = await call.tx.rows(sql<Sum>`
    select o.*, ${chosen} as chosen from (
      select o.order_status, count(*)::int as count, sum(o.loan_amount)::numeric(18,2) as loan_amount, sum(o.actual_loan_amount)::numeric(18,2) as actual_loan_amount,
        count(*) filter (where o.overdue)::int as overdue
      from ${fromFor(call.tx, own, [where])} where ${where} group by o.order_status) o`)
  const counted = statuses.filter(row => row.chosen)
  const total = (count: (row: Sum) => number) => counted.reduce((all, row) => all + count(row), 0)
  return {
    count: total(row => row.count),
    loanAmount: sum(counted.map(row => row.loanAmount)),
    actualLoanAmount: sum(counted.map(row => row.actualLoanAmount)),
    overdue: total(row => row.overdue),
    byStatus: Object.fromEntries(statuses.map(row => [row.orderStatus, row.count])),
  }
})

const cancel = serve(audit.cancel, async call => {
  const { tx, session, input, actor } = call
  const order = await lockOrder(tx, session, input.orderNo, cancelPerm)
  checkVersion(order, input.version)
  await orderBlocks.check(call, audit.cancel, order.orderNo)
  const task = await lockActiveTask(tx, order.orderNo)
  const { reason, remark } = input
  const set = { cancelReason: reason, statusTime: tx.now.toISOString() }
  const cancelled = await transition(
    tx,
    'order',
    order,
    { event: 'order.cancel', set, payload: { reason, remark: remark || null, auditStep: order.auditStep } },
    actor,
  )
  if (task) await releaseTask(tx, task, 'order.cancel', actor)
  await followReReview(tx, cancelled, actor)
  await releaseCoupon(tx, { orderNo: order.orderNo }, actor)
  call.audit({
    objectType: 'order',
    objectNo: order.orderNo,
    orderNo: order.orderNo,
    ...changes(
      { orderStatus: order.orderStatus, cancelReason: order.cancelReason, remark: null },
      { orderStatus: cancelled.orderStatus, cancelReason: reason, remark: remark || null },
    ),
  })
  return { orderNo: order.orderNo, orderStatus: cancelled.orderStatus }
})

/** Finds any order, and stops it before its payout. */
export const orderManageModule = (_deps: Deps): Module => ({
  served: [serveListed(orders), manageSum, cancel],
  lists: [orders],
  holds: [
    { dict: 'INCOMING_CHANNEL', kind: 'order', table: 'loan_order', column: 'incoming_channel', key: 'order_no' },
    { dict: 'PROMOTION_CHANNEL', kind: 'order', table: 'loan_order', column: 'promotion_channel', key: 'order_no' },
  ],
})
