import type { SmsFailure } from '../../../core/rules/message/vendor-mapping.ts'

/** One text message: our number of it, and what the phone shows. */
export type Sms = { messageNo: string; phone: string; senderId: string; content: string }

/** A refusal that another vendor may not share. */
export const isOfVendor = (reason: string): boolean =>
  ['no_route', 'balance', 'sender_refused', 'vendor_error'].includes(reason)

/** What became of handing a message over. What is not certain is unknown, never refused. */
export type Handed =
  | { is: 'accepted'; vendorRef: string | null; cost: string | null }
  | { is: 'refused'; reason: string }
  /** It certainly was not taken, and may be offered again later: the server was not reached. */
  | { is: 'later'; reason: string }
  | { is: 'unknown'; reason: string }

/** What a vendor says later of a message that it took. */
export type Report = {
  vendorRef: string
  phone: string
  state: 'submitted' | 'delivered' | 'failed'
  reason: SmsFailure | null
}

/** What a vendor answers when it is asked about a message that it may have. */
export type Enquiry =
  | { is: 'found'; report: Report }
  /** It never had it. */
  | { is: 'absent' }
  | { is: 'unknown' }
/** A message as a vendor is asked about it: by its own number where it gave one, by ours where it takes that. */
export type Asked = { messageNo: string; vendorRef: string | null; phone: string; senderId: string }

/** What somebody answered to a text. */
export type Reply = { id: string; from: string; text: string }

/** The one way by which a text leaves the company, by any vendor. */
export type SmsVendor = {
  /** @throws while a transaction is open */
  send: (sms: Sms) => Promise<Handed>
  /** What is left on the account; null where the vendor does not say. */
  balance?: () => Promise<string | null>
  /** A report as the vendor posted it; null for what is none. */
  parseReport: (body: Readonly<Record<string, unknown>>) => Report | null
  /** A reply as the vendor posted it, where it does so in words of its own. */
  parseReply?: (body: Readonly<Record<string, unknown>>) => Reply | null
  /** Asks what became of a message. */
  query?: (asked: Asked) => Promise<Enquiry>
  /** Holds the line open on which reports and replies come. */
  hold?: () => void
  /** Gives the line up. */
  close?: () => void
}

/** The protocols of vendors of texts. */
export const smsKinds = ['africas_talking', 'smpp', 'http'] as const
export type SmsKind = (typeof smsKinds)[number]

/** An account with a vendor: texts go by the first that takes them. */
export type SmsAccount = {
  accountNo: string
  vendorName: string
  senderId: string
  vendor: SmsVendor
  /** The protocol that its vendor speaks; that of Africa's Talking unless given. */
  kind?: SmsKind
  /** Where it is reached. */
  endpoint?: string
  /** Part of the address to which the vendor reports; undefined where it reports nothing. */
  reportSecret?: string
}
