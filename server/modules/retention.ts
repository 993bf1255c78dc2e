import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Tx } from '../db/database.ts'
import type { Module } from '../module.ts'

const configKey = 'RETENTION'
const Days = z.object({ messages: z.int().min(1).default(90), tracking: z.int().min(1).default(180) })

/** Days that are kept, from the business configuration. */
const daysOf = async (tx: Tx) => {
  const row = await tx.maybe(
    sql<{ given: unknown }>`select config_value as given from business_config where config_key = ${configKey}`,
  )
  return Days.parse(row?.given ?? {})
}

const run = async (tx: Tx): Promise<Record<string, number>> => {
  const days = await daysOf(tx)
  const before = (count: number): RawBuilder<Date> => sql<Date>`${new Date(tx.now.getTime() - count * 86_400_000)}`
  return {
    messages: await tx.exec(
      sql`delete from staff_message where read_time is not null and created_time < ${before(days.messages)}`,
    ),
    tracking: await tx.exec(sql`delete from tracking_event where received_time < ${before(days.tracking)}`),
    handoffs: await tx.exec(sql`delete from handoff_code where expires_time < ${before(1)}`),
    embedTokens: await tx.exec(sql`delete from embed_token where ended_time < ${before(30)}`),
    proofs: await tx.exec(sql`delete from step_up where expires_time < ${before(1)}`),
    events: await tx.exec(sql`delete from user_event where created_time < now() - interval '1 day'`),
  }
}

/** Removes what nobody needs any more: messages long read, tracking events, proofs that are over, and events that no console can still ask for. */
export const retentionModule = (): Module => ({
  served: [],
  scheduled: [{ job: 'retention', every: { dailyAt: '02:00' }, run }],
})
