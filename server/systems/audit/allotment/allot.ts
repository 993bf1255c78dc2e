import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { text } from '../../../../core/i18n/server.ts'
import { startOfEatDay } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, invalid, stateConflict } from '../../../http/fault.ts'
import { type Call, serve, serveEach } from '../../../http/serve.ts'
import { listed, serveListed } from '../../../lists/listed.ts'
import { pickFor } from '../../../lists/pick.ts'
import type { Deps, Module } from '../../../module.ts'
import { onShift } from '../../../personnel/on-shift.ts'
import { peopleScope } from '../../../rights/people-scope.ts'
import { changes } from '../../../states/changes.ts'
import {
  leaseLive,
  lockOrder,
  minutesSince,
  noteSearch,
  type Order,
  orderApproval,
  orderBlocks,
  orderColumns,
  orderFrom,
  orderJoins,
  orderListFilters,
  orderScope,
} from '../../order/order/index.ts'
import { lockAuditors, nearest, readAuditors, refusalOf } from '../person/audit-person.ts'
import { allotJobs, autoAllotEnabled, lastAutoRun } from './allot-jobs.ts'
import { allotOrder, unallotOrder } from './allot-order.ts'
import { allotWarnings } from './allot-warnings.ts'
import { autoPlan } from './auto-plan.ts'

const { audit } = contract
const page = 'audit:allot:page'
const perm = 'audit:order:allot'

const waiting = sql`o.order_status in ('to_be_allocated', 'pending_review')`
const maxAuto = 500
const candidate = audit.allotAuditors.output.shape.list.element

/** Whether the auditor of order `o` is off duty, or may not work any more. */
const absent = (tx: Tx) => sql`exists (
  select 1 from audit_person ap join app_user u on u.user_no = ap.user_no
  where ap.user_no = o.auditor_no and o.order_status = 'pending_review' and (u.user_status <> 'normal' or not (${onShift(tx, sql`ap.shift_override`).onShift})))`

const waitingOrders = listed({
  list: audit.allotList,
  source: ({ tx, session }) => ({
    from: orderFrom,
    joins: {
      ...orderJoins,
      t: sql`left join audit_task t on t.order_no = o.order_no and t.audit_task_status in ('assigned', 'opened')`,
    },
    where: sql`${waiting} and ${orderScope(session, page)}`,
    alias: 'o',
    key: sql`o.order_no`,
    columns: {
      ...orderColumns(session.language),
      auditTaskStatus: sql`t.audit_task_status`,
      pendingApproval: orderApproval,
      leaseLive: sql`coalesce(${leaseLive(tx)}, false)`,
      auditorAbsent: absent(tx),
      retrieved: sql`exists (select 1 from order_retrieval ret where ret.order_no = o.order_no and ret.retrieval_status = 'retrieved')`,
      waitingMinutes: minutesSince(tx, sql`o.status_time`),
    },
    order: { waitingMinutes: sql`-extract(epoch from o.status_time)` },
    filters: orderListFilters(session),
  }),
  check: noteSearch,
  blocked: orderBlocks,
})

const allotStat = serve(audit.allotStat, async ({ tx, session }) => {
  const rule = orderScope(session, page)
  const queue = await tx.one(sql<{ waiting: number; oldestMinutes: number | null; withAuditors: number }>`
    select count(*) filter (where o.order_status = 'to_be_allocated')::int as waiting,
      ${minutesSince(tx, sql`min(o.status_time) filter (where o.order_status = 'to_be_allocated')`)} as oldest_minutes,
      count(*) filter (where o.order_status = 'pending_review')::int as with_auditors
    from loan_order o where ${waiting} and ${rule}`)
  const decided = await tx.one(sql<{ pass: number; refuse: number; sentBack: number }>`
    select count(*) filter (where r.audit_result = 'pass')::int as pass, count(*) filter (where r.audit_result = 'refuse')::int as refuse,
      count(*) filter (where r.audit_result = 'sent_back')::int as sent_back
    from audit_record r join loan_order o on o.order_no = r.order_no where r.submit_time >= ${startOfEatDay(tx.today)} and ${rule}`)
  const people = await readAuditors(
    tx,
    sql`u.user_status = 'normal' and u.employee_status = 'on_job' and ${peopleScope(session, page)}`,
  )
  return {
    ...queue,
    ...decided,
    onDuty: people.filter(one => one.onDuty).length,
    autoAllot: await autoAllotEnabled(tx),
    lastAutoTime: await lastAutoRun(tx),
  }
})

const earlierOf = async (tx: Tx, orderNos: readonly string[]) => {
  const rows = await tx.rows(
    sql<{
      orderNo: string
      auditorNo: string
      auditStep: number
    }>`select order_no, auditor_no, audit_step from order_hand where order_no = any(${[...orderNos]})`,
  )
  return (orderNo: string) => rows.filter(row => row.orderNo === orderNo)
}

