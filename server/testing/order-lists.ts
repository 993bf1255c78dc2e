import { sql } from 'kysely'
import { statusesOfType } from '../../core/contract/order/order-filters.ts'
import type { ListFacts } from './facts.ts'

type Means = NonNullable<ListFacts['means']>

export const numbersIn = (text: string) => text.split(/[\s,，;；]+/).filter(Boolean)

/** A filter that takes several numbers. */
export const named =
  (name: string): Means[string] =>
  (row, text: string) =>
    numbersIn(text).includes(String(row[name]))

/** What filters of lists of orders mean. */
export const ofOrders: Means = {
  orderNo: named('orderNo'),
  customerName: (row, text: string) => String(row.customerName).toLowerCase().startsWith(text.trim().toLowerCase()),
  idNumber: (row, text: string) => row.idNumber === text.toUpperCase(),
  orderStatusType: (row, type: keyof typeof statusesOfType) =>
    (statusesOfType[type] as readonly unknown[]).includes(row.orderStatus),
}

export const ofOrder = sql`o.*, c.customer_name, c.id_number, c.phone, c.member_level, c.whitelisted, m.app_name`
export const orderFrom = sql`loan_order o join order_customer c using (customer_no, merchant_no) join merchant m on m.merchant_no = o.merchant_no`
/** What rows of lists of orders hold. */
export const orderRows = sql`select ${ofOrder} from ${orderFrom}`

/** The people who hold an order, read without any rule. */
export const holdersOf = sql`array(select t.auditor_no from audit_task t where t.order_no = o.order_no)`
