import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault } from '../../../http/fault.ts'
import { orderRoute, tell } from '../../../messages/message.ts'
import { newNo } from '../../../money/numbers.ts'
import type { Actor } from '../../../rights/actor.ts'
import { create, transition } from '../../../states/transition.ts'
import {
  isLeaseLive,
  leaseHeld,
  lockActiveTask,
  lockOrder,
  type Order,
  orderBlocks,
  type Task,
} from '../../order/order/index.ts'
import { type Auditor, nearest, refusalOf, type Wanted } from '../person/audit-person.ts'

const { audit } = contract

type Handed = { order: Order; auditor: Auditor }

const wantedOf = async (tx: Tx, order: Order, holder: string | null): Promise<Wanted> => ({
  merchantNo: order.merchantNo,
  loanKind: order.loanKind,
  auditStep: order.auditStep,
  earlier: await tx.rows(
    sql<Wanted['earlier'][number]>`select auditor_no, audit_step from order_hand where order_no = ${order.orderNo}`,
  ),
  holder,
})

/** The one with the shortest queue of those who may take it. */
const choose = (auditors: readonly Auditor[], wanted: Wanted): Auditor => {
  const [best] = auditors
    .filter(auditor => !refusalOf(auditor, wanted))
    .sort((a, b) => a.openCount - b.openCount || (a.userNo < b.userNo ? -1 : 1))
  if (best) return best
  const refusal = nearest(auditors.flatMap(auditor => refusalOf(auditor, wanted) ?? []))
  if (!refusal) throw new Fault('validation', 'errors.allotNobody', { reason: 'errors.allotNoAuditor' })
  throw auditors.length === 1
    ? new Fault(refusal.code, refusal.key)
    : new Fault(refusal.code, 'errors.allotNobody', { reason: refusal.key })
}

export const releaseTask = (tx: Tx, task: Task, reason: string, actor: Actor) =>
  transition(
    tx,
    'auditTask',
    task,
    { event: 'task.release', set: { leaseToken: null, leaseUntil: null }, payload: { orderNo: task.orderNo, reason } },
    actor,
  )

/** Gives a locked order to the best of the locked auditors. A live lease stops it unless it is forced. */
export const allotOrder = async (
  tx: Tx,
  order: Order,
  auditors: readonly Auditor[],
  actor: Actor,
  force = false,
): Promise<Handed> => {
  await orderBlocks.check({ tx, session: null }, audit.allot, order.orderNo)
  const task = await lockActiveTask(tx, order.orderNo)
  if (task && isLeaseLive(tx, task) && !force) throw leaseHeld(order)
  const auditor = choose(auditors, await wantedOf(tx, order, task?.auditorNo ?? null))
  if (task) await releaseTask(tx, task, 'allot', actor)
  const auditTaskNo = newNo('AT', tx.now)
  const { auditStep, orderNo } = order
  const allotted = await transition(
    tx,
    'order',
    order,
    {
      event: 'allot',
      set: { auditorNo: auditor.userNo, ...(task ? {} : { statusTime: tx.now.toISOString() }) },
      payload: { auditorNo: auditor.userNo, auditTaskNo, auditStep },
    },
    actor,
  )
  await create(
    tx,
    'auditTask',
    { auditTaskNo, orderNo, auditorNo: auditor.userNo, auditStep, allotTime: tx.now, version: 0 },
    { event: 'task.assign', payload: { orderNo, auditorNo: auditor.userNo } },
    actor,
  )
  tell(tx, {
    to: auditor.userNo,
    messageType: 'allocation',
    template: 'allotted',
    params: { orderNo, amount: order.loanAmount },
    objectType: 'order',
    objectNo: orderNo,
    route: orderRoute(orderNo),
  })
  return { order: allotted, auditor }
}

/** Takes a locked order back from its auditor into the queue. */
export const returnToQueue = async (
  tx: Tx,
  order: Order,
  task: Task | undefined,
  reason: string,
  actor: Actor,
): Promise<Order> => {
  const returned = await transition(
    tx,
    'order',
    order,
    {
      event: 'unallot',
      set: { auditorNo: null, statusTime: tx.now.toISOString() },
      payload: { auditorNo: task?.auditorNo ?? null, auditStep: order.auditStep, reason },
    },
    actor,
  )
  if (task) await releaseTask(tx, task, reason, actor)
  return returned
}

/** Takes an order back on somebody's order: not while it is being worked on. */
export const unallotOrder = async (tx: Tx, order: Order, actor: Actor): Promise<Order> => {
  const task = await lockActiveTask(tx, order.orderNo)
  await orderBlocks.check({ tx, session: null }, audit.unallot, order.orderNo)
  return returnToQueue(tx, order, task, 'unallot', actor)
}

/** Returns a reviewer's orders to the queue, in the transaction that freezes the user or marks them as left. Answers the orders. */
export const releaseTasksOf = async (tx: Tx, userNo: string, actor: Actor, reason = 'userGone'): Promise<string[]> => {
  const held = await tx.rows(
    sql<{
      orderNo: string
    }>`select order_no from audit_task where auditor_no = ${userNo} and audit_task_status in ('assigned', 'opened') order by order_no`,
  )
  const returned: string[] = []
  for (const { orderNo } of held) {
    const order = await lockOrder(tx, null, orderNo)
    const task = await lockActiveTask(tx, orderNo)
    if (task?.auditorNo !== userNo) continue
    await returnToQueue(tx, order, task, reason, actor)
    returned.push(orderNo)
  }
  return returned
}