const allotAuditors = serve(audit.allotAuditors, async ({ tx, session, input }) => {
  const orders = await tx.rows(sql<Pick<Order, 'orderNo' | 'merchantNo' | 'loanKind' | 'auditStep' | 'auditorNo'>>`
    select o.order_no, o.merchant_no, o.loan_kind, o.audit_step, o.auditor_no from loan_order o where o.order_no = any(${input.orderNos}) and ${waiting} and ${orderScope(session, page)}`)
  const earlier = await earlierOf(
    tx,
    orders.map(order => order.orderNo),
  )
  const wanted = orders.map(order => ({ ...order, earlier: earlier(order.orderNo), holder: order.auditorNo }))
  const auditors = await readAuditors(tx, peopleScope(session, page))
  return {
    list: auditors.map(auditor => {
      const refusals = wanted.map(one => refusalOf(auditor, one))
      const takes = refusals.filter(refusal => refusal === null).length
      const fitting = Math.max(0, Math.min(takes, auditor.queueCap - auditor.openCount))
      const why = nearest(refusals.filter(refusal => refusal !== null))
      return {
        ...pickFor(candidate, auditor),
        onShift: auditor.onDuty,
        fitting,
        reason: fitting === 0 && why ? text(session.language, why.key) : null,
      }
    }),
  }
})

const lineOf = (before: Order, after: Order) => ({
  objectType: 'order',
  objectNo: before.orderNo,
  orderNo: before.orderNo,
  ...changes(
    { orderStatus: before.orderStatus, auditorNo: before.auditorNo },
    { orderStatus: after.orderStatus, auditorNo: after.auditorNo },
  ),
})

const chosen = ({ input, session }: Pick<Call<{ auditorNos: string[] }>, 'input' | 'session'>) =>
  sql`ap.user_no = any(${input.auditorNos}) and ${peopleScope(session, perm)}`

const allot = serveEach(audit.allot, {
  prepare: async call => {
    if (call.input.force && !call.session.perms.has('audit:order:forceAllot'))
      throw new Fault('forbidden', 'errors.forbidden')
    const known = await readAuditors(call.tx, chosen(call))
    if (known.length < new Set(call.input.auditorNos).size) throw invalid('auditorNos', 'errors.notFound')
  },
  ids: input => [...new Set(input.orderNos)],
  row: async (orderNo, call) => {
    const { tx, session, input, actor } = call
    const auditors = await lockAuditors(tx, chosen(call))
    const order = await lockOrder(tx, session, orderNo, perm)
    call.audit(lineOf(order, (await allotOrder(tx, order, auditors, actor, input.force)).order))
  },
})

const unallot = serveEach(audit.unallot, {
  /** The queue of an auditor: what they do not work on right now. */
  prepare: ({ tx, session, input }) =>
    tx.rows(sql<{ orderNo: string }>`
      select o.order_no from audit_task t join loan_order o using (order_no) join app_user u on u.user_no = t.auditor_no
      where t.auditor_no = ${input.auditorNo ?? null} and t.audit_task_status in ('assigned', 'opened') and not coalesce(${leaseLive(tx)}, false)
        and ${orderScope(session, perm)} and ${peopleScope(session, perm)} order by o.order_no`),
  ids: (input, queue) => [...new Set(input.orderNos ?? queue.map(one => one.orderNo))],
  row: async (orderNo, call) => {
    const order = await lockOrder(call.tx, call.session, orderNo, perm)
    call.audit(lineOf(order, await unallotOrder(call.tx, order, call.actor)))
  },
})

const autoAllot = serveEach(audit.autoAllot, {
  prepare: ({ tx, session }) =>
    tx.rows(sql<{ orderNo: string }>`
      select o.order_no from loan_order o where o.order_status = 'to_be_allocated' and ${orderScope(session, perm)} order by o.status_time, o.order_no limit ${maxAuto}`),
  ids: (_, oldest) => oldest.map(one => one.orderNo),
  row: async (orderNo, call) => {
    const { tx, session, actor } = call
    const auditors = await lockAuditors(tx, sql`ap.auto_allocation and ${peopleScope(session, perm)}`)
    const order = await lockOrder(tx, session, orderNo, perm)
    if (order.orderStatus !== 'to_be_allocated') throw stateConflict(order.orderStatus, 'ORDER_STATUS')
    call.audit(lineOf(order, (await allotOrder(tx, order, auditors, actor)).order))
  },
})

/** Who reviews what: the queue, the auditors, handing over and taking back. */
export const allotModule = (_deps: Deps): Module => ({
  served: [serveListed(waitingOrders), allotStat, allotAuditors, allot, unallot, autoAllot, ...autoPlan],
  lists: [waitingOrders],
  warnings: allotWarnings,
  scheduled: allotJobs,
})
