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

/** What quantities are counted in. */
export const units = dictionary('CONSUMPTION_UNIT', ['order', 'query', 'part', 'minute', 'payment'])
