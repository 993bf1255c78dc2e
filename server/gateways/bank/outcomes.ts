import type { Money } from '../../../core/rules/money.ts'
import type { Failure, PayoutFailType } from '../gateway.ts'
import { own } from '../read.ts'
import type { BankAnswer, PaymentAnswer, Reasons } from './pain-002.ts'

/** What an answer makes of a payment. `pending`: the bank has it and says nothing definite yet. */
export type BankOutcome =
  | { kind: 'success'; serialNo: string; amount?: Money }
  | (Failure & { amount?: Money })
  | { kind: 'pending'; answerCode: string; amount?: Money }
  | { kind: 'unknown'; answerCode: string; amount?: Money }

/** `GrpSts`: the file as a whole. Any other word leaves it to the payments. */
export const groupStatuses: Readonly<Record<string, 'accepted' | 'failure'>> = { ACTC: 'accepted', RJCT: 'failure' }

/** `TxSts`: one payment. Any other word is unknown. */
export const paymentStatuses: Readonly<Record<string, 'success' | 'failure' | 'pending'>> = {
  ACSC: 'success',
  RJCT: 'failure',
  ACCP: 'pending',
  ACSP: 'pending',
  PDNG: 'pending',
}

/**
 * Reasons of a refusal (external status reasons of ISO 20022). `duplicate`: the bank had it before, and that one may run.
 * Any other word is unknown.
 */
export const rejectReasons: Readonly<Record<string, PayoutFailType | 'duplicate'>> = {
  AC01: 'payee_invalid',
  AC03: 'payee_invalid',
  AC04: 'payee_invalid',
  AC06: 'payee_barred',
  AC14: 'payee_invalid',
  AG01: 'payee_barred',
  AG03: 'config',
  AM02: 'amount_limit',
  AM04: 'our_balance',
  AM05: 'duplicate',
  AM14: 'amount_limit',
  AM21: 'amount_limit',
  BE01: 'name_mismatch',
  BE06: 'payee_invalid',
  CUST: 'other',
  DT01: 'other',
  DU01: 'duplicate',
  DU02: 'duplicate',
  DU03: 'duplicate',
  DU04: 'duplicate',
  DU05: 'duplicate',
  FF01: 'config',
  MD07: 'payee_barred',
  MS02: 'other',
  MS03: 'other',
  NARR: 'other',
  RC01: 'payee_invalid',
  RC04: 'payee_invalid',
  RR04: 'payee_barred',
  TM01: 'other',
}

/** A refusal without a reason still is one; a refusal with an unknown reason proves nothing. */
const refusal = ({ codes, text }: Reasons): BankOutcome => {
  const types = codes.map(code => own(rejectReasons, code))
  const answerCode = codes.join(' ').slice(0, 64) || 'RJCT'
  if (types.includes(undefined) || types.includes('duplicate')) return { kind: 'unknown', answerCode }
  const failType = (types[0] ?? 'other') as PayoutFailType
  return { kind: 'failure', failType, answerCode, answerMessage: text || answerCode }
}

/** What one payment of an answer says. */
export const outcomeOf = ({ status, reasons, serialNo, amount, currency }: PaymentAnswer): BankOutcome => {
  const stated = amount ? { amount } : {}
  if (currency !== undefined && currency !== 'UGX') return { kind: 'unknown', answerCode: `CURRENCY ${currency}` }
  const meaning = own(paymentStatuses, status)
  if (meaning === 'failure') return { ...refusal(reasons), ...stated }
  if (meaning === 'pending') return { kind: 'pending', answerCode: status, ...stated }
  if (meaning === 'success' && serialNo) return { kind: 'success', serialNo, ...stated }
  return { kind: 'unknown', answerCode: meaning === 'success' ? `${status} NO_SERIAL` : status, ...stated }
}

/** What an answer says of every payment of the file that it does not name; null where it says nothing of them. */
export const groupOutcomeOf = ({ status, reasons }: Pick<BankAnswer, 'status' | 'reasons'>): BankOutcome | null => {
  const meaning = own(groupStatuses, status ?? '')
  if (meaning === 'failure') return refusal(reasons)
  return meaning === 'accepted' ? { kind: 'pending', answerCode: String(status) } : null
}
