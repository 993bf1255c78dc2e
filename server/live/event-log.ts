import { sql } from 'kysely'
import type { LiveEvent } from '../../core/contract/common/live.ts'
import type { Tx } from '../db/database.ts'

/** Everything before it has been sent: a transaction, and the last of its events. As text, the id of an event. */
export type Mark = { xid: number; eventNo: number }

/** A mark as the `id` of a server-sent event. */
export const idOf = ({ xid, eventNo }: Mark): string => `${xid}-${eventNo}`

/** The mark that a client names; null for what is none. */
export const markOf = (id: string | null): Mark | null => {
  const parts = /^(\d{1,15})-(\d{1,15})$/.exec(id ?? '')
  return parts ? { xid: Number(parts[1]), eventNo: Number(parts[2]) } : null
}

/** Whether one mark is behind another in the order of commit. */
export const isAfter = (a: Mark, b: Mark): boolean => a.xid > b.xid || (a.xid === b.xid && a.eventNo > b.eventNo)

/** An event with its receiver: all sessions of a person, or one of them. */
export type Logged = Mark & {
  userNo: string
  sessionNo: string | null
  event: Exclude<LiveEvent['event'], 'ready' | 'queue.changed'>
}

/**
 * Events of some people after a mark, in the order of commit, and the mark behind them. What a transaction that still runs
 * has written comes later, whatever its numbers: nothing is sent before its commit, and nothing is skipped.
 */
export const eventsAfter = async (
  tx: Tx,
  userNos: readonly string[],
  after: Mark | null,
): Promise<{ mark: Mark; events: Logged[] }> => {
  const rows = await tx.rows(sql<Omit<Logged, 'event'> & { mark: number; event: Logged['event'] | null }>`
    with settled as materialized (select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as mark)
    select s.mark, e.xid, e.event_no, e.user_no, e.session_no, e.event
    from settled s left join user_event e on ${after !== null} and e.user_no = any(${[...userNos]})
      and (e.xid, e.event_no) > (${after?.xid ?? 0}, ${after?.eventNo ?? 0}) and e.xid < s.mark
    order by e.xid, e.event_no`)
  const mark = { xid: (rows[0]?.mark ?? 0) * 1, eventNo: 0 }
  return { mark, events: rows.filter((row): row is Logged & { mark: number } => row.event !== null) }
}
