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

/** Gives the customer back the credit that an order took at its approval. */
export const restoreCredit = (tx: Tx, order: Pick<Order, 'customerNo' | 'loanAmount'>) =>
  tx.exec(sql`
    update customer set remaining_limit = least(credit_limit, remaining_limit + ${order.loanAmount}::numeric), version = version + 1
    where customer_no = ${order.customerNo}`)
