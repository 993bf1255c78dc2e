import { sql } from 'kysely'
import type { Fixture } from '../contract/fixture.ts'

/** The phone of the customer behind an order. */
export const customersPhone = async (fixture: Fixture, orderNo: string): Promise<string> => {
  const { phone } = await fixture.one(
    sql<{ phone: string }>`select phone from customer join loan_order using (customer_no) where order_no = ${orderNo}`,
  )
  return phone
}
