import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { codes } from '../core/contract/codes.ts'
import type { Tx } from './db/database.ts'
import { Fault } from './fault.ts'

export type Claim = { caller: string; key: string; endpoint: string; bodyHash: string }
export const hashOf = (body: string) => createHash('sha256').update(body).digest('hex')

/** Keys are 16 to 255 printable characters that the caller makes. */
export const isKey = (key: string | undefined): key is string => key !== undefined && /^[\x21-\x7e]{16,255}$/.test(key)

/** Takes the key in the transaction of its effect. Answers the stored text when the same call was finished before. */
export const claim = async (tx: Tx, c: Claim): Promise<string | null> => {
  const fresh = await tx.exec(sql`
    insert into idempotency (caller, idempotency_key, endpoint, body_hash, created_time)
    values (${c.caller}, ${c.key}, ${c.endpoint}, ${c.bodyHash}, ${tx.now}) on conflict do nothing`)
  if (fresh === 1) return null
  const held = await tx.one(sql<{
    endpoint: string
    bodyHash: string
    idempotencyStatus: string
    answer: string | null
  }>`
    select endpoint, body_hash, idempotency_status, answer from idempotency where caller = ${c.caller} and idempotency_key = ${c.key} for update`)
  if (held.endpoint !== c.endpoint || held.bodyHash !== c.bodyHash) throw new Fault('keyReused', 'errors.keyReused')
  if (held.idempotencyStatus !== 'finished' || held.answer === null) throw new Fault('keyRunning', 'errors.keyRunning')
  return held.answer
}

/** {@link claim} for a call of several transactions: what was begun and did not come to its end goes on. */
export const resume = async (tx: Tx, c: Claim): Promise<string | null> => {
  try {
    return await claim(tx, c)
  } catch (error) {
    if (error instanceof Fault && error.code === codes.keyRunning) return null
    throw error
  }
}

/** Keeps the answer as the bytes that are sent. */
export const finish = (tx: Tx, c: Claim, answer: string) =>
  tx.exec(
    sql`update idempotency set idempotency_status = 'finished', answer = ${answer} where caller = ${c.caller} and idempotency_key = ${c.key}`,
  )
