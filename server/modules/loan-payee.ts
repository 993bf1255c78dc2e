import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import type { LoanCode } from './loan-source.ts'
import type { Order } from './order-source.ts'

type Payee = Pick<
  Order,
  'payoutType' | 'payoutSubtype' | 'walletAccount' | 'bankName' | 'branch' | 'bankCardNo' | 'cardholderName'
>

export const payeeOf = ({
  payoutType,
  payoutSubtype,
  walletAccount,
  bankName,
  branch,
  bankCardNo,
  cardholderName,
}: Order | LoanCode): Payee => ({
  payoutType,
  payoutSubtype,
  walletAccount,
  bankName,
  branch,
  bankCardNo,
  cardholderName,
})

/** Whether the order still names the account that the code was made for. */
export const isSamePayee = (order: Order, code: LoanCode): boolean =>
  JSON.stringify(payeeOf(order)) === JSON.stringify(payeeOf(code))

/** Gives the customer back the credit that an order took at its approval. */
export const restoreCredit = (tx: Tx, order: Pick<Order, 'customerNo' | 'loanAmount'>) =>
  tx.exec(sql`
    update customer set remaining_limit = least(credit_limit, remaining_limit + ${order.loanAmount}::numeric), version = version + 1
    where customer_no = ${order.customerNo}`)
