import { randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { Fault, stateConflict } from '../../../http/fault.ts'
import type { Session } from '../../../session/session.ts'
import { requireEvent } from '../../../states/transition.ts'
import { findOrder, lockActiveTask, lockOrder, type Order, type Task } from '../../order/order/index.ts'

export const handle = 'audit:order:handle'
const leaseMinutes = 10

export type Lease = { orderNo: string; leaseToken: string }
export type Held = { order: Order; task: Task }

export const leaseEnd = (tx: Tx): string => new Date(tx.now.getTime() + leaseMinutes * 60_000).toISOString()

/** A token nobody can guess that says who holds it. */
export const newLease = (tx: Tx, userNo: string) => ({
  leaseToken: `${userNo}.${randomBytes(18).toString('base64url')}`,
  leaseUntil: leaseEnd(tx),
})

export const leaseHolder = (task: Pick<Task, 'leaseToken'>): string | undefined => task.leaseToken?.split('.')[0]

/** The holder of a lease; `t` is the task. */
export const leaseHolderColumn: RawBuilder<unknown> = sql`split_part(t.lease_token, '.', 1)`

export const nameOf = async (tx: Tx, userNo: string): Promise<string> =>
  (await tx.maybe(sql<{ realName: string }>`select real_name from app_user where user_no = ${userNo}`))?.realName ??
  userNo

const openedElsewhere = async (tx: Tx, session: Session, task: Task) => {
  const holder = leaseHolder(task)
  const takenOverBy = holder && holder !== session.userNo ? await nameOf(tx, holder) : null
  return takenOverBy
    ? new Fault(
        'stateConflict',
        'errors.takenOver',
        { name: takenOverBy },
        { status: task.auditTaskStatus, takenOverBy },
      )
    : new Fault('stateConflict', 'errors.openedElsewhere', {}, { status: task.auditTaskStatus, takenOverBy })
}

const checked = async (
  tx: Tx,
  session: Session,
  order: Order,
  task: Task | undefined,
  leaseToken: string,
): Promise<Held> => {
  requireEvent('order', order.orderStatus, 'audit.pass')
  if (!task) throw stateConflict(order.orderStatus, 'ORDER_STATUS')
  requireEvent('auditTask', task.auditTaskStatus, 'task.submit')
  if (task.leaseToken !== leaseToken || leaseHolder(task) !== session.userNo)
    throw await openedElsewhere(tx, session, task)
  return { order, task }
}

/** Order and task of a lease that still stands, the task locked. */
export const lockTask = async (tx: Tx, session: Session, lease: Lease): Promise<Held> => {
  const order = await findOrder(tx, session, lease.orderNo, handle)
  return checked(tx, session, order, await lockActiveTask(tx, order.orderNo), lease.leaseToken)
}

/** The same with the order locked too, before the task: for whatever changes the order. */
export const lockHeld = async (tx: Tx, session: Session, lease: Lease, perm = handle): Promise<Held> => {
  const order = await lockOrder(tx, session, lease.orderNo, perm)
  return checked(tx, session, order, await lockActiveTask(tx, order.orderNo), lease.leaseToken)
}

/** The same without any lock: before asking somebody outside. */
export const readHeld = async (tx: Tx, session: Session, lease: Lease, perm = handle): Promise<Held> => {
  const order = await findOrder(tx, session, lease.orderNo, perm)
  const task = await tx.maybe(
    sql<Task>`select t.* from audit_task t where t.order_no = ${order.orderNo} and t.audit_task_status in ('assigned', 'opened')`,
  )
  return checked(tx, session, order, task, lease.leaseToken)
}
