import { sql } from 'kysely'
import { isZero, type Money } from '../../core/rules/money.ts'
import type { Tx } from '../db/database.ts'

/** Repaid principal of a revolving limit can be lent again; a rolled-back repayment (negative) takes it away. */
export const returnCredit = async (tx: Tx, customerNo: string, principal: Money): Promise<void> => {
  if (isZero(principal)) return
  await tx.exec(sql`
    update customer set remaining_limit = greatest(least(remaining_limit + ${principal}::numeric, credit_limit), 0), version = version + 1
    where customer_no = ${customerNo} and credit_type = 'revolving'`)
}
