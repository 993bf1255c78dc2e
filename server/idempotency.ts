import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from './db/database.ts'
import { isLockTimeout } from './db/faults.ts'
import { Fault } from './fault.ts'

export type Claim = { caller: string; key: string; endpoint: string; bodyHash: string }
export const hashOf = (body: string) => createHash('sha256').update(body).digest('hex')

/** Keys are 16 to 255 printable characters that the caller makes. */
export const isKey = (key: string | undefined): key is string => key !== undefined && /^[\x21-\x7e]{16,255}$/.test(key)

type Held = { endpoint: string; bodyHash: string; answer: string | null }

/** Somebody else has the key in a transaction that does not end. */
const running = (error?: unknown) => {
  if (error === undefined || isLockTimeout(error)) return new Fault('keyRunning', 'errors.keyRunning')
  return error
}

/** Takes the key; answers who had it before, with the same call. */
const take = async (tx: Tx, c: Claim): Promise<Held | null> => {
  const fresh = await tx
    .exec(sql`
    insert into idempotency (caller, idempotency_key, endpoint, body_hash, created_time)
    values (${c.caller}, ${c.key}, ${c.endpoint}, ${c.bodyHash}, ${tx.now}) on conflict do nothing`)
    .catch(error => Promise.reject(running(error)))
  if (fresh === 1) return null
  const held = await tx.one(sql<Held>`
    select endpoint, body_hash, answer from idempotency where caller = ${c.caller} and idempotency_key = ${c.key} for update`)
  if (held.endpoint !== c.endpoint || held.bodyHash !== c.bodyHash) throw new Fault('keyReused', 'errors.keyReused')
  return held
}

/** Takes the key in the transaction of its effect. Answers the stored text when the same call was finished before. */
export const claim = async (tx: Tx, c: Claim): Promise<string | null> => {
  const held = await take(tx, c)
  if (held && held.answer === null) throw running()
  return held?.answer ?? null
}

/** {@link claim} for a call of several transactions: what was begun and did not come to its end goes on. */
export const resume = async (tx: Tx, c: Claim): Promise<string | null> => (await take(tx, c))?.answer ?? null

/** Keeps the answer as the bytes that are sent. */
export const finish = (tx: Tx, c: Claim, answer: string) =>
  tx.exec(
    sql`update idempotency set idempotency_status = 'finished', answer = ${answer} where caller = ${c.caller} and idempotency_key = ${c.key}`,
  )
