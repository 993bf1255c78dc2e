import { isPositive, isWhole, type Money, money } from '../../core/rules/money.ts'
import { moneyFormat } from '../../core/rules/text/formats.ts'
import { GatewayUnavailable, type NoAnswer } from './gateway.ts'
import type { Reply } from './http-client.ts'

/** A row of an outcome table; a word that only every object knows is none. */
export const own = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined

/** The fields of a JSON object; none for anything else. */
export const fields = (body: unknown): Record<string, unknown> =>
  typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Record<string, unknown>) : {}

/** A word or a number as text; undefined when it is neither or empty. */
export const text = (value: unknown): string | undefined => {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The JSON object in a raw body; undefined when there is none. */
export const jsonFields = (raw: string): Record<string, unknown> | undefined => {
  try {
    return fields(JSON.parse(raw))
  } catch {
    return undefined
  }
}

/** Their amount as ours: two places. Undefined when it is no amount. */
export const moneyOf = (value: unknown): Money | undefined => {
  const amount = text(value) ?? ''
  return moneyFormat.test(amount) ? money(amount) : undefined
}

/** Our amount as theirs: whole shillings without places. */
export const shillings = (amount: Money): string => {
  if (!isWhole(amount) || !isPositive(amount)) throw new RangeError('only whole shillings can be sent')
  return money(amount).slice(0, -3)
}

/** Nothing is known of the call: the outcome stays unknown. */
export const none = (reason: string): NoAnswer => ({ kind: 'none', reason })

/** An answer that says nothing, with the word it came with. */
export const httpNone = (status: number, word: string | undefined): NoAnswer =>
  none([`http ${status}`, word].filter(Boolean).join(' '))

/** A read that moves no money got no usable answer. */
export const unavailable = (what: string, reply: Reply): GatewayUnavailable =>
  new GatewayUnavailable(`${what}: ${reply.kind === 'none' ? reply.reason : `http ${reply.status}`}`)
