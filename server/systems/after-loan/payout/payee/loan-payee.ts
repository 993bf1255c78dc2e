import { sql } from 'kysely'
import type { z } from 'zod'
import type { payeeFields } from '../../../../../core/contract/payee.ts'
import { mask } from '../../../../../core/rules/mask.ts'
import { standingResult } from '../../../../../core/rules/payee.ts'
import type { Tx } from '../../../../db/database.ts'
import { invalid } from '../../../../http/fault.ts'
import { pick } from '../../../../lists/pick.ts'
import type { Order } from '../../../order/order/index.ts'
import type { HeldCode } from '../desk/loan-source.ts'
import type { Owner, Verified } from './holder.ts'

const fields = [
  'payoutType',
  'payoutSubtype',
  'walletAccount',
  'bankName',
  'branch',
  'bankCardNo',
  'cardholderName',
] as const

/** The account that a loan goes to, as its order and its loan codes name it. */
export type Payee = Pick<Order, (typeof fields)[number]>

export const payeeOf = (from: Payee): Payee => pick(from, fields)

/** The account that was typed in, without what the other kind of account has. @throws {Fault} 40001 for a kind that does not fit */
export const typedPayee = (typed: z.output<z.ZodObject<typeof payeeFields>>): Payee => {
  const { payoutType, payoutSubtype, cardholderName } = typed
  if ((payoutType === 'bank') !== (payoutSubtype === 'bank_transfer'))
    throw invalid('payoutSubtype', 'validation.wrongValue')
  const wallet = payoutType === 'wallet'
  return {
    payoutType,
    payoutSubtype,
    cardholderName,
    walletAccount: wallet ? (typed.walletAccount ?? null) : null,
    bankName: wallet ? null : (typed.bankName ?? null),
    branch: wallet ? null : (typed.branch ?? null),
    bankCardNo: wallet ? null : (typed.bankCardNo ?? null),
  }
}

/** What a log may hold of an account. */
export const maskedPayee = (payee: Payee) => ({
  ...payeeOf(payee),
  walletAccount: payee.walletAccount && mask(payee.walletAccount),
  bankCardNo: payee.bankCardNo && mask(payee.bankCardNo),
  cardholderName: mask(payee.cardholderName),
})

/** The customer of an order, whose account it should be. */
export const ownerOf = (tx: Tx, { customerNo }: Pick<Order, 'customerNo'>): Promise<Owner> =>
  tx.one(sql<Owner>`select customer_name, phone from customer where customer_no = ${customerNo}`)

/** Everybody who has changed where the loan of an order goes. */
export const payeeChangers = async (tx: Tx, orderNo: string): Promise<string[]> =>
  (
    await tx.rows(
      sql<{ changedBy: string }>`select distinct changed_by from order_payout_history where order_no = ${orderNo}`,
    )
  ).map(row => row.changedBy)

type Result = Pick<Verified, 'verifyResult' | 'holderName'>

const isNews = (before: string, found: Result) => standingResult(before, found.verifyResult) === found.verifyResult

/** Notes on a locked order what its channel said of the account; what stands against that stays. */
export const noteOrderPayee = async (tx: Tx, order: Order, found: Result): Promise<void> => {
  if (!isNews(order.payoutVerify, found)) return
  await tx.exec(sql`
    update loan_order set payout_verify = ${found.verifyResult}, payout_holder_name = ${found.holderName} where order_no = ${order.orderNo}`)
}

/** The same of a locked code, and of its order while that names the same account. */
export const noteCodePayee = async (tx: Tx, { order, code }: HeldCode, found: Result): Promise<void> => {
  if (isNews(code.verifyResult, found))
    await tx.exec(sql`
      update loan_code set verify_result = ${found.verifyResult}, holder_name = ${found.holderName} where loan_code = ${code.loanCode}`)
  if (isSamePayee(order, code)) await noteOrderPayee(tx, order, found)
}

/** Whether both name the same account, such as an order and a code that was made for it. */
export const isSamePayee = (a: Payee, b: Payee): boolean => JSON.stringify(payeeOf(a)) === JSON.stringify(payeeOf(b))

/** Keeps the account that a locked order has now, before it is changed. Of two changes at one instant each has its own place. */
export const keepPayee = (tx: Tx, order: Payee & Pick<Order, 'orderNo'>, changedBy: string) => {
  const { orderNo, payoutType, payoutSubtype, walletAccount, bankName, branch, bankCardNo, cardholderName } = order
  return tx.exec(sql`
    insert into order_payout_history (order_no, changed_time, changed_by, payout_type, payout_subtype, wallet_account, bank_name, branch, bank_card_no, cardholder_name)
    select ${orderNo}, greatest(${tx.now}::timestamptz, max(changed_time) + interval '1 microsecond'), ${changedBy}, ${payoutType}, ${payoutSubtype}, ${walletAccount},
      ${bankName}, ${branch}, ${bankCardNo}, ${cardholderName}
    from order_payout_history where order_no = ${orderNo}`)
}
