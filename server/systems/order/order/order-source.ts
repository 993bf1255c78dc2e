import { type RawBuilder, type Selectable, sql } from 'kysely'
import { statusesOfType } from '../../../../core/contract/order/order-filters.ts'
import type { Language } from '../../../../core/i18n/language.ts'
import type { Terms } from '../../../../core/rules/loan/terms.ts'
import type { auditTask } from '../../../../core/rules/machines/audit/audit-task.ts'
import type { StateOf } from '../../../../core/rules/machines/machine.ts'
import type { order } from '../../../../core/rules/machines/order/order.ts'
import { mask } from '../../../../core/rules/mask.ts'
import type { Tx } from '../../../db/database.ts'
import type { DB } from '../../../db/types.gen.ts'
import { notFound } from '../../../http/fault.ts'
import type { Call } from '../../../http/serve.ts'
import { nameFilter, oneOf, orderFilters } from '../../../lists/list.ts'
import { orderHolder, scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'

type Frag = RawBuilder<unknown>

export type Order = Omit<Selectable<DB['loanOrder']>, 'terms' | 'orderStatus'> & {
  terms: Terms
  orderStatus: StateOf<typeof order>
}
export type Task = Omit<Selectable<DB['auditTask']>, 'auditTaskStatus'> & {
  auditTaskStatus: StateOf<typeof auditTask>
}

/** What order lists read from besides `o` loan_order: `c` its customer as its merchant knows them, `m` merchant, `p` product, `u` the auditor, `rc` the refuse code. */
export const orderJoins = {
  c: sql`join order_customer c on c.customer_no = o.customer_no and c.merchant_no = o.merchant_no`,
  m: sql`join merchant m on m.merchant_no = o.merchant_no`,
  p: sql`join product p on p.product_no = o.product_no`,
  u: sql`left join app_user u on u.user_no = o.auditor_no`,
  rc: sql`left join refuse_code rc on rc.refuse_code = o.refuse_code`,
}
export const orderFrom = sql`loan_order o`

/** The name of a refuse code in the caller's language; `rc` is its alias. */
export const refuseName = (language: Language): Frag => sql.ref(`rc.name_${language}`)

/** Columns of an order list that are not `o.<name>`. */
export const orderColumns = (language: Language): Record<string, Frag> => ({
  merchantName: sql`m.merchant_name`,
  appName: sql`m.app_name`,
  productName: sql`p.product_name`,
  customerName: sql`c.customer_name`,
  idNumber: sql`c.id_number`,
  phone: sql`c.phone`,
  memberLevel: sql`c.member_level`,
  whitelisted: sql`c.whitelisted`,
  auditorName: sql`u.real_name`,
  refuseReason: refuseName(language),
})

/** The request about an order `o`, or something of it, that a second person has yet to decide. */
export const orderApproval: Frag = sql`(
  select a.approval_no from approval a
  where a.approval_status = 'pending' and (a.order_no = o.order_no or (a.object_type = 'order' and a.object_no = o.order_no))
  order by a.submit_time limit 1)`

export const orderListFilters = (session: Session) => ({
  ...orderFilters,
  customerName: nameFilter(session),
  orderStatusType: (type: keyof typeof statusesOfType) => oneOf(sql`o.order_status`, statusesOfType[type]),
})

/** A lease that somebody holds now; `t` is the task. */
export const leaseLive = (tx: Tx): Frag => sql`(t.audit_task_status = 'opened' and t.lease_until > ${tx.now})`
export const minutesSince = (tx: Tx, time: Frag): Frag =>
  sql`(extract(epoch from (${tx.now}::timestamptz - ${time})) / 60)::int`

/** The data rule on an order `o`: the rule of a page with `perm`, the caller's widest without. */
export const orderScope = (session: Session, perm?: string): Frag =>
  scope(session, { merchant: 'o.merchant_no', holder: orderHolder('o'), perm })

const load = async (tx: Tx, rule: Frag, orderNo: string, lock: Frag): Promise<Order> => {
  const order = await tx.maybe(
    sql<Order>`select o.* from loan_order o where o.order_no = ${orderNo} and ${rule} ${lock}`,
  )
  if (!order) throw notFound()
  return order
}

/** An order that the caller may see; unknown and out of reach are the same. */
export const findOrder = (tx: Tx, session: Session, orderNo: string, perm?: string): Promise<Order> =>
  load(tx, orderScope(session, perm), orderNo, sql``)

/** The order for changing it. Locked before its audit task; jobs have no session. */
export const lockOrder = (tx: Tx, session: Session | null, orderNo: string, perm?: string): Promise<Order> =>
  load(tx, session ? orderScope(session, perm) : sql`true`, orderNo, sql`for update of o`)

/** The task that somebody has in hand, locked; call it with the order locked. */
export const lockActiveTask = (tx: Tx, orderNo: string): Promise<Task | undefined> =>
  tx.maybe(
    sql<Task>`select t.* from audit_task t where t.order_no = ${orderNo} and t.audit_task_status in ('assigned', 'opened') for update`,
  )

export const isLeaseLive = (tx: Tx, task: Pick<Task, 'auditTaskStatus' | 'leaseUntil'>): boolean =>
  task.auditTaskStatus === 'opened' && task.leaseUntil !== null && Date.parse(task.leaseUntil) > tx.now.getTime()

/** Looking somebody up by phone or ID number is noted, found or not. */
export const noteSearch = ({ tx, session, actor, input }: Call<{ phone?: string; idNumber?: string }>): void => {
  for (const field of ['phone', 'idNumber'] as const) {
    const value = input[field]
    if (!value) continue
    tx.append('accessLog', {
      userNo: session.userNo,
      accessKind: 'search',
      objectType: 'customer',
      objectNo: mask(value),
      field,
      at: tx.now,
      ip: actor.ip,
      requestId: actor.requestId,
      partnerNo: actor.partnerNo,
    })
  }
}
