import { sql } from 'kysely'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { TrackingEvent } from '../../../../core/contract/portal/tracking.ts'
import type { Database, Tx } from '../../../db/database.ts'
import { json } from '../../../db/json.ts'
import type { Log } from '../../../log.ts'
import { hashToken } from '../../../session/session.ts'

const maxBytes = 8_192
/** A slow database makes events be dropped, not pile up. */
const atOnce = 50

/** Pages that somebody opens and leaves in a working day, many times over. */
const perSession = { points: 5_000, duration: 12 * 3_600 }

const store = async (tx: Tx, text: string, limiter: RateLimiterMemory): Promise<void> => {
  const parsed = TrackingEvent.safeParse(JSON.parse(text))
  if (!parsed.success) return
  const { token, ...payload } = parsed.data
  const session = await tx.maybe(
    sql<{ sessionNo: string }>`select session_no from session where token_hash = ${hashToken(token)}`,
  )
  if (!session) return
  const isWithin = await limiter.consume(session.sessionNo).then(
    () => true,
    () => false,
  )
  if (isWithin)
    await tx.exec(sql`
      insert into tracking_event (received_time, session_no, payload) values (${tx.now}, ${session.sessionNo}, ${json(payload)})`)
}

/** Notes which pages are opened and left. It never disturbs anybody: what is wrong with an event is its own affair. */
export const tracker = (db: Database, log: Log, limit = perSession) => {
  const limiter = new RateLimiterMemory(limit)
  const running = new Set<Promise<void>>()
  return {
    /** Takes an event and comes back at once. */
    take(text: string): void {
      if (text.length > maxBytes || running.size >= atOnce) return
      const run: Promise<void> = db
        .withTx(tx => store(tx, text, limiter))
        .catch(error => log.debug({ event: 'tracking', err: error }, 'a tracking event was dropped'))
        .finally(() => running.delete(run))
      running.add(run)
    },
    /** When everything taken has been stored. */
    async settled(): Promise<void> {
      await Promise.all(running)
    },
  }
}
export type Tracker = ReturnType<typeof tracker>
