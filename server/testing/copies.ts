import { sql } from 'kysely'
import type { Fixture } from './facts.ts'

/** Copies rows under other keys, with ties and gaps in what they are ordered by; `n` counts the copies. */
export const copied = (fixture: Fixture, table: string, where: string, changes: string, count = 33) =>
  fixture.exec(sql`
    insert into ${sql.table(table)}
    select (jsonb_populate_record(x, ${sql.raw(changes)})).* from ${sql.table(table)} x, generate_series(1, ${count}) n where ${sql.raw(where)}`)

export const prefixed = (...names: string[]) =>
  names.map(name => `'${name}', x.${name} || '-' || n % 7 || '-' || n`).join(', ')
export const at = (name: string) => `'${name}', x.${name} - n % 5 * interval '1 hour'`
export const maybe = (name: string, value: string) => `'${name}', case when n % 3 > 0 then ${value} end`
