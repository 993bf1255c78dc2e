import { dictionary } from '../fields.ts'

export const cancelReasons = dictionary('CANCEL_REASON', ['customer_withdrew', 'duplicate', 'test', 'other'])
export const autoCancelReasons = dictionary('AUTO_CANCEL_REASON', ['credit_expired', 'payout_reversed'])
