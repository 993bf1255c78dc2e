import { z } from 'zod'
import { smsFailures } from '../../rules/message/vendor-mapping.ts'
import { endpoint, noun } from '../endpoint.ts'
import { dictionary } from '../fields.ts'

/** The ways by which a letter leaves the company. */
export const channelTypes = dictionary('CHANNEL_TYPE', ['sms', 'app_push', 'email', 'voice', 'phone_sms', 'whatsapp'])

/** Why a message did not go: what vendors of texts say, and what mail servers say. */
export const failReasons = dictionary('SMS_FAIL_REASON', [...smsFailures, 'mail_refused', 'mail_unreachable'])

/** The account and the secret that stand in the address of a vendor's calls. */
const address = {
  accountNo: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,40}$/)
    .meta({ kind: 'key', example: 'sms-1' }),
  secret: z
    .string()
    .regex(/^[A-Za-z0-9_.-]+$/)
    .min(8)
    .max(64),
}

/** What vendors of texts tell us of those that they took. */
export const smsReport = noun('operation/sms-report', {
  /** What somebody answers to a text of ours: a first word of the words that opt out stops all offers to the number. */
  reply: endpoint({
    method: 'POST',
    path: '/callback/sms/{accountNo}/{secret}/inbound',
    auth: 'anon',
    foreign: { maxBody: 16 * 1024, form: true },
    input: z.looseObject({
      ...address,
      /** As most vendors name them; those that stand elsewhere are found as the account says. */
      id: z.string().min(1).max(100).optional(),
      from: z.string().min(1).max(20).optional(),
      text: z.string().max(2_000).optional(),
    }),
    output: z.object({}),
  }),
  /** A report of one text: stored first, acted on after. The address holds a secret that only the vendor knows. */
  receive: endpoint({
    method: 'POST',
    path: '/callback/sms/{accountNo}/{secret}/report',
    auth: 'anon',
    foreign: { maxBody: 16 * 1024, form: true },
    input: z.looseObject({
      ...address,
      /** The vendor's number of the text, and what became of it, as most name them; others as the account says. */
      id: z.string().min(1).max(100).optional(),
      status: z.string().min(1).max(40).optional(),
    }),
    output: z.object({}),
  }),
})
