import { type SmsFailure, smsFailures } from '../../../../core/rules/message/vendor-mapping.ts'
import type { Handed, Report } from '../sms-vendor.ts'

/** What the words and codes of one vendor mean, where they are its own: `1025` of an answer, `err:034` of a receipt. */
export type VendorWords = Readonly<Record<string, string>>

/** Codes of SMPP 3.4 that say for certain that a text was not taken, and why. What stands in no table is unknown. */
const refusals: Readonly<Record<number, SmsFailure>> = {
  1: 'vendor_error',
  10: 'sender_refused',
  11: 'invalid_phone',
  69: 'vendor_error',
  72: 'sender_refused',
  73: 'sender_refused',
  80: 'invalid_phone',
  81: 'invalid_phone',
}
/** The queue is full, too many at once: it may be offered again. */
const busy: ReadonlySet<number> = new Set([20, 88])

const failures: ReadonlySet<string> = new Set(smsFailures)
/** A meaning that says why something failed. */
export const failureOf = (meaning: string | undefined): SmsFailure | null =>
  meaning !== undefined && failures.has(meaning) ? (meaning as SmsFailure) : null

/** What the answer to `submit_sm` says when it is not that the text was taken. */
export const refusalOf = (status: number, words: VendorWords): Handed => {
  const own = words[String(status)]
  if (own === 'later' || busy.has(status)) return { is: 'later', reason: `status ${status}` }
  const reason = failureOf(own) ?? refusals[status]
  return reason ? { is: 'refused', reason } : { is: 'unknown', reason: `status ${status}` }
}

/** Answers to a bind after which the same account is refused again. */
export const bindRefused: ReadonlySet<number> = new Set([13, 14, 15])

const states: Readonly<Record<string, Report['state']>> = {
  ACCEPTD: 'submitted',
  UNKNOWN: 'submitted',
  ENROUTE: 'submitted',
  DELIVRD: 'delivered',
  UNDELIV: 'failed',
  EXPIRED: 'failed',
  DELETED: 'failed',
  REJECTD: 'failed',
}
const reasons: Readonly<Record<string, SmsFailure>> = { UNDELIV: 'inactive', EXPIRED: 'inactive' }
/** `message_state` of `query_sm` and of receipts, by its number. */
const stateWords = ['', 'ENROUTE', 'DELIVRD', 'EXPIRED', 'DELETED', 'UNDELIV', 'ACCEPTD', 'UNKNOWN', 'REJECTD']
export const wordOfState = (state: number): string => stateWords[state] ?? ''

/** A receipt in the words in which it is kept. */
export type Receipt = { id: string; status: string; phoneNumber: string; err?: string }

/** A receipt as it stands in the text of `deliver_sm`: `id:… sub:… dlvrd:… submit date:… done date:… stat:DELIVRD err:000`. */
export const receiptIn = (text: string): Omit<Receipt, 'phoneNumber'> | null => {
  const part = (name: string) => new RegExp(`(?:^|\\s)${name}:\\s*(\\S+)`, 'i').exec(text)?.[1]
  const [id, status, err] = [part('id'), part('stat'), part('err')]
  return id && status ? { id, status: status.toUpperCase(), ...(err ? { err } : {}) } : null
}

/** A receipt as a report. */
export const reportOf = (body: Readonly<Record<string, unknown>>, words: VendorWords): Report | null => {
  const { id, status, phoneNumber, err } = body as Partial<Receipt>
  const state = states[String(status)]
  if (typeof id !== 'string' || !id || !state) return null
  const own = failureOf(words[`err:${err}`]) ?? failureOf(words[String(status)])
  const reason = state === 'failed' ? (own ?? reasons[String(status)] ?? 'vendor_error') : null
  return { vendorRef: id, phone: String(phoneNumber ?? '').replace(/^\+/, ''), state, reason }
}
