import { stat } from 'node:fs/promises'
import { z } from 'zod'
import { codes } from '../../core/contract/codes.ts'
import type { Endpoint, Envelope } from '../../core/contract/endpoint.ts'
import { masked, mayHoldSensitive, sensitiveIn } from '../../core/contract/masking.ts'
import { text } from '../../core/i18n/server.ts'
import type { Database, Tx } from '../db/database.ts'
import { isLockTimeout, isUnstorable, TransactionConflict } from '../db/faults.ts'
import { faultPoint } from '../fault-point.ts'
import type { Log } from '../log.ts'
import { hasPosted } from '../money/ledger.ts'
import type { Actor } from '../rights/actor.ts'
import { writeAudit } from '../rights/audit-rows.ts'
import { checked, checkedBefore, provenIn } from '../rights/rights.ts'
import { actorOf, type Session } from '../session/session.ts'
import { maySeeInFull, recordOf } from './defence/sensitive-reads.ts'
import { envelope, refusal, say } from './envelope.ts'
import { Fault, notFound } from './fault.ts'
import { begin, type Claim, claim, finish, resume, working } from './idempotency.ts'
import { type Audit, type Call, type Download, type Request, type Served, tally } from './serve.ts'

/** An answer as it is stored under its key; `replayed` when it was stored by an earlier call. */
export type Answered = { body: string; replayed: boolean }
/** What goes out: an envelope, or a file. */
export type Reply = Answered | { file: Download }

/** Refusals that are not kept under a key: the same call may yet succeed. */
export const notKept: ReadonlySet<number> = new Set([
  codes.keyReused,
  codes.keyRunning,
  codes.needsConfirmation,
  codes.stepUp,
])
const rowOutput = z.object({})

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    found => found.isFile(),
    () => false,
  )

const actorIn = ({ session, request }: { session?: Session; request: Request }): Actor =>
  session
    ? actorOf(session, request)
    : { no: 'anonymous', name: 'anonymous', requestId: request.requestId, ip: request.ip }

