import { z } from 'zod'
import type { StateOf } from '../../rules/machines/machine.ts'
import { order } from '../../rules/machines/order/order.ts'
import { dictionary, field, type ValueOf } from '../fields.ts'
import { loanKinds, memberLevels, modelLevels } from './levels.ts'

/** Groups of order states for the filter of every order list. */
export const orderStatusTypes = dictionary('ORDER_STATUS_TYPE', [
  'reviewing',
  'refused',
  'disbursing',
  'in_loan',
  'finished',
  'void',
])

/** Filters that every order list shares. */
export const orderFilters = {
  orderNo: field.key(200).optional(),
  thirdOrderNo: field.key(64).optional(),
  customerName: z.string().trim().min(2).max(64).optional().meta({ kind: 'customerName' }),
  phone: field.phone().optional(),
  idNumber: field.idNumber().optional(),
  merchantNo: z.array(field.merchant()).optional(),
  productNo: z.array(field.product()).optional(),
  orderStatusType: field.dict(orderStatusTypes).optional(),
  orderStatus: z.array(field.state(order)).optional(),
  loanKind: field.dict(loanKinds).optional(),
  modelLevel: z.array(field.dict(modelLevels)).optional(),
  memberLevel: z.array(field.dict(memberLevels)).optional(),
  incomingChannel: field.text().optional(),
  promotionChannel: field.text().optional(),
  auditorNo: z.array(field.user('auditor')).optional(),
  applyTime: field.dateRange().optional(),
}

/** The statuses behind each group of the two-level order filter. */
export const statusesOfType: Record<ValueOf<typeof orderStatusTypes>, readonly StateOf<typeof order>[]> = {
  reviewing: ['machine_reviewing', 'to_be_allocated', 'pending_review'],
  refused: ['machine_refused', 'approval_rejected'],
  disbursing: ['pending_disbursement', 'remitting', 'loan_failed', 're_withdrawal_allowed'],
  in_loan: ['funds_disbursed'],
  finished: ['settled'],
  void: ['cancelled'],
}
