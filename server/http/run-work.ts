import type { Tx } from '../db/database.ts'
import { checked, checkedBefore } from '../rights/rights.ts'
import { begin, type Claim, working } from './idempotency.ts'
import { type Answered, callIn, type Deps, type Held, type Kept } from './kept.ts'
import type { Once } from './run-once.ts'
import type { Served } from './serve.ts'

type Work = Omit<Extract<Served, { kind: 'work' }>, 'kind'>
type Checked = Held & { isChecked?: true; isProven?: boolean }

/** Takes the key and asks what there is to do, or answers what was done under the key before. */
const lookingAt = (one: Work, held: Checked, key: Claim | null) => async (tx: Tx) => {
  const taken = key ? await begin(tx, key) : null
  if (taken && 'stored' in taken) return taken
  const call = callIn(held, tx)
  if (!held.isChecked) await checked(one.endpoint, call)
  return { lease: taken?.lease, prepared: await one.before(call) }
}

/**
 * Looks and refuses, works with nothing held open, then notes what came of it. The key is taken before the work, so that of two
 * at once one works and the other is refused, and a replay never works.
 */
export const workingWith =
  ({ db }: Deps, kept: Kept, once: Once) =>
  async (one: Work, held: Checked, key: Claim | null): Promise<Answered> => {
    const begun = await db.withTx(lookingAt(one, held, key)).catch((error: unknown) => kept(held.request, key, error))
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
export type Worked = ReturnType<typeof workingWith>
