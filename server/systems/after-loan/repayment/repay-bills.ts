import { sql } from 'kysely'
import { repay } from '../../../../core/contract/after-loan/repayment.ts'
import type { Component } from '../../../../core/rules/loan/components.ts'
import { addDays, type EatDate } from '../../../../core/rules/time.ts'
import { dayRange, numbersOf, oneOf, orderFilters } from '../../../lists/list.ts'
import { listed } from '../../../lists/listed.ts'
import { noteSearch, orderFrom, orderJoins, orderScope } from '../../order/order/index.ts'
import { repayBlocks } from './repay-blocks.ts'
import { hasFlow, latestCode, overpaid } from './repay-list.ts'
import { leftOf, partOf } from './repay-source.ts'

const open = sql`b.bill_status in ('pending', 'partial')`

/** More days than any bill is late. */
const mostDays = 40_000
const back = (today: EatDate, days: number) => addDays(today, -Math.min(days, mostDays))

/** Bills `b` that are so many days late, by the due dates of open ones; what is paid or not yet due is none late. */
const lateBetween = (today: EatDate, least: number, most: number | null) => {
  if (most !== null && most < Math.max(least, 0)) return sql`false`
  const late = sql`${open} and b.due_date <= ${back(today, Math.max(least, 1))}`
  const within = most === null ? late : sql`${late} and b.due_date >= ${back(today, most)}`
  return least > 0 ? within : sql`(${within} or not (${open} and b.due_date < ${today}))`
}

const due = (component: Component) => partOf('due', [component])

/** Bills of products that are paid back in instalments, each with its order; a repayment is the order's all the same. */
export const billList = listed({
  list: repay.bills,
  source: ({ tx, session }) => {
    const late = sql`case when ${open} then greatest(${tx.today}::date - b.due_date, 0) else 0 end`
    return {
      from: sql`repay_plan b join ${orderFrom} on o.order_no = b.order_no`,
      joins: { c: orderJoins.c, m: orderJoins.m, p: orderJoins.p },
      alias: 'b',
      key: sql`b.bill_no`,
      where: sql`o.terms ->> 'track' = 'stage' and o.payout_time is not null and ${orderScope(session, repay.bills.perm)}`,
      columns: {
        orderNo: sql`b.order_no`,
        thirdOrderNo: sql`o.third_order_no`,
        installmentCount: sql`(o.terms ->> 'installmentCount')::int`,
        customerName: sql`c.customer_name`,
        phone: sql`c.phone`,
        merchantName: sql`m.merchant_name`,
        productName: sql`p.product_name`,
        billAmount: partOf('due'),
        principal: due('principal'),
        interest: due('interest'),
        serviceFee: due('serviceFee'),
        managementFee: due('managementFee'),
        lateFee: due('lateFee'),
        liquidatedDamages: due('liquidatedDamages'),
        paidAmount: partOf('paid'),
        reductionAmount: partOf('waived'),
        left: sql`case when ${open} then ${leftOf()} else 0.00 end`,
        overdueDays: late,
        orderStatus: sql`o.order_status`,
        loanCodeStatus: latestCode,
        version: sql`o.version`,
        customerNo: sql`o.customer_no`,
        merchantNo: sql`o.merchant_no`,
        productNo: sql`o.product_no`,
        loanKind: sql`o.loan_kind`,
        payoutTime: sql`o.payout_time`,
      },
      filters: {
        orderNo: orderFilters.orderNo,
        thirdOrderNo: (text: string) => oneOf(sql`o.third_order_no`, numbersOf(text)),
        phone: orderFilters.phone,
        idNumber: orderFilters.idNumber,
        dueDate: range => dayRange(sql`b.due_date`, range),
        overdue: (is: boolean) => sql`(${late} > 0) = ${is}`,
        overdueDays: ([least, most]: readonly [number | null, number | null]) =>
          lateBetween(tx.today, least ?? 0, most),
        hasOverflow: (has: boolean) => sql`(${overpaid}) = ${has}`,
        hasFlow,
      },
    }
  },
  check: noteSearch,
  blocked: (at, rows) =>
    repayBlocks.of(
      at,
      rows.map(({ orderNo }) => orderNo),
    ),
})
