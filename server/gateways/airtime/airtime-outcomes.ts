import type { CallbackHint, PayoutFailType, QueryAnswer, SendAnswer } from '../gateway.ts'
import type { Reply } from '../http-client.ts'
import { fields, httpNone, jsonFields, moneyOf, none, own, text } from '../read.ts'

/** HTTP status of the answer to an order of airtime, where it decides by itself. Any other status is unknown. */
const sendOutcomes: Readonly<Record<string, 'exists' | 'config'>> = { 401: 'config', 403: 'config', 409: 'exists' }

/** `status` of an order. Any other word is unknown. */
const statusOutcomes: Readonly<Record<string, 'success' | 'failure' | 'pending'>> = {
  DELIVERED: 'success',
  REFUSED: 'failure',
  PENDING: 'pending',
}

/** `code` of a refusal. Any other word is `other`. */
const failCodes: Readonly<Record<string, PayoutFailType>> = {
  INVALID_PHONE: 'payee_invalid',
  PHONE_BARRED: 'payee_barred',
  PHONE_LIMIT: 'payee_limit',
  AMOUNT_LIMIT: 'amount_limit',
  FLOAT_SHORT: 'our_balance',
  NOT_ALLOWED: 'config',
}

const refusalOf = (body: Record<string, unknown>) => {
  const answerCode = text(body.code) ?? 'REFUSED'
  const answerMessage = text(body.message) ?? answerCode
  return { kind: 'failure', failType: own(failCodes, answerCode) ?? 'other', answerCode, answerMessage } as const
}

/** Reads the answer to an order. Only a refusal in full (422) says that nothing was delivered. */
export const readSend = (reply: Reply): SendAnswer => {
  if (reply.kind === 'none') return none(reply.reason)
  const body = fields(reply.body)
  const outcome = own(sendOutcomes, String(reply.status))
  if (outcome === 'config') return { ...refusalOf(body), failType: 'config', answerCode: `HTTP_${reply.status}` }
  if (outcome) return { kind: outcome }
  if (reply.status === 422 && text(body.status) === 'REFUSED') return refusalOf(body)
  if (reply.status !== 200 && reply.status !== 202) return httpNone(reply.status, text(body.code))
  const said = own(statusOutcomes, text(body.status) ?? '')
  if (said === 'pending') return { kind: 'accepted' }
  if (said === 'failure') return refusalOf(body)
  // Which phone got how much is read when it is asked about.
  return said === 'success' ? { kind: 'exists' } : none('unreadable')
}

/** Reads what the vendor says of an order that it was asked about. */
export const readQuery = (reply: Reply): QueryAnswer => {
  if (reply.kind === 'none') return none(reply.reason)
  const body = fields(reply.body)
  if (reply.status === 404 && body.code === 'NOT_FOUND') return { kind: 'notFound' }
  if (reply.status !== 200) return httpNone(reply.status, text(body.code))
  const said = own(statusOutcomes, text(body.status) ?? '')
  if (said === 'pending') return { kind: 'pending' }
  if (said === 'failure') return refusalOf(body)
  const [serialNo, payee, amount] = [text(body.serialNo), text(body.phone), moneyOf(body.amount)]
  if (said !== 'success' || !serialNo || !payee || !amount || body.currency !== 'UGX') return none('unreadable')
  return { kind: 'success', serialNo, payee, amount }
}

/** Reads a callback. It carries no signature, so it is only a reason to ask. */
export const readCallback = (raw: string): CallbackHint | null => {
  const body = jsonFields(raw) ?? {}
  const [gatewayRef, phone, status] = [text(body.key), text(body.phone), text(body.status) ?? '']
  if (!gatewayRef || !phone) return null
  const said = own(statusOutcomes, status)
  const amount = moneyOf(body.amount)
  return {
    eventId: [gatewayRef, status, text(body.serialNo) ?? ''].join(':'),
    gatewayRef,
    externalId: text(body.reference) ?? null,
    party: phone,
    ...(amount ? { amount } : {}),
    ...(said === undefined || said === 'pending' ? {} : { claim: said }),
  }
}
