import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { can } from '../../../../core/rules/machines/machine.ts'
import { coupon as machine } from '../../../../core/rules/machines/operation/coupon.ts'
import type { Money } from '../../../../core/rules/money.ts'
import { requestApproval } from '../../../approval/approval.ts'
import { waitsUntil } from '../../../approval/visible.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, notFound } from '../../../http/fault.ts'
import { type Call, serveEach } from '../../../http/serve.ts'
import type { ApprovalAction } from '../../../module.ts'
import type { Actor } from '../../../rights/actor.ts'
import { requireEvent, transition } from '../../../states/transition.ts'
import { couponSeen } from './coupon-lists.ts'

const { coupon } = contract

type Held = {
  couponNo: string
  couponStatus: string
  couponType: string
  customerName: string
  merchantNo: string | null
  faceAmount: Money
  version: number
}

/** Asks a second person to take a coupon back that nobody has used; a frozen or used one stays. */
export const askRevoke = async (
  call: Pick<Call, 'tx' | 'session' | 'actor' | 'audit'>,
  couponNo: string,
  reason: string,
  { action, perm, page }: { action: string; perm: string; page: string },
): Promise<void> => {
  const { tx, session, audit } = call
  const row = await tx.maybe(sql<Held>`
    select x.*, (select c.customer_name from customer c where c.customer_no = x.customer_no) as customer_name
    from coupon x where x.coupon_no = ${couponNo} and ${couponSeen(session, page)} for update of x`)
  if (!row) throw notFound()
  requireEvent('coupon', row.couponStatus, 'coupon.revoke')
  if (await waitsUntil(tx, { objectType: 'coupon', objectNo: couponNo }))
    throw new Fault('stateConflict', 'errors.approvalWaits')
  const approvalNo = await requestApproval(call, {
    action,
    perm,
    objectType: 'coupon',
    objectNo: couponNo,
    ...(row.merchantNo ? { merchantNo: row.merchantNo } : {}),
    version: row.version,
    payload: { reason },
    summary: [
      { label: 'fields.couponType', before: `dict.COUPON_TYPE.${row.couponType}`, after: null },
      { label: 'fields.faceAmount', before: row.faceAmount, after: null },
      { label: 'fields.customerName', before: row.customerName, after: null },
      { label: 'fields.reason', before: null, after: reason },
    ],
  })
  audit({ objectType: 'coupon', objectNo: couponNo, after: { reason, approvalNo } })
}

/** Takes a coupon back to which a second person agreed; what it took of the budget stays taken. */
export const revokeAgreed: ApprovalAction['execute'] = async (tx: Tx, { objectNo, payload, checker }) => {
  const row = await tx.one(sql<Held>`select * from coupon where coupon_no = ${objectNo} for update`)
  const set = { revokeReason: String(payload.reason) }
  await transition(tx, 'coupon', row, { event: 'coupon.revoke', as: 'person', set, payload: set }, checker)
}

/** Takes the coupon of a reward back that its customer has neither used nor bound to an order. Answers whether it was so. */
export const takeBackCoupon = async (tx: Tx, couponNo: string, reason: string, actor: Actor): Promise<boolean> => {
  const row = await tx.one(sql<Held>`select * from coupon where coupon_no = ${couponNo} for update`)
  if (!can(machine, row.couponStatus, 'coupon.revoke')) return false
  const set = { revokeReason: reason }
  await transition(tx, 'coupon', row, { event: 'coupon.revoke', as: 'system', set, payload: set }, actor)
  return true
}

const perm = (coupon.revoke as Endpoint).perm as string
const page = coupon.coupons.perm as string

export const revoke = serveEach(coupon.revoke, {
  ids: input => input.couponNos,
  row: (couponNo, call) => askRevoke(call, couponNo, call.input.reason, { action: 'coupon.revoke', perm, page }),
})

export const revokeApproval: ApprovalAction = { action: 'coupon.revoke', perm, money: true, execute: revokeAgreed }
