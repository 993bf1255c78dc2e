import { randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { repaymentLink } from '../../../../core/rules/machines/after-loan/repayment-link.ts'
import { can } from '../../../../core/rules/machines/machine.ts'
import type { Money } from '../../../../core/rules/money.ts'
import type { Tx } from '../../../db/database.ts'
import type { WalletChannel } from '../../../gateways/gateway.ts'
import type { Actor } from '../../../rights/actor.ts'
import { transition } from '../../../states/transition.ts'

/** A link as it is stored. */
export type PayLink = {
  linkNo: string
  linkStatus: string
  orderNo: string
  merchantNo: string
  customerNo: string
  amount: Money
  linkCode: string
  expireTime: string
  timesSent: number
  version: number
}

/** A payment that a phone is asked for. */
export type PayAsk = { payRef: string; linkNo: string; channel: WalletChannel; phone: string; amount: Money }

/** Reads links. */
export const readLinks = (tx: Tx, where: RawBuilder<unknown>): Promise<PayLink[]> =>
  tx.rows(sql<PayLink>`select l.* from pay_link l where ${where} order by l.link_no`)

/** Reads and locks links. */
export const lockLinks = (tx: Tx, where: RawBuilder<unknown>): Promise<PayLink[]> =>
  tx.rows(sql<PayLink>`select l.* from pay_link l where ${where} order by l.link_no for update of l`)

/** A path that nobody can guess: 128 random bits. */
export const newLinkCode = (): string => randomBytes(16).toString('hex')

/** The order that a payment was asked for under a reference of ours, whatever became of the link. */
export const orderOfAsk = async (tx: Tx, payRef: string): Promise<string | null> => {
  const found = await tx.maybe(sql<{ orderNo: string }>`
    select l.order_no from pay_link_ask a join pay_link l using (link_no) where a.pay_ref = ${payRef}`)
  return found?.orderNo ?? null
}

/** How a payment that was asked for ended; the first end stands. */
export const endAsk = (tx: Tx, payRef: string, outcome: string) =>
  tx.exec(
    sql`update pay_link_ask set end_time = ${tx.now}, outcome = ${outcome} where pay_ref = ${payRef} and end_time is null`,
  )

/** Ends the link whose payment came; one that is over stays so, and the money is booked all the same. */
export const linkPaid = async (tx: Tx, payRef: string, flow: { flowNo: string }, actor: Actor): Promise<void> => {
  const [link] = await lockLinks(
    tx,
    sql`l.link_no = (select a.link_no from pay_link_ask a where a.pay_ref = ${payRef})`,
  )
  if (!link) return
  await endAsk(tx, payRef, 'paid')
  if (!can(repaymentLink, link.linkStatus, 'link.paid')) return
  await tx.flush()
  await transition(
    tx,
    'repaymentLink',
    link,
    { event: 'link.paid', set: { flowNo: flow.flowNo, paidTime: tx.now } },
    actor,
  )
}
