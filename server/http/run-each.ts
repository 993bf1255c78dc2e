import { z } from 'zod'
import { codes } from '../../core/contract/codes.ts'
import type { Envelope } from '../../core/contract/endpoint.ts'
import { text } from '../../core/i18n/server.ts'
import type { Tx } from '../db/database.ts'
import { faultPoint } from '../fault-point.ts'
import { checked, checkedBefore } from '../rights/rights.ts'
import type { Session } from '../session/session.ts'
import { envelope, say } from './envelope.ts'
import { Fault } from './fault.ts'
import { type Claim, finish, resume } from './idempotency.ts'
import { type Answered, callIn, type Deps, type Kept } from './kept.ts'
import type { Once } from './run-once.ts'
import type { Worked } from './run-work.ts'
import { type Call, type Request, type Served, tally } from './serve.ts'

const rowOutput = z.object({})
type Each = Extract<Served, { kind: 'each' }>
type Held = { session: Session; request: Request; input: unknown }
type Runs = { kept: Kept; once: Once; worked: Worked }

/** One row of a command on several: a call of its own under a key of its own. */
const rowOf =
  ({ once, worked }: Runs) =>
  (one: Each, id: string, { prepared, ...held }: Held & { prepared: unknown }, key: Claim): Promise<Answered> => {
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

/** What a command on several rows prepares, once for all of them; what stands under its key already is answered. */
const beginning =
  ({ db }: Deps, kept: Kept) =>
  async (one: Each, held: Held, key: Claim) => {
    const { endpoint } = one
    const call = (tx: Tx) => callIn(held, tx)
    try {
      return await db.withTx(async (tx): Promise<{ stored: string | null; prepared?: unknown }> => {
        const stored = await resume(tx, key)
        if (stored !== null) return { stored }
        await checked(endpoint, call(tx))
        return { stored, prepared: await one.prepare?.(call(tx)) }
      })
    } catch (error) {
      return kept(held.request, key, error)
    }
  }

/** Runs a command on several rows, each in a transaction of its own. */
export const runningEach = (deps: Deps, runs: Runs) => {
  const row = rowOf(runs)
  const begin = beginning(deps, runs.kept)
  return async (one: Each, held: Held, key: Claim): Promise<Answered> => {
    const begun = await begin(one, held, key)
    if ('body' in begun) return begun
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
    await deps.db.withTx(tx => finish(tx, key, body))
    return { body, replayed: false }
  }
}
