import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { startOfEatDay } from '../../../../core/rules/time.ts'
import { serve } from '../../../http/serve.ts'
import { orderFilters } from '../../../lists/list.ts'
import { listed, serveListed } from '../../../lists/listed.ts'
import type { Deps, Module } from '../../../module.ts'
import type { Session } from '../../../session/session.ts'
import {
  leaseLive,
  orderApproval,
  orderBlocks,
  orderFrom,
  orderJoins,
  orderScope,
  refuseName,
} from '../../order/order/index.ts'
import { readAuditors } from '../person/audit-person.ts'
import { leaseHolderColumn } from './task-lease.ts'

const { audit } = contract
const perm = 'audit:self:page'

const boxes = { todo: 'assigned', opened: 'opened', done: 'submitted' } as const

const mine = (session: Session) => sql`t.auditor_no = ${session.userNo} and ${orderScope(session, perm)}`

const tasks = listed({
  list: audit.selfList,
  source: ({ tx, session }) => ({
    from: sql`audit_task t join ${orderFrom} on o.order_no = t.order_no left join audit_record r on r.audit_task_no = t.audit_task_no`,
    joins: orderJoins,
    where: mine(session),
    alias: 'o',
    key: sql`t.audit_task_no`,
    columns: {
      auditTaskNo: sql`t.audit_task_no`,
      merchantName: sql`m.merchant_name`,
      productName: sql`p.product_name`,
      customerName: sql`c.customer_name`,
      phone: sql`c.phone`,
      auditStep: sql`t.audit_step`,
      auditTaskStatus: sql`t.audit_task_status`,
      allotTime: sql`t.allot_time`,
      waitingMinutes: sql`(extract(epoch from (coalesce(t.submit_time, ${tx.now}::timestamptz) - t.allot_time)) / 60)::int`,
      hasDraft: sql`(t.draft is not null)`,
      pendingApproval: orderApproval,
      leaseLive: sql`coalesce(${leaseLive(tx)}, false)`,
      auditResult: sql`t.audit_result`,
      approvalAmount: sql`r.approval_amount`,
      refuseCode: sql`r.refuse_code`,
      refuseReason: sql`(select ${refuseName(session.language)} from refuse_code rc where rc.refuse_code = r.refuse_code)`,
      submitTime: sql`t.submit_time`,
      handleSeconds: sql`t.handle_seconds`,
    },
    filters: { orderNo: orderFilters.orderNo, box: box => sql`t.audit_task_status = ${boxes[box]}` },
  }),
  blocked: (at, rows) =>
    orderBlocks.of(
      at,
      rows.map(row => row.orderNo),
    ),
})

const selfStat = serve(audit.selfStat, async ({ tx, session }) => {
  const [auditor] = await readAuditors(tx, sql`ap.user_no = ${session.userNo}`)
  const open = await tx.one(sql<{ todo: number; opened: number }>`
    select count(*) filter (where t.audit_task_status = 'assigned')::int as todo, count(*) filter (where t.audit_task_status = 'opened')::int as opened
    from audit_task t join loan_order o on o.order_no = t.order_no where t.audit_task_status in ('assigned', 'opened') and ${mine(session)}`)
  const done = await tx.one(sql<{
    doneToday: number
    passToday: number
    refuseToday: number
    averageSeconds: number
    approvedToday: string
  }>`
    select count(*)::int as done_today, count(*) filter (where audit_result = 'pass')::int as pass_today,
      count(*) filter (where audit_result = 'refuse')::int as refuse_today, coalesce(round(avg(seconds)), 0)::int as average_seconds,
      coalesce(sum(approval_amount) filter (where audit_result = 'pass'), 0)::numeric(18,2) as approved_today
    from audit_record where auditor_no = ${session.userNo} and submit_time >= ${startOfEatDay(tx.today)}`)
  return {
    registered: auditor !== undefined,
    ...open,
    ...done,
    queueCap: auditor?.queueCap ?? 0,
    onDuty: auditor?.onDuty ?? false,
  }
})

/** The oldest task after the given one, or from the start again; not what a colleague has taken over. */
const next = serve(audit.next, async ({ tx, session, input }) => {
  const after = input.after ?? null
  const found = await tx.maybe(sql<{ orderNo: string }>`
    select t.order_no from audit_task t join loan_order o on o.order_no = t.order_no
    left join lateral (select max(seen.allot_time) as time from audit_task seen where seen.order_no = ${after} and seen.auditor_no = ${session.userNo}) last on true
    where t.audit_task_status in ('assigned', 'opened') and ${mine(session)} and t.order_no is distinct from ${after}
      and not (${leaseLive(tx)} and ${leaseHolderColumn} <> ${session.userNo})
    order by coalesce((t.allot_time, t.order_no) > (last.time, ${after}), true) desc, t.allot_time, t.order_no limit 1`)
  return { orderNo: found?.orderNo ?? null }
})

/** What an auditor has in hand and has done. */
export const myAuditModule = (_deps: Deps): Module => ({ served: [serveListed(tasks), selfStat, next], lists: [tasks] })
