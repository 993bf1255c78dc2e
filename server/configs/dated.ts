import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { Config } from '../../core/contract/config.ts'
import { metaOf } from '../../core/contract/fields.ts'

type Frag = RawBuilder<unknown>

/** The versions of an item that its row shows: the one in force, and the newest that is not yet. */
export const datedJoins = (config: Config, key: Frag): Record<string, Frag> => {
  if (!config.versionMachine) return {}
  const table = sql.table(config.versionMachine.table)
  const item = sql.ref(config.machine.key)
  return {
    v: sql`left join ${table} v on v.${item} = ${key} and v.version_status = 'effective'`,
    next_version: sql`left join lateral (
      select n.version_status, n.effective_time from ${table} n
      where n.${item} = ${key} and n.version_status in ('draft', 'pending', 'rejected', 'scheduled')
      order by n.version_status = 'scheduled', n.created_time desc limit 1) next_version on true`,
  }
}

/** A field of what a version holds, as the list reads and compares it. */
const columnOf = (name: string, schema: z.ZodType): Frag => {
  const meta = metaOf(schema)
  if (meta.many || ['rows', 'texts', 'json', 'weekDays'].includes(meta.kind)) return sql`v.content -> ${sql.lit(name)}`
  const text = sql`(v.content ->> ${sql.lit(name)})`
  if (meta.kind === 'flag') return sql`${text}::boolean`
  return ['int', 'minutes', 'seconds'].includes(meta.kind) ? sql`${text}::int` : text
}

/** What the row of an item says of its versions. */
export const datedColumns = (config: Config): Record<string, Frag> =>
  config.versions
    ? {
        ...Object.fromEntries(
          Object.entries(config.versions.form).map(([name, schema]) => [name, columnOf(name, schema as z.ZodType)]),
        ),
        versionNo: sql`v.version_no`,
        effectiveTime: sql`v.effective_time`,
        nextStatus: sql`next_version.version_status`,
        nextTime: sql`next_version.effective_time`,
      }
    : {}
