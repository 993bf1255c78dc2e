import { createHmac, timingSafeEqual } from 'node:crypto'
import { payoutFailure, statusOutcomes } from './airtel-outcomes.ts'
import type { CallbackHint } from './gateway.ts'
import { fields, jsonFields, own, text } from './read.ts'

/** The signature of a callback: HMAC-SHA256 in Base64 over its JSON without the signature itself. */
export const callbackHash = (key: string, body: object): string =>
  createHmac('sha256', key).update(JSON.stringify(body)).digest('base64')

const signatureOf = (body: Record<string, unknown>, key: string | undefined): CallbackHint['signature'] => {
  const { hash, ...signed } = body
  if (key === undefined || hash === undefined) return undefined
  const [given, ours] = [Buffer.from(String(hash)), Buffer.from(callbackHash(key, signed))]
  return given.length === ours.length && timingSafeEqual(given, ours) ? 'good' : 'wrong'
}

/**
 * Reads a callback. It names our reference, the end and the network's number, never an amount. Only a good signature
 * proves what it says; `TA` and `TIP` prove nothing.
 */
export const readCallback = (raw: string, key: string | undefined): CallbackHint | null => {
  const body = jsonFields(raw) ?? {}
  const transaction = fields(body.transaction)
  const id = text(transaction.id)
  const status = text(transaction.status_code) ?? ''
  if (!id) return null
  const serialNo = text(transaction.airtel_money_id)
  const outcome = own(statusOutcomes, status)
  const signature = signatureOf(body, key)
  const claim = outcome === 'pending' ? undefined : outcome
  const hint: CallbackHint = {
    eventId: [id, status, serialNo ?? '', signature ?? ''].join(':'),
    gatewayRef: id,
    externalId: null,
    ...(claim ? { claim } : {}),
    ...(signature ? { signature } : {}),
  }
  if (signature !== 'good') return hint
  if (claim === 'failure') return { ...hint, proved: payoutFailure(text(transaction.code), text(transaction.message)) }
  return claim === 'success' && serialNo ? { ...hint, proved: { kind: 'success', serialNo } } : hint
}
