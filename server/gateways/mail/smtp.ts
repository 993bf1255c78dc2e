import { createTransport } from 'nodemailer'
import { refuseInTransaction } from '../../db/in-transaction.ts'
import type { Handed } from '../texts/sms-vendor.ts'
import type { MailVendor } from './mail-vendor.ts'

/** A mail server that takes letters for others (RFC 6409). `url` is `smtp://` or `smtps://` with user and password in it. */
export type Smtp = {
  url: string
  from: string
  /** As lists call it; the host unless given. */
  vendorName?: string
  timeoutMs?: number
  requireTls?: boolean
}

type Failure = Error & { code?: string; responseCode?: number; errno?: string | number; syscall?: string }

/** Before the letter itself was sent: nothing can have arrived. */
const early = new Set(['EDNS', 'EAUTH', 'ENOAUTH', 'ETLS', 'ECONFIG'])
const unreached = /ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOTFOUND/

/** An answer of the server is certain; a connection that broke off says nothing about the letter. */
const handedOf = (failure: Failure): Handed => {
  const { code = '', responseCode = 0, message } = failure
  if (early.has(code) || unreached.test(message)) return { is: 'later', reason: code || 'unreached' }
  if (responseCode >= 500) return { is: 'refused', reason: `smtp ${responseCode}` }
  if (responseCode >= 400) return { is: 'later', reason: `smtp ${responseCode}` }
  return { is: 'unknown', reason: code || 'no answer' }
}

/** Sends letters by SMTP. The number of a letter is in its Message-ID, so that a server that got it twice can tell. */
export const smtp = ({ url, from, vendorName, timeoutMs = 20_000, requireTls = true }: Smtp): MailVendor => {
  const { hostname } = new URL(url)
  const transport = createTransport({
    url,
    requireTLS: requireTls && !url.startsWith('smtps:'),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    vendorName: vendorName ?? hostname,
    senderId: /<([^>]+)>/.exec(from)?.[1] ?? from,
    async send({ messageNo, to, subject, body }) {
      refuseInTransaction('a letter is sent')
      try {
        const messageId = `<${messageNo}@${from.split('@').at(-1)?.replace(/>$/, '')}>`
        const sent = await transport.sendMail({ from, to: { name: '', address: to }, subject, text: body, messageId })
        return { is: 'accepted', vendorRef: sent.messageId ?? messageId, cost: null }
      } catch (error) {
        return handedOf(error as Failure)
      }
    },
  }
}
