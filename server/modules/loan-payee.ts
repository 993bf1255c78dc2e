import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { pick } from '../pick.ts'
import type { Order } from './order-source.ts'

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

/** Gives the customer back the credit that an order took at its approval. */
export const restoreCredit = (tx: Tx, order: Pick<Order, 'customerNo' | 'loanAmount'>) =>
  tx.exec(sql`
    update customer set remaining_limit = least(credit_limit, remaining_limit + ${order.loanAmount}::numeric), version = version + 1
    where customer_no = ${order.customerNo}`)
