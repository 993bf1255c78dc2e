import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { can } from '../../../../core/rules/machines/machine.ts'
import { order } from '../../../../core/rules/machines/order/order.ts'
import { type Asker, blocks } from '../../../approval/blocks.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, stateConflict } from '../../../http/fault.ts'
import { hasReviewed, type Wanted } from '../../audit/person/index.ts'
import { isLeaseLive } from './order-source.ts'

const { audit } = contract

/** What decides whether an order is given to somebody, taken back, reviewed or stopped. */
type OrderFacts = {
  orderNo: string
  orderStatus: string
  auditStep: number
  /** The task that somebody has in hand. */
  auditTaskStatus: string | null
  auditorNo: string | null
  auditorName: string | null
  leaseUntil: string | null
  waits: boolean
  earlier: Wanted['earlier']
}

const read = async (tx: Tx, keys: readonly string[]): Promise<ReadonlyMap<string, OrderFacts>> => {
  const found = await tx.rows(sql<OrderFacts>`
    select o.order_no, o.order_status, o.audit_step, t.audit_task_status, t.auditor_no, coalesce(u.real_name, t.auditor_no) as auditor_name, t.lease_until,
      exists (
        select 1 from approval a
        where a.approval_status = 'pending' and (a.order_no = o.order_no or (a.object_type = 'order' and a.object_no = o.order_no))) as waits,
      coalesce((select jsonb_agg(jsonb_build_object('auditorNo', r.auditor_no, 'auditStep', r.audit_step)) from order_hand r where r.order_no = o.order_no), '[]') as earlier
    from loan_order o left join audit_task t on t.order_no = o.order_no and t.audit_task_status in ('assigned', 'opened')
    left join app_user u on u.user_no = t.auditor_no
    where o.order_no = any(${[...keys]})`)
  return new Map(found.map(facts => [facts.orderNo, facts]))
}

const isWorkedOn = (tx: Tx, { auditTaskStatus, leaseUntil }: OrderFacts) =>
  auditTaskStatus !== null && isLeaseLive(tx, { auditTaskStatus: auditTaskStatus as 'opened', leaseUntil })

export const leaseHeld = ({ orderStatus }: { orderStatus: string }) =>
  new Fault('stateConflict', 'errors.leaseLive', {}, { status: orderStatus })

const allot = (facts: OrderFacts, { tx, session }: Asker) => {
  if (facts.waits) return new Fault('stateConflict', 'errors.approvalPending', {}, { status: facts.orderStatus })
  const forces = !session || session.perms.has('audit:order:forceAllot')
  return isWorkedOn(tx, facts) && !forces ? leaseHeld(facts) : null
}

const unallot = (facts: OrderFacts, { tx }: Asker) => (isWorkedOn(tx, facts) ? leaseHeld(facts) : null)

const open = (facts: OrderFacts, { session }: Asker) => {
  const { orderStatus, auditTaskStatus, auditorNo, auditorName, earlier, auditStep } = facts
  if (!auditTaskStatus || !can(order, orderStatus, 'audit.pass')) return stateConflict(orderStatus, 'ORDER_STATUS')
  if (!session) return null
  if (auditorNo !== session.userNo && !session.perms.has('audit:order:handleAny'))
    return new Fault('forbidden', 'errors.taskOfAnother', { name: auditorName ?? '' })
  return hasReviewed(earlier, session.userNo, auditStep) ? new Fault('forbidden', 'errors.allotReviewed') : null
}

/** Why orders do not take what people would do with them until they are decided. */
export const orderBlocks = blocks<OrderFacts>({
  read,
  states: ({ orderStatus, auditTaskStatus }) => ({
    order: orderStatus,
    ...(auditTaskStatus ? { auditTask: auditTaskStatus } : {}),
  }),
  commands: [
    { command: audit.allot, refuses: allot },
    { command: audit.unallot, refuses: unallot },
    { command: audit.cancel },
    { command: audit.open, refuses: open },
  ],
})
