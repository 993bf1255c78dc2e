import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { RowOf } from '../../../../core/contract/endpoint.ts'
import type { OrderSummary } from '../../../../core/contract/order/order-brief.ts'
import { mask } from '../../../../core/rules/mask.ts'
import { sum } from '../../../../core/rules/money.ts'
import { serve } from '../../../http/serve.ts'
import { listPage } from '../../../lists/list.ts'
import type { Deps, Module } from '../../../module.ts'
import { attemptsOfOrder, loanCodesOfOrder } from '../../after-loan/payout/index.ts'
import {
  billsOfOrder,
  journalsOfOrder,
  outstandingColumn,
  outstandingOf,
  recordsOfOrder,
} from '../../after-loan/repayment/index.ts'
import { nameOf } from '../../audit/task/index.ts'
import { isBarred } from '../../risk/name-list/index.ts'
import { basic } from './order-basic.ts'
import { orderBlocks } from './order-blocks.ts'
import {
  findOrder,
  orderApproval,
  orderColumns,
  orderFrom,
  orderJoins,
  orderListFilters,
  orderScope,
  type Task,
} from './order-source.ts'
import { records, steps } from './order-steps.ts'

const { order } = contract

type Named = Pick<
  OrderSummary,
  | 'merchantName'
  | 'productName'
  | 'customerName'
  | 'memberLevel'
  | 'whitelisted'
  | 'blacklisted'
  | 'retrieved'
  | 'pendingApproval'
>

const summary = serve(order.summary, async ({ tx, session, input }) => {
  const found = await findOrder(tx, session, input.orderNo)
  const { orderNo } = found
  const named = await tx.one(sql<Named>`
    select m.merchant_name, p.product_name, c.customer_name, c.member_level, c.whitelisted,
      ${isBarred(tx, { orderNo: sql`o.order_no`, merchantNo: sql`o.merchant_no` })} as blacklisted,
      exists (select 1 from order_retrieval ret where ret.order_no = o.order_no and ret.retrieval_status = 'retrieved') as retrieved,
      ${orderApproval} as pending_approval
    from ${orderFrom} ${orderJoins.c} ${orderJoins.m} ${orderJoins.p} where o.order_no = ${orderNo}`)
  const task = await tx.maybe(
    sql<Task>`select t.* from audit_task t where t.order_no = ${orderNo} and t.audit_task_status in ('assigned', 'opened')`,
  )
  const auditorNo = task?.auditorNo ?? found.auditorNo
  const owed = found.orderStatus === 'funds_disbursed'
  const next = owed
    ? (await billsOfOrder(tx, orderNo)).find(bill => bill.billStatus === 'pending' || bill.billStatus === 'partial')
    : undefined
  const {
    thirdOrderNo,
    orderStatus,
    customerNo,
    loanKind,
    requestedAmount,
    loanAmount,
    actualLoanAmount,
    term,
    installmentCount,
    overdueDays,
    version,
  } = found
  return {
    orderNo,
    thirdOrderNo,
    orderStatus,
    customerNo,
    loanKind: loanKind as OrderSummary['loanKind'],
    requestedAmount,
    loanAmount,
    actualLoanAmount,
    term,
    installmentCount,
    overdueDays,
    version,
    ...named,
    outstanding: owed ? await outstandingOf(tx, orderNo) : null,
    nextDueDate: next?.dueDate ?? null,
    dueAmount: next?.left ?? null,
    auditorNo,
    auditorName: auditorNo && (await nameOf(tx, auditorNo)),
    auditTaskStatus: task?.auditTaskStatus ?? null,
    openTime: task?.auditTaskStatus === 'opened' ? task.openTime : null,
    blockedBy: (await orderBlocks.of({ tx, session }, [orderNo]))[0] ?? {},
    mine: orderStatus === 'pending_review' && task?.auditorNo === session.userNo,
  }
})

const payout = serve(order.payout, async ({ tx, session, input }) => {
  const { orderNo } = await findOrder(tx, session, input.orderNo)
  return { codes: await loanCodesOfOrder(tx, orderNo), attempts: await attemptsOfOrder(tx, orderNo) }
})

const repayment = serve(order.repayment, async ({ tx, session, input }) => {
  const { orderNo } = await findOrder(tx, session, input.orderNo)
  const made = await recordsOfOrder(tx, orderNo)
  return {
    bills: await billsOfOrder(tx, orderNo),
    records: made,
    journals: await journalsOfOrder(tx, orderNo),
    overflowAmount: sum(made.filter(record => record.recordStatus === 'posted').map(record => record.overflowAmount)),
  }
})

type Follow = RowOf<typeof order.follows>

const follows = serve(order.follows, async ({ tx, session, input }) => {
  await findOrder(tx, session, input.orderNo)
  const page = await listPage<Follow, typeof input>(tx, order.follows, input, {
    from: sql`follow_record f left join order_contact k on k.contact_no = f.contact_no left join app_user u on u.user_no = f.created_by`,
    where: sql`true`,
    alias: 'f',
    key: sql`f.follow_no`,
    columns: {
      contactName: sql`k.contact_name`,
      relation: sql`k.relation`,
      createdByName: sql`coalesce(u.real_name, f.created_by)`,
    },
  })
  return session.desensitized
    ? {
        ...page,
        list: page.list.map(follow => ({ ...follow, contactName: follow.contactName && mask(follow.contactName) })),
      }
    : page
})

/** The other orders of the customer that the caller may see. */
const history = serve(order.history, async ({ tx, session, input }) => {
  const { customerNo } = await findOrder(tx, session, input.orderNo)
  return listPage<RowOf<typeof order.history>, typeof input>(tx, order.history, input, {
    from: orderFrom,
    joins: orderJoins,
    where: sql`o.customer_no = ${customerNo} and ${orderScope(session)}`,
    alias: 'o',
    key: sql`o.order_no`,
    columns: { ...orderColumns(session.language), outstanding: outstandingColumn() },
    filters: { ...orderListFilters(session), orderNo: orderNo => sql`o.order_no <> ${orderNo}` },
  })
})

/** Everything known about an order, for people who may see it. */
export const orderDetailModule = (_deps: Deps): Module => ({
  served: [summary, basic, payout, repayment, steps, records, follows, history],
})
