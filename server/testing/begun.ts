import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { instances } from '../invariants/machine-tables.ts'

const tables = ['fund_account', 'auto_write_off_config']

/** Gives items that a fixture wrote as rows the history that made them: created, and enabled where they are. */
export const begunItems = async (tx: Tx): Promise<void> => {
  for (const { id, table, key } of instances.filter(one => tables.includes(one.table)))
    for (const [event, from, to] of [
      ['item.create', '∅', 'disabled'],
      ['item.enable', 'disabled', 'enabled'],
    ] as const)
      await tx.exec(sql`
        insert into state_transition (machine, object_no, event, from_state, to_state, actor, request_id, at)
        select ${id}, x.${sql.ref(key)}, ${event}, ${from}, ${to}, 'fixture', 'fixture', ${tx.now} from ${sql.table(table)} x
        where (${to} = 'disabled' or x.enabled = 'enabled')
          and not exists (select 1 from state_transition t where t.machine = ${id} and t.object_no = x.${sql.ref(key)} and t.event = ${event})`)
}

/** A state that a test sets by itself, past the guard of its column. */
export const switched = (to: string): RawBuilder<string> =>
  sql<string>`case when set_config('app.transition', 'on', true) = 'on' then ${to} end`
