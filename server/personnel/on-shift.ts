import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../db/database.ts'

type Frag = RawBuilder<unknown>

const signedInMinutes = 15

/** Whether user `u` is on duty and by what: leave before a supervisor's word, and that before the console, signed in and seen lately. */
export const onShift = (tx: Tx, override: Frag = sql`'scheduled'::text`): { onShift: Frag; shiftSource: Frag } => {
  const onLeave = sql`exists (
    select 1 from leave_apply l where l.user_no = u.user_no and l.leave_status = 'approved' and l.start_time <= ${tx.now} and l.end_time > ${tx.now})`
  const signedIn = sql`exists (
    select 1 from session s where s.user_no = u.user_no and s.ended_time is null and s.last_seen_time > ${new Date(tx.now.getTime() - signedInMinutes * 60_000)})`
  return {
    onShift: sql`case when ${onLeave} then false when ${override} = 'on' then true when ${override} = 'off' then false else ${signedIn} end`,
    shiftSource: sql`case when ${onLeave} then 'leave' when ${override} <> 'scheduled' then 'override' else 'signed_in' end`,
  }
}
