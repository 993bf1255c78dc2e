import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database, Tx } from '../db/database.ts'
import { isLockTimeout } from '../db/faults.ts'
import { Fault } from './fault.ts'

/** One use of an `Idempotency-Key`: who sent which body to which endpoint. */
export type Claim = { caller: string; key: string; endpoint: string; bodyHash: string }
/** SHA-256 of a body, as lower-case hex. */
export const hashOf = (body: string) => createHash('sha256').update(body).digest('hex')

/** Keys are 16 to 255 printable characters that the caller makes. */
export const isKey = (key: string | undefined): key is string => key !== undefined && /^[\x21-\x7e]{16,255}$/.test(key)

type Held = { endpoint: string; bodyHash: string; answer: string | null; isWorking: boolean }

/** Another call holds the key in an open transaction. */
const running = (error?: unknown) => {
  if (error === undefined || isLockTimeout(error)) return new Fault('keyRunning', 'errors.keyRunning')
  return error
}

/** Inserts the key; answers its earlier use, if any. */
const take = async (tx: Tx, c: Claim): Promise<Held | null> => {
  const fresh = await tx
    .exec(sql`
    insert into idempotency (caller, idempotency_key, endpoint, body_hash, created_time)
    values (${c.caller}, ${c.key}, ${c.endpoint}, ${c.bodyHash}, ${tx.now}) on conflict do nothing`)
    .catch(error => Promise.reject(running(error)))
  if (fresh === 1) return null
  const held = await tx.one(sql<Held>`
    select endpoint, body_hash, answer, coalesce(working_until > clock_timestamp(), false) as is_working
    from idempotency where caller = ${c.caller} and idempotency_key = ${c.key} for update`)
  if (held.endpoint !== c.endpoint || held.bodyHash !== c.bodyHash) throw new Fault('keyReused', 'errors.keyReused')
  return held
}

/** Takes the key in the transaction of its effect. Answers the stored text when the same call was finished before. */
export const claim = async (tx: Tx, c: Claim): Promise<string | null> => {
  const held = await take(tx, c)
  if (held && held.answer === null) throw running()
  return held?.answer ?? null
}

/** {@link claim} for a call of several transactions: an unfinished call is resumed. */
export const resume = async (tx: Tx, c: Claim): Promise<string | null> => (await take(tx, c))?.answer ?? null

const leaseMs = 15_000

/** End of a lease on the key, as text; it identifies the lease. */
export type Lease = string

const lease = async (tx: Tx, c: Claim, held: Lease | null): Promise<Lease | null> => {
  const taken = await tx.maybe(sql<{ until: string }>`
    update idempotency set working_until = clock_timestamp() + make_interval(secs => ${leaseMs / 1000})
    where caller = ${c.caller} and idempotency_key = ${c.key} and answer is null and (${held}::text is null or working_until::text = ${held})
    returning working_until::text as until`)
  return taken?.until ?? null
}

/**
 * {@link claim} for a call that works with no transaction open: it is committed before the work, so that the same call is refused
 * while the work goes on, in whatever process, and answered with what was stored when it is done.
 */
export const begin = async (tx: Tx, c: Claim): Promise<{ stored: string } | { lease: Lease }> => {
  const held = await take(tx, c)
  if (held?.answer != null) return { stored: held.answer }
  if (held?.isWorking) throw running()
  return { lease: (await lease(tx, c, null)) as Lease }
}

/** Keeps a lease alive while the work goes on; `end` lets the key go, unless it is answered or another has taken it over. */
export const working = (db: Pick<Database, 'withTx'>, c: Claim, first: Lease) => {
  let held: Lease | null = first
  let last: Promise<void> = Promise.resolve()
  const renew = async () => {
    held = await db.withTx(tx => lease(tx, c, held)).catch(() => held)
  }
  const timer = setInterval(() => {
    last = last.then(() => (held === null ? undefined : renew()))
  }, leaseMs / 3)
  timer.unref()
  const stop = () => {
    clearInterval(timer)
    return last
  }
  const end = async () => {
    await stop()
    if (held === null) return
    await db.withTx(tx =>
      tx.exec(sql`
        update idempotency set working_until = null
        where caller = ${c.caller} and idempotency_key = ${c.key} and working_until::text = ${held}`),
    )
  }
  return { stop, end }
}

/** Keeps the answer as the bytes that are sent. */
export const finish = (tx: Tx, c: Claim, answer: string) =>
  tx.exec(
    sql`update idempotency set idempotency_status = 'finished', answer = ${answer}, working_until = null where caller = ${c.caller} and idempotency_key = ${c.key}`,
  )
