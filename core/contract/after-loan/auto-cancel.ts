import { z } from 'zod'
import { config } from '../config.ts'
import { endpoint, noun, read } from '../endpoint.ts'
import { field } from '../fields.ts'
import { placeFlaw, placeRow, rulePlace } from './rule-place.ts'

const hours = () =>
  z.int().min(1, 'validation.cancelHours').max(720, 'validation.cancelHours').meta({ kind: 'int' }) as z.ZodInt

const form = {
  /** Hours after which an order that waits for its payout ends; none for never. */
  pendingHours: hours().optional(),
  /** The same after a failed payout. */
  failedHours: hours().optional(),
  /** The same while the customer may correct the account. */
  reWithdrawalHours: hours().optional(),
}

const change = 'fund:autoCancel:save'

/** How long an approved loan that cannot be paid out waits before it is cancelled. */
export const autoCancels = config({
  name: 'autoCancel',
  path: '/payManage/autoCancel',
  area: 'fund:autoCancel',
  codes: { page: 'fund:payout:page', save: change, enable: change, delete: change },
  table: 'auto_cancel_config',
  key: 'configNo',
  row: {
    ...placeRow,
    pendingHours: hours().nullable(),
    failedHours: hours().nullable(),
    reWithdrawalHours: hours().nullable(),
    /** Orders that the rule waits for now, and those of them that end within a day. */
    waitingOrders: field.int(),
    dueSoon: field.int(),
  },
  form,
  create: rulePlace,
  flaw: placeFlaw,
  filters: { merchantNo: z.array(field.merchant()).optional() },
  sort: ['pendingHours'],
})

const Cancelled = z.object({
  orderNo: field.key(),
  customerName: field.customerName(),
  actualLoanAmount: field.money(),
  /** The state it had waited in. */
  fromStatus: field.openDict('ORDER_STATUS'),
  cancelTime: field.time(),
})

/** Calls of automatic cancellation: those of the config, what it would cancel, and what it cancelled. */
export const autoCancel = noun('after-loan/auto-cancel', {
  ...autoCancels.calls,
  /** Orders that would be cancelled at the next run. */
  preview: endpoint({
    method: 'POST',
    path: '/payManage/autoCancel/preview',
    perm: autoCancels.codes.page,
    input: z.strictObject({ ...rulePlace, ...form }),
    output: z.object({ orders: field.int(), amount: field.money() }),
  }),
  /** What a rule cancelled in the last 30 days, the newest first. */
  cancelled: read('/payManage/autoCancel/cancelled', {
    perm: autoCancels.codes.page,
    input: { configNo: field.key() },
    output: z.object({ list: z.array(Cancelled).max(100) }),
  }),
})
