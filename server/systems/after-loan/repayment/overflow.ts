import { sql } from 'kysely'
import { add, gt, gte, isZero, type Money, neg, sub } from '../../../../core/rules/money.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault } from '../../../http/fault.ts'
import { newNo } from '../../../money/numbers.ts'
import type { Actor } from '../../../rights/actor.ts'
import { create, transition } from '../../../states/transition.ts'

/** What is held for a customer because more came in than was owed. */
export type Overpayment = {
  overpaymentNo: string
  customerNo: string
  merchantNo: string
  overpaymentStatus: string
  credited: Money
  refunded: Money
  reapplied: Money
  reserved: Money
  version: number
}

export const balanceOf = ({ credited, refunded, reapplied }: Overpayment): Money =>
  sub(credited, add(refunded, reapplied))

/** What may be used: the balance without what an open refund holds. */
export const freeOf = (overpayment: Overpayment): Money => sub(balanceOf(overpayment), overpayment.reserved)

const locked = (tx: Tx, customerNo: string) =>
  tx.maybe(sql<Overpayment>`
    select overpayment_no, customer_no, merchant_no, overpayment_status, credited, refunded, reapplied, reserved, version
    from overpayment where customer_no = ${customerNo} for update`)

/** The customer's overflow, locked; absent when there never was any. */
export const lockOverpayment = locked

type Of = { customerNo: string; merchantNo: string; amount: Money } & ({ repaymentNo: string } | { flowNo: string })

/** Holds an amount for the customer (the posting is P4b). */
export const creditOverflow = async (
  tx: Tx,
  { customerNo, merchantNo, amount, ...from }: Of,
  actor: Actor,
): Promise<void> => {
  const move = { event: 'overflow.credit', payload: { ...from, amount } }
  let held = await locked(tx, customerNo)
  if (!held) {
    await tx.exec(sql`select pg_advisory_xact_lock(hashtextextended(${`overpayment ${customerNo}`}, 0))`)
    held = await locked(tx, customerNo)
  }
  if (held) await transition(tx, 'overpayment', held, { ...move, set: { credited: add(held.credited, amount) } }, actor)
  else
    await create(
      tx,
      'overpayment',
      { overpaymentNo: newNo('OV', tx.now), customerNo, merchantNo, credited: amount },
      move,
      actor,
    )
}

type Because = { repaymentNo: string; rollback?: true }

const use = (
  tx: Tx,
  held: Overpayment,
  amount: Money,
  column: 'credited' | 'reapplied',
  because: Because,
  actor: Actor,
) => {
  const value = column === 'reapplied' ? add(held.reapplied, amount) : sub(held.credited, amount)
  const as = isZero(sub(balanceOf(held), amount)) ? 'all' : 'part'
  const payload = { ...because, amount }
  return transition(
    tx,
    'overpayment',
    held,
    { event: 'overflow.reapply', as, set: { [column]: value }, payload },
    actor,
  )
}

/** Uses an amount for another order of the customer (the posting is P4c). */
export const reapplyOverflow = async (
  tx: Tx,
  held: Overpayment,
  amount: Money,
  because: Because,
  actor: Actor,
): Promise<void> => {
  if (gt(amount, freeOf(held))) throw new Fault('validation', 'errors.limitExceeded')
  await use(tx, held, amount, 'reapplied', because, actor)
}

/** Whether the overflow of a record is still there to be taken back. */
export const isStillHeld = (held: Overpayment | undefined, amount: Money): held is Overpayment =>
  held !== undefined && held.overpaymentStatus !== 'locked' && gte(freeOf(held), amount)

/** Undoes what a record did to the overflow of its customer: a credit (`amount` positive) or a use of it (negative). */
export const undoOverflow = async (
  tx: Tx,
  customerNo: string,
  amount: Money,
  repaymentNo: string,
  actor: Actor,
): Promise<void> => {
  if (isZero(amount)) return
  const held = await locked(tx, customerNo)
  const because: Because = { repaymentNo, rollback: true }
  if (gt(amount, '0.00')) {
    if (!isStillHeld(held, amount)) throw new Fault('stateConflict', 'errors.overflowPromised')
    await use(tx, held, amount, 'credited', because, actor)
  } else if (held) {
    const set = { reapplied: add(held.reapplied, amount) }
    await transition(
      tx,
      'overpayment',
      held,
      { event: 'overflow.credit', set, payload: { ...because, amount: neg(amount) } },
      actor,
    )
  }
}

type Refund = { refundNo: string; amount: Money }

/** Holds an amount back for an open refund (the posting is P7a); there is one at a time. */
export const reserveOverflow = (tx: Tx, held: Overpayment, { refundNo, amount }: Refund, actor: Actor) =>
  transition(
    tx,
    'overpayment',
    held,
    { event: 'refund.reserve', set: { reserved: add(held.reserved, amount) }, payload: { refundNo, amount } },
    actor,
  )

/** Frees what an open refund held (P7-REV): it ends without a payment, or asks for another amount. */
export const releaseOverflow = (tx: Tx, held: Overpayment, { refundNo, amount }: Refund, actor: Actor) =>
  transition(
    tx,
    'overpayment',
    held,
    { event: 'refund.release', set: { reserved: sub(held.reserved, amount) }, payload: { refundNo, amount } },
    actor,
  )

/** What an open refund held has reached the customer. */
export const payOverflow = (tx: Tx, held: Overpayment, { refundNo, amount }: Refund, actor: Actor) => {
  const as = isZero(sub(balanceOf(held), amount)) ? 'all' : 'part'
  const set = { refunded: add(held.refunded, amount), reserved: sub(held.reserved, amount) }
  return transition(tx, 'overpayment', held, { event: 'refund.paid', as, set, payload: { refundNo, amount } }, actor)
}
