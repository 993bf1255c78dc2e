import { z } from 'zod'
import { endpoint, noun } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'

/** The ways by which a letter leaves the house. */
export const channelTypes = dictionary('CHANNEL_TYPE', ['sms', 'email'])

/** Why a message did not go: what vendors of texts say, and what mail servers say. */
export const failReasons = dictionary('SMS_FAIL_REASON', [
  'invalid_phone',
  'network_optout',
  'inactive',
  'no_route',
  'balance',
  'sender_refused',
  'vendor_error',
  'mail_refused',
  'mail_unreachable',
])

/** What vendors of texts tell us of those that they took. */
export const smsReport = noun('operation/sms-report', {
  /** A report of one text: stored first, acted on after. The address holds a secret that only the vendor knows. */
  receive: endpoint({
    method: 'POST',
    path: '/callback/sms/{accountNo}/{secret}/report',
    auth: 'anon',
    foreign: { maxBody: 16 * 1024, form: true },
    input: z.looseObject({ accountNo: field.key(), secret: field.key(64) }),
    output: z.object({}),
  }),
})
