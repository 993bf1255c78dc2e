import { z } from 'zod'
import { order } from '../../rules/machines/order/order.ts'
import { list, noun } from '../endpoint.ts'
import { field } from '../fields.ts'
import { orderFilters } from '../order/order-filters.ts'

const { orderNo, thirdOrderNo, phone, merchantNo, orderStatusType, orderStatus, applyTime } = orderFilters

/** What somebody may know of an order who decides nothing about it: its state and its sums, nothing private. */
const OrderRow = z.object({
  orderNo: field.key(),
  thirdOrderNo: field.key(64),
  merchantName: field.text(),
  customerName: field.customerName(),
  orderStatus: field.state(order),
  /** Why it was refused, in the words meant for the customer; the internal reason stays with the auditors. */
  refuseText: field.text().nullable(),
  applyTime: field.time(),
  payoutTime: field.time().nullable(),
  loanAmount: field.money(),
  actualLoanAmount: field.money(),
  term: field.int(),
  nextDueDate: field.date().nullable(),
  overdueDays: field.int(),
})

/** Every order in short. */
export const orderShort = noun('audit/order-short', {
  shortList: list('/loans/audit/manage/short/list', {
    perm: 'audit:manage:short',
    row: OrderRow,
    filters: { orderNo, thirdOrderNo, phone, merchantNo, orderStatusType, orderStatus, applyTime },
    sort: ['applyTime'],
    defaultSort: '-applyTime',
  }),
})
