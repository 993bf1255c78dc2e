import { dictionary } from '../fields.ts'

/** What can be charged: each is counted where it happens. */
export const meters = dictionary('CONSUMPTION_METER', [
  'order_accepted',
  'machine_review',
  'bureau_query',
  'face_check',
  'sms_part',
  'call_minute',
  'robot_call_minute',
  'payout',
  'repayment_link',
])
/** One thing that can be charged. */
export type Meter = (typeof meters)['values'][number]

/** What customers are owed whatever is left of a wallet: an order that was taken is decided and paid out, and can be repaid. */
export const neverStopped: readonly Meter[] = ['machine_review', 'payout', 'repayment_link']

/** What quantities are counted in. */
export const units = dictionary('CONSUMPTION_UNIT', ['order', 'query', 'part', 'minute', 'payment'])
