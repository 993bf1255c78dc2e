import { dictionary } from '../fields.ts'

/** Why a person cancels an order. */
export const cancelReasons = dictionary('CANCEL_REASON', ['customer_withdrew', 'duplicate', 'test', 'other'])
/** Why the system cancels an order: its credit decision expired, or its payout came back. */
export const autoCancelReasons = dictionary('AUTO_CANCEL_REASON', [
  'credit_expired',
  'payout_reversed',
  'waited_too_long',
])
