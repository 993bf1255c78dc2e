import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { eatDate } from '../../core/rules/time.ts'
import type { Tx } from '../db/database.ts'

const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A new number: prefix of its kind, EAT day (YYMMDD), eight random characters, so that it cannot be guessed: `LO2611207K3M9Q2A`. */
export const newNo = (prefix: string, now: Date): string =>
  `${prefix}${eatDate(now).slice(2).replaceAll('-', '')}${[...randomBytes(8)].map(byte => letters[byte & 31]).join('')}`

/** Digits a customer can type into a phone as the reference of a payment. */
export const newPayCode = (): string =>
  `7${(randomBytes(6).readUIntBE(0, 6) % 1_000_000_000).toString().padStart(9, '0')}`

const block = 1000
const taken = new WeakMap<object, { next: number; end: number }>()

/** The next journal number; taken from the database a thousand at a time. */
export const ledgerNumber = async (tx: Tx): Promise<number> => {
  const left = taken.get(tx.database)
  if (left && left.next < left.end) return left.next++
  const { value } = await tx.one(sql<{ value: number }>`select nextval('ledger_number')::bigint as value`)
  const next = value * 1
  taken.set(tx.database, { next: next + 1, end: next + block })
  return next
}
