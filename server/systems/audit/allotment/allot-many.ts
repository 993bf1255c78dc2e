import { sql } from 'kysely'
import { loanKinds } from '../../../../core/contract/order/levels.ts'
import type { Tx } from '../../../db/database.ts'
import { orderRoute, tell } from '../../../messages/message.ts'
import { newNo } from '../../../money/numbers.ts'
import type { Actor } from '../../../rights/actor.ts'
import { createMany, transitionMany } from '../../../states/transition.ts'
import type { Order } from '../../order/order/index.ts'
import { type Auditor, refusalOf, type Wanted } from '../person/audit-person.ts'

/** Orders that are read beyond the room that auditors have: a few may have been in the hands of all who could take them. */
const slack = 100

type Waiting = Pick<
  Order,
  'orderNo' | 'orderStatus' | 'version' | 'merchantNo' | 'loanKind' | 'auditStep' | 'loanAmount'
> &
  Pick<Wanted, 'earlier'>
type Given = { order: Waiting; auditor: Auditor; auditTaskNo: string }

/** Gives an order to the shortest queue of those who may take it, and counts it there; answers who got it. */
export const hand = (auditors: readonly Auditor[], order: Omit<Wanted, 'holder'>): Auditor | undefined => {
  const wanted = { ...order, holder: null }
  let best: Auditor | undefined
  for (const auditor of auditors) {
    const isShorter =
      !best ||
      auditor.openCount < best.openCount ||
      (auditor.openCount === best.openCount && auditor.userNo < best.userNo)
    if (isShorter && !refusalOf(auditor, wanted)) best = auditor
  }
  if (best) best.openCount++
  return best
}

/** What somebody could take now: merchants with kinds of loans and steps. */
const taken = (auditors: readonly Auditor[]): Omit<Wanted, 'earlier' | 'holder'>[] => {
  const merchants = [...new Set(auditors.flatMap(auditor => auditor.merchants))]
  const steps = Array.from({ length: Math.max(0, ...auditors.map(one => one.auditStepMax)) }, (_, n) => n + 1)
  const all = merchants.flatMap(merchantNo =>
    loanKinds.values.flatMap(loanKind => steps.map(auditStep => ({ merchantNo, loanKind, auditStep }))),
  )
  return all.filter(one => auditors.some(auditor => !refusalOf(auditor, { ...one, earlier: [], holder: null })))
}

/** The oldest orders that somebody could take, locked; those that another transaction has in hand or that wait for an approval are left out. */
const oldest = (tx: Tx, auditors: readonly Auditor[], most: number): Promise<Waiting[]> => {
  const could = taken(auditors)
  const column = (name: keyof (typeof could)[number]) => could.map(one => one[name])
  return tx.rows(sql<Waiting>`
    select o.order_no, o.order_status, o.version, o.merchant_no, o.loan_kind, o.audit_step, o.loan_amount,
      coalesce((select jsonb_agg(jsonb_build_object('auditorNo', h.auditor_no, 'auditStep', h.audit_step)) from order_hand h where h.order_no = o.order_no), '[]') as earlier
    from loan_order o
    where o.order_status = 'to_be_allocated'
      and (o.merchant_no, o.loan_kind, o.audit_step) in (
        select * from unnest(${column('merchantNo')}::text[], ${column('loanKind')}::text[], ${column('auditStep')}::int[]))
      and not exists (
        select 1 from approval a where a.approval_status = 'pending' and (a.order_no = o.order_no or (a.object_type = 'order' and a.object_no = o.order_no)))
    order by o.status_time, o.order_no limit ${most} for update of o skip locked`)
}

const write = async (tx: Tx, given: readonly Given[], actor: Actor): Promise<void> => {
  const statusTime = tx.now.toISOString()
  const moved = given.map(({ order, auditor: { userNo: auditorNo }, auditTaskNo }) => ({
    row: order,
    set: { auditorNo, statusTime },
    payload: { auditorNo, auditTaskNo, auditStep: order.auditStep },
  }))
  await transitionMany(tx, 'order', moved, { event: 'allot' }, actor)
  const tasks = given.map(({ order: { orderNo, auditStep }, auditor: { userNo: auditorNo }, auditTaskNo }) => ({
    values: { auditTaskNo, orderNo, auditorNo, auditStep, allotTime: tx.now, version: 0 },
    payload: { orderNo, auditorNo },
  }))
  createMany(tx, 'auditTask', tasks, { event: 'task.assign' }, actor)
  for (const { order, auditor } of given)
    tell(tx, {
      to: auditor.userNo,
      messageType: 'allocation',
      template: 'allotted',
      params: { orderNo: order.orderNo, amount: order.loanAmount },
      objectType: 'order',
      objectNo: order.orderNo,
      route: orderRoute(order.orderNo),
    })
}

/**
 * Gives the oldest waiting orders to the shortest queues of locked auditors: each kind of row in one statement, however many orders there are.
 * @returns what was given to whom
 */
export const allotOldest = async (
  tx: Tx,
  auditors: readonly Auditor[],
  most: number,
  actor: Actor,
): Promise<{ orderNo: string; auditorNo: string }[]> => {
  const room = auditors.reduce((sum, { queueCap, openCount }) => sum + Math.max(0, queueCap - openCount), 0)
  if (room === 0) return []
  const given: Given[] = []
  for (const order of await oldest(tx, auditors, Math.min(most, room + slack))) {
    const auditor = hand(auditors, order)
    if (auditor) given.push({ order, auditor, auditTaskNo: newNo('AT', tx.now) })
  }
  await write(tx, given, actor)
  return given.map(({ order: { orderNo }, auditor: { userNo: auditorNo } }) => ({ orderNo, auditorNo }))
}
