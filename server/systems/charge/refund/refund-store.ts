import { type RawBuilder, type Selectable, sql } from 'kysely'
import { formatMoney, type Money, neg } from '../../../../core/rules/money.ts'
import type { Tx } from '../../../db/database.ts'
import type { DB } from '../../../db/types.gen.ts'
import { notFound } from '../../../http/fault.ts'
import { account, post } from '../../../money/ledger.ts'
import type { Actor } from '../../../rights/actor.ts'
import { scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import type { Attempt } from '../../after-loan/payout/index.ts'
import { lockOverpayment, type Overpayment, payOverflow } from '../../after-loan/repayment/index.ts'
import { amountInText, happened } from '../../operation/message-engine/index.ts'
import type { Payable } from '../send/payable.ts'

type Frag = RawBuilder<unknown>

export type Refund = Selectable<DB['clientRefund']>
/** A refund with the overflow that it is paid from, both locked, the overflow first. */
export type HeldRefund = { refund: Refund; overpayment: Overpayment }

/** Read codes of refunds; their details and files are open to the holders of either. */
export const refundReaders = ['refund:page', 'refund:audit:page'] as const

/** The data rule of refunds: their merchant. They are nobody's work. */
export const refundScope = (session: Session, perm?: string): Frag =>
  scope(session, { merchant: 'r.merchant_no', holder: () => sql`true`, perm })

/** The data rule of an overflow `v`. */
export const overflowScope = (session: Session, perm?: string): Frag =>
  scope(session, { merchant: 'v.merchant_no', holder: () => sql`true`, perm })

/** A refund for changing it; jobs have no session. */
export const lockRefund = async (tx: Tx, session: Session | null, refundNo: string): Promise<HeldRefund> => {
  const found = await tx.maybe(sql<{ customerNo: string }>`
    select r.customer_no from client_refund r where r.refund_no = ${refundNo} and ${session ? refundScope(session) : sql`true`}`)
  if (!found) throw notFound()
  const overpayment = await lockOverpayment(tx, found.customerNo)
  if (!overpayment) throw new Error(`${refundNo} has no overflow`)
  return { overpayment, refund: await reread(tx, refundNo) }
}

/** A refund as it is now, locked. */
export const reread = (tx: Tx, refundNo: string): Promise<Refund> =>
  tx.one(sql<Refund>`select * from client_refund where refund_no = ${refundNo} for update`)

const causeOf = (refundNo: string) => `refund:${refundNo}`
type Promised = Pick<Refund, 'refundNo' | 'customerNo' | 'refundAmount'>

/** Promises an amount of the overflow (P7a), or takes the promise back (P7-REV). */
export const bookPromise = (
  tx: Tx,
  { refundNo, customerNo, refundAmount }: Promised,
  code: 'P7a' | 'P7-REV',
  actor: Actor,
) => {
  const amount: Money = code === 'P7a' ? refundAmount : neg(refundAmount)
  const lines = [
    { account: account.overpayment(customerNo), amount },
    { account: account.refundPayable(refundNo), amount: neg(amount) },
  ]
  return post(tx, { code, cause: causeOf(refundNo), keys: { customerNo }, lines }, actor)
}

const bookSend = async (
  tx: Tx,
  { refundNo, customerNo, refundAmount }: Promised,
  way: Parameters<Payable['book']>[0],
  { fundAccountNo }: Attempt,
  actor: Actor,
) => {
  const amount: Money = way === 'sent' ? refundAmount : neg(refundAmount)
  const other = way === 'arrived' ? account.refundPayable(refundNo) : account.bank(fundAccountNo)
  const lines = [
    { account: account.refundInFlight(refundNo), amount },
    { account: other, amount: neg(amount) },
  ]
  const code = ({ sent: 'P7b', arrived: 'P7c', failed: 'P7d' } as const)[way]
  await post(tx, { code, cause: causeOf(refundNo), keys: { customerNo }, lines }, actor)
}

/** A refund as something that money is sent for. */
export const payableOf = (tx: Tx, { refund, overpayment }: HeldRefund): Payable<Refund> => ({
  kind: 'refund',
  machine: 'refund',
  no: refund.refundNo,
  row: refund,
  status: refund.refundStatus,
  states: { running: 'in_progress', failed: 'failure', paid: 'success' },
  notesUnknown: true,
  book: (way, attempt, actor) => bookSend(tx, refund, way, attempt, actor),
  paidSet: { successTime: tx.now },
  paid: async actor => {
    await payOverflow(tx, overpayment, { refundNo: refund.refundNo, amount: refund.refundAmount }, actor)
    const { customerNo, merchantNo, refundNo: objectNo } = refund
    const values = { refundAmount: amountInText(refund.refundAmount) }
    await happened(tx, {
      event: 'refund.success',
      objectType: 'client_refund',
      objectNo,
      customerNo,
      merchantNo,
      values,
    })
  },
  async message() {
    const { appName } = await tx.one(
      sql<{ appName: string }>`select app_name from merchant where merchant_no = ${refund.merchantNo}`,
    )
    return `${appName}: refund of UGX ${formatMoney(refund.refundAmount)}, number ${refund.refundNo}`
  },
})
