import type { SmsFailure } from '../../../core/rules/message/vendor-mapping.ts'
import { refuseInTransaction } from '../../db/in-transaction.ts'
import type { Handed, Report, Sms, SmsVendor } from './sms-vendor.ts'
import { unreached } from './unreached.ts'

export type AfricasTalking = {
  baseUrl: string
  username: string
  apiKey: string
  timeoutMs?: number
  fetch?: typeof fetch
}

/** Status codes of a recipient. What stands in neither table is unknown. */
const taken = new Set([100, 101, 102])
const refusals: Readonly<Record<number, SmsFailure>> = {
  402: 'sender_refused',
  403: 'invalid_phone',
  404: 'invalid_phone',
  405: 'balance',
  406: 'network_optout',
  407: 'no_route',
  409: 'network_optout',
  502: 'vendor_error',
}
/** Refusals of the whole request, by the words of its answer: no recipient is listed then. */
const refusedWhole: Readonly<Record<string, SmsFailure>> = {
  InvalidSenderId: 'sender_refused',
  InsufficientBalance: 'balance',
}

const amountOf = (cost: unknown): string | null => {
  const match = /(\d+(?:\.\d+)?)/.exec(String(cost ?? ''))
  return match ? Number(match[1]).toFixed(2) : null
}

type Recipient = { statusCode?: unknown; messageId?: unknown; cost?: unknown }
type Answer = { SMSMessageData?: { Message?: unknown; Recipients?: unknown } }

const handedOf = (status: number, body: Answer | undefined): Handed => {
  if (status === 401 || status === 403) return { is: 'refused', reason: 'vendor_error' }
  const data = body?.SMSMessageData
  const [recipient] = Array.isArray(data?.Recipients) ? (data.Recipients as Recipient[]) : []
  if (!recipient) {
    const reason = refusedWhole[String(data?.Message)]
    if (reason) return { is: 'refused', reason }
    return status === 400 ? { is: 'refused', reason: 'vendor_error' } : { is: 'unknown', reason: `http ${status}` }
  }
  const code = Number(recipient.statusCode)
  if (taken.has(code) && typeof recipient.messageId === 'string')
    return { is: 'accepted', vendorRef: recipient.messageId, cost: amountOf(recipient.cost) }
  const reason = refusals[code]
  return reason ? { is: 'refused', reason } : { is: 'unknown', reason: `status ${code}` }
}

const failures: Readonly<Record<string, SmsFailure>> = {
  UserInBlackList: 'network_optout',
  UserInBlacklist: 'network_optout',
  InsufficientCredit: 'balance',
  InvalidLinkId: 'vendor_error',
  UserIsInactive: 'inactive',
  UserDoesNotExist: 'invalid_phone',
  UserNotProvisioned: 'inactive',
  UserNotReachable: 'inactive',
  InvalidPhoneNumber: 'invalid_phone',
}
const states: Readonly<Record<string, Report['state']>> = {
  Sent: 'submitted',
  Submitted: 'submitted',
  Buffered: 'submitted',
  Success: 'delivered',
  Failed: 'failed',
  Rejected: 'failed',
}

/**
 * Africa's Talking, https://developers.africastalking.com/docs/sms: a form by HTTPS, one recipient a request. It takes no reference of ours,
 * so a message without an answer is unknown until a report of it arrives.
 */
export const africasTalking = ({
  baseUrl,
  username,
  apiKey,
  timeoutMs = 20_000,
  fetch: go = fetch,
}: AfricasTalking): SmsVendor => ({
  async send({ phone, senderId, content }: Sms) {
    refuseInTransaction('a text is sent')
    const form = new URLSearchParams({ username, to: `+${phone}`, message: content, from: senderId })
    try {
      const response = await go(`${baseUrl}/version1/messaging`, {
        method: 'POST',
        headers: { apiKey, accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
        body: form.toString(),
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      })
      const body = (await response.json().catch(() => undefined)) as Answer | undefined
      return handedOf(response.status, body)
    } catch (error) {
      const code = ((error as Error).cause as { code?: string } | undefined)?.code ?? ''
      if (unreached.has(code)) return { is: 'later', reason: code }
      return { is: 'unknown', reason: (error as Error).name === 'TimeoutError' ? 'timeout' : code || 'no answer' }
    }
  },
  async balance() {
    refuseInTransaction('a balance is asked for')
    const query = new URLSearchParams({ username })
    const response = await go(`${baseUrl}/version1/user?${query}`, {
      headers: { apiKey, accept: 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    }).catch(() => undefined)
    const body = (await response?.json().catch(() => undefined)) as { UserData?: { balance?: unknown } } | undefined
    return amountOf(body?.UserData?.balance)
  },
  parseReport({ id, status, phoneNumber, failureReason }) {
    const state = states[String(status)]
    if (typeof id !== 'string' || !id || !state) return null
    const reason = state === 'failed' ? (failures[String(failureReason)] ?? 'vendor_error') : null
    return { vendorRef: id, phone: String(phoneNumber ?? '').replace(/^\+/, ''), state, reason }
  },
})
