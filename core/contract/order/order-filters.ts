import { z } from 'zod'
import { order } from '../../rules/machines/order/order.ts'
import { field } from '../fields.ts'

/** Filters that every order list shares. */
export const orderFilters = {
  orderNo: field.key(200).optional(),
  thirdOrderNo: field.key(64).optional(),
  customerName: z.string().trim().min(2).max(64).optional().meta({ kind: 'customerName' }),
  phone: field.phone().optional(),
  idNumber: field.idNumber().optional(),
  merchantNo: z.array(field.merchant()).optional(),
  productNo: z.array(field.product()).optional(),
  orderStatusType: field.dict('ORDER_STATUS_TYPE').optional(),
  orderStatus: z.array(field.state(order)).optional(),
  loanKind: field.dict('LOAN_KIND').optional(),
  modelLevel: z.array(field.dict('MODEL_LEVEL')).optional(),
  memberLevel: z.array(field.dict('MEMBER_LEVEL')).optional(),
  incomingChannel: field.text().optional(),
  promotionChannel: field.text().optional(),
  auditorNo: z.array(field.user()).optional(),
  applyTime: field.dateRange().optional(),
}
