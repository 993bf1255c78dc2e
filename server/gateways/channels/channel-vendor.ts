import type { SmsFailure } from '../../../core/rules/message/vendor-mapping.ts'
import { refuseInTransaction } from '../../db/in-transaction.ts'
import type { Enquiry, Handed, Report } from '../texts/sms-vendor.ts'
import { unreached } from '../texts/unreached.ts'

/** Channels besides texts and letters whose vendors take one message by one call. */
export const calledChannels = ['whatsapp', 'voice', 'app_push'] as const
export type CalledChannel = (typeof calledChannels)[number]

/** One message: our number of it, where it goes, and what is read, spoken or shown. */
export type ChannelMessage = {
  messageNo: string
  to: string
  senderId: string
  /** The template that the vendor has approved, by our number of it; null where the words are not of one. */
  template: string | null
  language: string
  title: string
  content: string
}

/** An account with the vendor of a channel. */
export type ChannelAccount = {
  accountNo: string
  channel: CalledChannel
  vendorName: string
  senderId: string
  endpoint?: string
  /** Part of the address to which the vendor reports; undefined where it reports nothing. */
  reportSecret?: string
  vendor: {
    /** @throws while a transaction is open */
    send: (message: ChannelMessage) => Promise<Handed>
    parseReport: (body: Readonly<Record<string, unknown>>) => Report | null
    /** Asks what became of a message, by our number of it. */
    query?: (asked: { messageNo: string }) => Promise<Enquiry>
  }
}

type ChannelAccess = {
  channel: CalledChannel
  baseUrl: string
  apiKey: string
  timeoutMs?: number
  fetch?: typeof fetch
}

/** An account as the settings of the server name it. */
export type ChannelConfig = Pick<ChannelAccess, 'channel' | 'baseUrl' | 'apiKey'> &
  Pick<ChannelAccount, 'senderId' | 'reportSecret'>

/** Refusals by the word of the answer; what stands in no table is unknown, never refused. */
const refusals: Readonly<Record<string, SmsFailure>> = {
  INVALID_RECIPIENT: 'invalid_phone',
  UNREGISTERED: 'inactive',
  OPTED_OUT: 'network_optout',
  TEMPLATE_NOT_APPROVED: 'sender_refused',
  INVALID_SENDER: 'sender_refused',
  INSUFFICIENT_BALANCE: 'balance',
}
const states: Readonly<Record<string, Report['state']>> = {
  accepted: 'submitted',
  sent: 'submitted',
  delivered: 'delivered',
  read: 'delivered',
  answered: 'delivered',
  failed: 'failed',
}

type Answer = { id?: unknown; cost?: unknown; error?: unknown }

const reportOf = ({ id, status, phoneNumber, failureReason }: Readonly<Record<string, unknown>>): Report | null => {
  const state = states[String(status)]
  if (typeof id !== 'string' || !id || !state) return null
  const reason = state === 'failed' ? (refusals[String(failureReason)] ?? 'vendor_error') : null
  return { vendorRef: id, phone: String(phoneNumber ?? '').replace(/^\+/, ''), state, reason }
}

const handedOf = (status: number, body: Answer | undefined): Handed => {
  if (status === 401 || status === 403) return { is: 'refused', reason: 'vendor_error' }
  if (status >= 200 && status < 300 && typeof body?.id === 'string') {
    const cost = typeof body.cost === 'number' && body.cost >= 0 ? body.cost.toFixed(2) : null
    return { is: 'accepted', vendorRef: body.id, cost }
  }
  const reason = status >= 400 && status < 500 ? refusals[String(body?.error)] : undefined
  return reason ? { is: 'refused', reason } : { is: 'unknown', reason: `http ${status}` }
}

/**
 * A vendor of WhatsApp, voice or push messages over HTTPS: `POST /v1/messages` in JSON with a bearer token. Each request carries our number
 * of the message, under which the vendor takes it once; a message without an answer is unknown until a report of it arrives.
 */
export const channelVendor = ({
  baseUrl,
  apiKey,
  channel,
  timeoutMs = 20_000,
  fetch: go = fetch,
}: ChannelAccess): ChannelAccount['vendor'] => ({
  async send({ messageNo, to, senderId, template, language, title, content }) {
    refuseInTransaction('a message is sent')
    const words = { template, language, ...(title ? { title } : {}), content }
    try {
      const response = await go(`${baseUrl}/v1/messages`, {
        method: 'POST',
        headers: {
          ...{ authorization: `Bearer ${apiKey}`, accept: 'application/json', 'content-type': 'application/json' },
          'idempotency-key': messageNo,
        },
        body: JSON.stringify({ reference: messageNo, channel, to, from: senderId, ...words }),
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      })
      return handedOf(response.status, (await response.json().catch(() => undefined)) as Answer | undefined)
    } catch (error) {
      const code = ((error as Error).cause as { code?: string } | undefined)?.code ?? ''
      if (unreached.has(code)) return { is: 'later', reason: code }
      return { is: 'unknown', reason: (error as Error).name === 'TimeoutError' ? 'timeout' : code || 'no answer' }
    }
  },
  async query({ messageNo }) {
    refuseInTransaction('a vendor is asked')
    const response = await go(`${baseUrl}/v1/messages/${encodeURIComponent(messageNo)}`, {
      headers: { authorization: `Bearer ${apiKey}`, accept: 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    }).catch(() => undefined)
    const body = (await response?.json().catch(() => undefined)) as Record<string, unknown> | undefined
    // A page that is not there is no answer of the vendor's: it says so in its own word.
    if (response?.status === 404 && body?.error === 'NOT_FOUND') return { is: 'absent' }
    const report = response?.status === 200 && body ? reportOf(body) : null
    return report ? { is: 'found', report } : { is: 'unknown' }
  },
  parseReport: reportOf,
})
