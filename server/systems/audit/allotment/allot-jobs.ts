import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import type { Scheduled } from '../../../module.ts'
import { system } from '../../../rights/actor.ts'
import { lockActiveTask, type Order, type Task } from '../../order/order/index.ts'
import { lockAuditors } from '../person/audit-person.ts'
import { allotOldest } from './allot-many.ts'
import { returnToQueue } from './allot-order.ts'

const perRun = 100
/** Orders that the clock hands out in one transaction; auditors and orders are locked that long. */
const perAllotment = 5_000
const abandonedMinutes = 30

export const autoAllotEnabled = async (tx: Tx): Promise<boolean> =>
  (
    await tx.maybe(
      sql<{
        enabled: boolean
      }>`select config_value ->> 'enabled' = 'true' as enabled from business_config where config_key = 'AUDIT_AUTO_ALLOT'`,
    )
  )?.enabled ?? false

/** When orders were last handed out by the clock. */
export const lastAutoRun = async (tx: Tx): Promise<string | null> =>
  (
    await tx.one(
      sql<{
        last: string | null
      }>`select max(finished_time) as last from job_run where job = 'audit.autoAllot' and job_status = 'done'`,
    )
  ).last

type Line = Pick<Order, 'orderNo' | 'orderStatus' | 'auditorNo'>
const note = (tx: Tx, action: string, before: Line, after: Line) =>
  tx.append('auditLog', {
    action,
    objectType: 'order',
    objectNo: before.orderNo,
    orderNo: before.orderNo,
    actor: 'system',
    actorName: 'system',
    at: tx.now,
    requestId: `job:${action}`,
    ip: null,
    before: { orderStatus: before.orderStatus, auditorNo: before.auditorNo },
    after: { orderStatus: after.orderStatus, auditorNo: after.auditorNo },
  })

const autoAllot: Scheduled = {
  job: 'audit.autoAllot',
  every: { seconds: 60 },
  run: async tx => {
    if (!(await autoAllotEnabled(tx))) return { allotted: 0, left: 0 }
    const actor = system('job:order.autoAllot')
    const auditors = await lockAuditors(tx, sql`ap.auto_allocation`)
    const given = await allotOldest(tx, auditors, perAllotment, actor)
    const [from, to] = [{ orderStatus: 'to_be_allocated', auditorNo: null } as const, 'pending_review' as const]
    for (const { orderNo, auditorNo } of given)
      note(tx, 'order.autoAllot', { orderNo, ...from }, { orderNo, orderStatus: to, auditorNo })
    const { left } = await tx.one(sql<{ left: number }>`
      select count(*)::int as left from loan_order where order_status = 'to_be_allocated'`)
    return { allotted: given.length, left }
  },
}

type Held = Pick<Task, 'auditTaskNo' | 'orderNo'>

/** Reviews that nobody goes on with: a lease that ran out half an hour ago, or an auditor who may not work any more. */
const abandoned = (tx: Tx) => sql`(
  (t.audit_task_status = 'opened' and t.lease_until < ${new Date(tx.now.getTime() - abandonedMinutes * 60_000)})
  or (t.audit_task_status in ('assigned', 'opened') and exists (select 1 from app_user gone where gone.user_no = t.auditor_no and (gone.user_status <> 'normal' or gone.employee_status <> 'on_job'))))`

const releaseAbandoned: Scheduled = {
  job: 'audit.releaseLeases',
  every: { seconds: 60 },
  run: async tx => {
    const actor = system('job:task.release')
    const found = await tx.rows(
      sql<Held>`select t.audit_task_no, t.order_no from audit_task t where ${abandoned(tx)} order by t.order_no limit ${perRun}`,
    )
    let released = 0
    for (const { auditTaskNo, orderNo } of found) {
      const order = await tx.maybe(
        sql<Order>`select o.* from loan_order o where o.order_no = ${orderNo} and o.order_status = 'pending_review' for update of o skip locked`,
      )
      const task = order && (await lockActiveTask(tx, orderNo))
      const still =
        task?.auditTaskNo === auditTaskNo &&
        (await tx.maybe(sql`select 1 from audit_task t where t.audit_task_no = ${auditTaskNo} and ${abandoned(tx)}`))
      if (!order || !still) continue
      note(tx, 'task.release', order, await returnToQueue(tx, order, task, 'abandoned', actor))
      released++
    }
    return { released }
  },
}

export const allotJobs: readonly Scheduled[] = [autoAllot, releaseAbandoned]