/** Runs handlers: their transactions, audit rows, keys and answers. */
export const runner = ({ db, log }: { db: Database; log: Log }) => {
  /** Keeps a refusal under the key of its command, so that the same call is answered the same; what may yet succeed is not kept. */
  const kept = async (request: Request, key: Claim | null, error: unknown): Promise<Answered> => {
    if (isLockTimeout(error) || error instanceof TransactionConflict) throw new Fault('stateConflict', 'errors.busy')
    const fault = isUnstorable(error) ? new Fault('validation', 'validation.wrongValue') : error
    if (fault !== error) log.warn({ err: error, requestId: request.requestId }, 'a value cannot be stored')
    if (!(fault instanceof Fault) || !key || notKept.has(fault.code)) throw fault
    const body = JSON.stringify(refusal(request.language, fault))
    return db.withTx(async tx => {
      const stored = await resume(tx, key)
      if (stored) return { body: stored, replayed: true }
      await finish(tx, key, body)
      return { body, replayed: false }
    })
  }

  /**
   * Runs one handler in one transaction with its audit rows; for a command the answer is kept under its key. `isChecked` where an
   * earlier transaction of the call has asked for what it always asks for, `isBegun` where one has taken the key.
   */
  const once = async (
    endpoint: Endpoint,
    held: { session?: Session; request: Request; input: unknown; isChecked?: true; isProven?: boolean; isBegun?: true },
    key: Claim | null,
    handle: (call: Call<never>) => Promise<unknown>,
  ): Promise<Answered> => {
    const { session, request } = held
    const inList = 'row' in endpoint
    const finished = (answer: unknown, desensitized: boolean) =>
      JSON.stringify(
        envelope(
          codes.ok,
          text(request.language, 'errors.ok'),
          masked(endpoint.output, { inList, desensitized }, answer) ?? null,
        ),
      )
    const showsFull = session !== undefined && !session.desensitized && !inList && mayHoldSensitive(endpoint.output)
    const inFull = async (tx: Tx, answer: unknown): Promise<boolean> => {
      if (!session || session.desensitized) return false
      const kinds = showsFull ? sensitiveIn(endpoint.output, answer) : []
      return kinds.length === 0 || maySeeInFull(tx, actorIn(held), { ...recordOf(endpoint.path, held.input), kinds })
    }
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
      const body =
        answer instanceof Fault
          ? JSON.stringify(refusal(request.language, answer))
          : finished(answer, !(await inFull(tx, answer)))
      if (key) await Promise.all([finish(tx, key, body), tx.flush()])
      return { body, replayed: false }
    }
    try {
      // A list is asked for by POST, because its filters are long, and only reads.
      return await (endpoint.audit || endpoint.writes || (endpoint.method === 'POST' && !inList) || showsFull
        ? db.withTx(run)
        : db.read(run))
    } catch (error) {
      return kept(request, key, error)
    }
  }

  const callIn = (held: { session?: Session; request: Request; input: unknown }, tx: Tx) =>
    ({
      ...held,
      tx,
      actor: actorIn(held),
      audit: () => undefined,
      proven: provenIn(tx, held),
    }) as unknown as Call<never>

  /**
   * Looks and refuses, works with nothing held open, then notes what came of it. The key is taken before the work, so that of two
   * at once one works and the other is refused, and a replay never works.
   */
  const worked = async (
    one: Omit<Extract<Served, { kind: 'work' }>, 'kind'>,
    held: { session?: Session; request: Request; input: unknown; isChecked?: true; isProven?: boolean },
    key: Claim | null,
  ): Promise<Answered> => {
    const look = async (tx: Tx) => {
      const taken = key ? await begin(tx, key) : null
      if (taken && 'stored' in taken) return taken
      const call = callIn(held, tx)
      if (!held.isChecked) await checked(one.endpoint, call)
      return { lease: taken?.lease, prepared: await one.before(call) }
    }
    const begun = await db.withTx(look).catch((error: unknown) => kept(held.request, key, error))
    if ('body' in begun) return begun
    if ('stored' in begun) return { body: begun.stored, replayed: true }
    const leased = key && begun.lease ? working(db, key, begun.lease) : null
    const finishing = async () => {
      let done: unknown
      try {
        done = await one.work(begun.prepared as never, held.request)
      } catch (error) {
        return kept(held.request, key, error)
      }
      await leased?.stop()
      const since = { ...checkedBefore(one.endpoint, held), isBegun: true as const }
      return once(one.endpoint, since, key, call => one.handle(call, done as never))
    }
    try {
      return await finishing()
    } catch (error) {
      await leased?.end()
      throw error
    } finally {
      await leased?.stop()
    }
  }

  /** One row of a command on several: a call of its own under a key of its own. */
  const row = (
    one: Extract<Served, { kind: 'each' }>,
    id: string,
    { prepared, ...held }: { session: Session; request: Request; input: unknown; prepared: unknown },
    key: Claim,
  ): Promise<Answered> => {
    const endpoint = { ...one.endpoint, output: rowOutput }
    const since = checkedBefore(one.endpoint, held)
    const { slow } = one
    if (!slow)
      return once(endpoint, since, key, async call => {
        await one.handle(id, call, prepared as never)
        return {}
      })
    const handle = async (call: Call<never>, done: never) => {
      await one.handle(id, call, done)
      return {}
    }
    return worked({ endpoint, before: call => slow.before(id, call), work: slow.work, handle }, since, key)
  }

  const each = async (
    one: Extract<Served, { kind: 'each' }>,
    held: { session: Session; request: Request; input: unknown },
    key: Claim,
  ): Promise<Answered> => {
    const { endpoint } = one
    const call = (tx: Tx) => callIn(held, tx)
    let begun: { stored: string | null; prepared?: unknown }
    try {
      begun = await db.withTx(async tx => {
        const stored = await resume(tx, key)
        if (stored !== null) return { stored }
        await checked(endpoint, call(tx))
        return { stored, prepared: await one.prepare?.(call(tx)) }
      })
    } catch (error) {
      return kept(held.request, key, error)
    }
    if (begun.stored !== null) return { body: begun.stored, replayed: true }
    const { prepared } = begun
    const rows = []
    for (const id of one.ids(held.input as never, prepared as never)) {
      if (rows.length) await faultPoint('mid-batch')
      try {
        const answered = await row(one, id, { ...held, prepared }, { ...key, key: `${key.key}#${id}` })
        const { code, msg } = JSON.parse(answered.body) as Envelope
        rows.push({ id, code, msg })
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        if (error.code === codes.keyReused || error.code === codes.keyRunning) throw error
        rows.push({ id, code: error.code, msg: say(held.request.language, error) })
      }
    }
    const body = JSON.stringify(envelope(codes.ok, text(held.request.language, 'errors.ok'), tally(rows)))
    await db.withTx(tx => finish(tx, key, body))
    return { body, replayed: false }
  }

  /** Commits what the handler notes, then hands the file out. One that is lost was asked for all the same. */
  const download = async (
    one: Extract<Served, { kind: 'file' }>,
    held: { session: Session; request: Request; input: unknown },
  ): Promise<Reply> => {
    const actor = actorOf(held.session, held.request)
    const file = await db.withTx(tx => {
      const audit = (line: Audit) => writeAudit(tx, { action: one.action, path: one.endpoint.path, actor }, [line])
      return one.handle({ ...held, tx, actor, audit } as unknown as Call<never>)
    })
    if ('path' in file && !(await isThere(file.path))) throw notFound()
    return { file }
  }
  return { once, each, worked, download }
}
