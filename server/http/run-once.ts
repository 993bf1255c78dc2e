import { codes } from '../../core/contract/codes.ts'
import type { Endpoint } from '../../core/contract/endpoint.ts'
import { masked, mayHoldSensitive, sensitiveIn } from '../../core/contract/masking.ts'
import { text } from '../../core/i18n/server.ts'
import type { Tx } from '../db/database.ts'
import { hasPosted } from '../money/ledger.ts'
import { writeAudit } from '../rights/audit-rows.ts'
import { checked, provenIn } from '../rights/rights.ts'
import { maySeeInFull, recordOf } from './defence/sensitive-reads.ts'
import { envelope, refusal } from './envelope.ts'
import { Fault } from './fault.ts'
import { type Claim, claim, finish, resume } from './idempotency.ts'
import { type Answered, actorIn, type Deps, type Held, type Kept } from './kept.ts'
import type { Audit, Call } from './serve.ts'

type Begun = Held & { isChecked?: true; isProven?: boolean; isBegun?: true }
type Reading = { endpoint: Endpoint; held: Held; showsFull: boolean }

const inList = (endpoint: Endpoint) => 'row' in endpoint

const finished = ({ endpoint, held: { session, request } }: Reading, answer: unknown, desensitized: boolean) => {
  const listed = inList(endpoint)
  const hides = session !== undefined && (listed || desensitized) && mayHoldSensitive(endpoint.output)
  const who = { inList: listed, desensitized, ...(hides ? { full: session.fullyMasked } : {}) }
  return JSON.stringify(
    envelope(codes.ok, text(request.language, 'errors.ok'), masked(endpoint.output, who, answer) ?? null),
  )
}

/** Whether the caller may see the sensitive values of an answer, as many as there are. */
const inFull = async (tx: Tx, { endpoint, held, showsFull }: Reading, answer: unknown): Promise<boolean> => {
  const { session } = held
  if (!session || session.desensitized) return false
  const kinds = showsFull ? sensitiveIn(endpoint.output, answer) : []
  return kinds.length === 0 || maySeeInFull(tx, actorIn(held), { ...recordOf(endpoint.path, held.input), kinds })
}

const bodyOf = async (tx: Tx, answer: unknown, reading: Reading): Promise<string> =>
  answer instanceof Fault
    ? JSON.stringify(refusal(reading.held.request.language, answer))
    : finished(reading, answer, !(await inFull(tx, reading, answer)))

/** What is kept in place of an answer that is shown once. */
const shownBefore = (language: Held['request']['language']): string =>
  JSON.stringify(refusal(language, new Fault('keyReused', 'errors.shownOnce')))

/**
 * Runs one handler in one transaction with its audit rows; for a command the answer is kept under its key. `isChecked` where an
 * earlier transaction of the call has asked for what it always asks for, `isBegun` where one has taken the key.
 */
export const running =
  ({ db }: Deps, kept: Kept) =>
  async (
    endpoint: Endpoint,
    held: Begun,
    key: Claim | null,
    handle: (call: Call<never>) => Promise<unknown>,
  ): Promise<Answered> => {
    const { session, request } = held
    const showsFull =
      session !== undefined && !session.desensitized && !inList(endpoint) && mayHoldSensitive(endpoint.output)
    const run = async (tx: Tx) => {
      const stored = key && (await (held.isBegun ? resume(tx, key) : claim(tx, key)))
      if (stored) return { body: stored, replayed: true }
      const lines: Audit[] = []
      const actor = actorIn(held)
      const call = {
        input: held.input,
        tx,
        session,
        actor,
        request,
        audit: (line: Audit) => void lines.push(line),
        proven: provenIn(tx, held),
      } as unknown as Call<never>
      if (!held.isChecked) await checked(endpoint, call)
      const answer = await handle(call)
      if (session && !endpoint.money && hasPosted(tx))
        throw new Error(`${endpoint.path} moves money and does not say so`)
      if (endpoint.audit)
        writeAudit(tx, { action: endpoint.audit, path: endpoint.path, actor: (call as Call).actor }, lines)
      const body = await bodyOf(tx, answer, { endpoint, held, showsFull })
      if (key)
        await Promise.all([finish(tx, key, endpoint.shownOnce ? shownBefore(request.language) : body), tx.flush()])
      return { body, replayed: false }
    }
    try {
      // A list is asked for by POST, because its filters are long, and only reads.
      return await (endpoint.audit || endpoint.writes || (endpoint.method === 'POST' && !inList(endpoint)) || showsFull
        ? db.withTx(run)
        : db.read(run))
    } catch (error) {
      return kept(request, key, error)
    }
  }
export type Once = ReturnType<typeof running>
