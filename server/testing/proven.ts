import { type RawBuilder, sql } from 'kysely'
import { payoutChannel } from '../../core/rules/machines/after-loan/payout-channel.ts'
import type { Database, Tx } from '../db/database.ts'
import { instances } from '../invariants/machine-tables.ts'
import { sweep } from '../invariants/sweep.ts'

/** Closes a database of tests; throws when it breaks an invariant, unless its rows are `handmade`: not what commands would have made. */
export const closeProven = async (db: Database, { handmade }: { handmade?: true } = {}): Promise<void> => {
  try {
    const broken = handmade ? [] : await sweep(db)
    if (broken.length === 0) return
    const said = broken.map(({ name, rule, rows }) => `${name}: ${rule}\n${JSON.stringify(rows.slice(0, 3))}`)
    throw new Error(`the invariants do not hold after this file\n${said.join('\n')}`)
  } finally {
    await db.close()
  }
}

/** Rows of history that no command wrote. */
const byFixture = 'fixture'
const tables = ['fund_account', 'auto_write_off_config', 'merchant_config', 'consumption_type']

/** Gives items that a fixture wrote as rows the history that made them: created, and enabled where they are. */
export const begunItems = async (tx: Tx): Promise<void> => {
  for (const { id, table, key } of instances.filter(one => tables.includes(one.table)))
    for (const [event, from, to] of [
      ['item.create', '∅', 'disabled'],
      ['item.enable', 'disabled', 'enabled'],
    ] as const)
      await tx.exec(sql`
        insert into state_transition (machine, object_no, event, from_state, to_state, actor, request_id, at)
        select ${id}, x.${sql.ref(key)}, ${event}, ${from}, ${to}, 'fixture', ${byFixture}, ${tx.now} from ${sql.table(table)} x
        where (${to} = 'disabled' or x.enabled = 'enabled')
          and not exists (select 1 from state_transition t where t.machine = ${id} and t.object_no = x.${sql.ref(key)} and t.event = ${event})`)
  await tx.exec(sql`
    insert into state_transition (machine, object_no, event, from_state, to_state, actor, request_id, at)
    select ${payoutChannel.id}, x.channel, 'channel.create', '∅', 'open', 'fixture', ${byFixture}, ${tx.now} from channel x
    where not exists (select 1 from state_transition t where t.machine = ${payoutChannel.id} and t.object_no = x.channel and t.event = 'channel.create')`)
}

/** A state that a test sets by itself, past the guard of its column. */
export const switched = (to: string): RawBuilder<string> =>
  sql<string>`case when set_config('app.transition', 'on', true) = 'on' then ${to} end`

/** Lifts the pause of every channel past its guard, with the history that leads there. */
export const reopened = async (tx: Tx): Promise<void> => {
  await tx.exec(sql`update channel set pause_status = ${switched('open')} where pause_status <> 'open'`)
  await tx.exec(sql`
    insert into state_transition (machine, object_no, event, from_state, to_state, actor, request_id, at)
    select ${payoutChannel.id}, c.channel, 'channel.resume', 'paused', 'open', 'fixture', ${byFixture}, ${tx.now} from channel c
    where 'paused' = (
      select t.to_state from state_transition t where t.machine = ${payoutChannel.id} and t.object_no = c.channel order by t.transition_no desc limit 1)`)
}
