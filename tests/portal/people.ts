import { sql } from 'kysely'
import type { House } from '../contract/house.ts'

/** The phone of the customer behind an order. */
export const customersPhone = async (house: House, orderNo: string): Promise<string> => {
  const { phone } = await house.one(
    sql<{ phone: string }>`select phone from customer join loan_order using (customer_no) where order_no = ${orderNo}`,
  )
  return phone
}
