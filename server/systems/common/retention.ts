import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Tx } from '../../db/database.ts'
import type { Step } from '../../jobs/scheduler.ts'
import type { Module } from '../../module.ts'

const configKey = 'RETENTION'
const Days = z.object({
  messages: z.int().min(1).default(90),
  tracking: z.int().min(1).default(180),
  callbacks: z.int().min(30).default(180),
  /** Answers are given again for at least a week. */
  keys: z.int().min(7).default(30),
  /** Codes by e-mail and text, with what was sent of them. */
  codes: z.int().min(7).default(90),
  sessions: z.int().min(30).default(90),
})

/** Days that are kept, from the business configuration. */
const daysOf = async (tx: Tx) => {
  const row = await tx.maybe(
    sql<{ given: unknown }>`select config_value as given from business_config where config_key = ${configKey}`,
  )
  return Days.parse(row?.given ?? {})
}

/** Rows of one table that go in one transaction: nobody waits for them. */
const chunkSize = 5_000

type Table = { name: string; table: string; over: RawBuilder<unknown> }

/** What goes, table by table. */
const tablesOf = async (tx: Tx): Promise<readonly Table[]> => {
  const days = await daysOf(tx)
  const before = (count: number): RawBuilder<Date> => sql<Date>`${new Date(tx.now.getTime() - count * 86_400_000)}`
  return [
    {
      name: 'messages',
      table: 'staff_message',
      over: sql`read_time is not null and created_time < ${before(days.messages)}`,
    },
    { name: 'tracking', table: 'tracking_event', over: sql`received_time < ${before(days.tracking)}` },
    { name: 'callbacks', table: 'inbound_event', over: sql`received_time < ${before(days.callbacks)}` },
    { name: 'keys', table: 'idempotency', over: sql`created_time < ${before(days.keys)}` },
    { name: 'challenges', table: 'login_challenge', over: sql`expires_time < ${before(1)}` },
    {
      name: 'throttles',
      table: 'login_throttle',
      over: sql`window_start < ${before(2)} and (locked_until is null or locked_until < ${before(2)})`,
    },
    { name: 'codes', table: 'verify_code', over: sql`expires_time < ${before(days.codes)}` },
    {
      name: 'codeMessages',
      table: 'message',
      over: sql`object_type = 'verifyCode' and created_time < ${before(days.codes)}
        and not exists (select 1 from verify_code c where c.message_no = message.message_no)`,
    },
    { name: 'lifts', table: 'verify_code_lift', over: sql`until_time < ${before(days.codes)}` },
    { name: 'reports', table: 'sms_report', over: sql`received_time < ${before(days.callbacks)}` },
    { name: 'handoffs', table: 'handoff_code', over: sql`expires_time < ${before(1)}` },
    { name: 'embedTokens', table: 'embed_token', over: sql`ended_time < ${before(30)}` },
    { name: 'proofs', table: 'step_up', over: sql`expires_time < ${before(1)}` },
    // A session that nobody ended has ended by itself within a day.
    {
      name: 'sessions',
      table: 'session',
      over: sql`last_seen_time < ${before(days.sessions)}
        and not exists (select 1 from step_up p where p.session_no = session.session_no)`,
    },
    { name: 'events', table: 'user_event', over: sql`created_time < now() - interval '1 day'` },
  ]
}

const chunk = async (tx: Tx, { cursor }: { cursor: string | null }): Promise<Step> => {
  const tables = await tablesOf(tx)
  const at = Number(cursor ?? 0)
  const { name, table, over } = tables[at] as Table
  const rows = sql.table(table)
  const gone = await tx.exec(
    sql`delete from ${rows} where ctid = any(array(select ctid from ${rows} where ${over} limit ${chunkSize}))`,
  )
  const next = gone < chunkSize ? at + 1 : at
  return { cursor: next < tables.length ? String(next) : null, counts: { [name]: gone } }
}

/** Removes what nobody needs any more: messages long read, tracking events, callbacks, answers kept under keys, attempts to sign in, codes that were sent, sessions and proofs that are over, and events that no console can still ask for. */
export const retentionModule = (): Module => ({
  served: [],
  chunked: [{ job: 'retention', dailyAt: '02:00', chunk }],
})
