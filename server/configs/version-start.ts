import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { notFound } from '../http/fault.ts'
import type { Scheduled } from '../module.ts'
import { type Actor, system } from '../rights/actor.ts'
import { transition } from '../states/transition.ts'
import type { WarningRule } from '../warnings/rule.ts'
import { partOf } from './config-hooks.ts'
import { changesOf, noteChange } from './history.ts'
import type { Item, Stored, Values, VersionParts } from './version-store.ts'

/** Versions that no job tries to start in one go. */
const startsAtOnce = 100

/** Puts a version in force; the one before it is over at the same moment. */
export const starting = ({ config, given, items, store: { machine, fields, ofItem } }: VersionParts) => {
  const { key } = config
  return async (
    tx: Tx,
    { item, row, event, as, at }: { item: Item; row: Stored; event: string; as: string; at: Date },
    set: Values,
    actor: Actor,
    by: Actor,
  ) => {
    const before = await ofItem(tx, String(item[key]), 'effective')
    // A moment that has passed for another version is not given out again.
    const from = before && Date.parse(String(before.effectiveTime)) >= at.getTime() ? tx.now : at
    if (before)
      await transition(tx, machine, before, { event: 'version.supersede', set: { supersededTime: from } }, actor)
    await transition(tx, machine, row, { event, as, set: { effectiveTime: from, startFault: null, ...set } }, actor)
    await given.started?.(tx, { item, content: row.content as Values })
    await items.touch(tx, item, actor, by)
    const changes = changesOf(fields, before?.content ?? null, row.content)
    noteChange(
      tx,
      config.machine,
      { objectNo: String(item[key]), version: item.version + 1, event: 'version.effective', changes },
      by,
    )
  }
}
type Start = ReturnType<typeof starting>

/** Starts one version whose time has come; answers why it cannot. */
const startingOne =
  ({ given, items, store: { machine, table, itemNoOf } }: VersionParts, start: Start) =>
  async (tx: Tx, versionNo: string, actor: Actor): Promise<'started' | 'failed' | 'left'> => {
    const item = await items.lockAny(tx, await itemNoOf(tx, versionNo))
    const row = await tx.one(sql<Stored>`select * from ${table} where version_no = ${versionNo} for update`)
    if (row.versionStatus !== 'scheduled') return 'left'
    const content = row.content as Values
    const fault = item ? ((await given.holds?.(tx, { item, content })) ?? null) : notFound()
    if (item && !fault) {
      const at = row.startFault ? tx.now : new Date(String(row.effectiveTime))
      const by = { ...actor, no: row.makerNo, name: row.makerName }
      await start(tx, { item, row, event: 'clock.start', as: 'holds', at }, {}, actor, by)
      return 'started'
    }
    const said = JSON.stringify({ key: fault?.key, params: fault?.params })
    // The same refusal is written down once, however often it is met again.
    if (row.startFault !== said)
      await transition(tx, machine, row, { event: 'clock.start', as: 'fails', set: { startFault: said } }, actor)
    return 'failed'
  }

/** Starts versions whose time has come, a hundred in one go. */
export const startJob = (parts: VersionParts, start: Start): Scheduled => {
  const { name } = parts.config
  const { table } = parts.store
  const startOne = startingOne(parts, start)
  const job: Scheduled = {
    job: `${name}.start`,
    every: { seconds: 60 },
    async run(tx) {
      const counts = { started: 0, failed: 0, left: 0 }
      const due = await tx.rows(sql<{ versionNo: string }>`
        select v.version_no from ${table} v
        where v.version_status = 'scheduled' and v.effective_time <= ${tx.now} and ${partOf(parts.config, 'v')}
        order by effective_time, version_no limit ${startsAtOnce}`)
      for (const { versionNo } of due) counts[await startOne(tx, versionNo, system(job.job))]++
      return counts
    },
  }
  return job
}

/** Warns of versions that could not start. */
export const startWarning = ({ config, store: { machine, table, itemColumn } }: VersionParts): WarningRule => ({
  type: 'config_start_failed',
  level: 'warning',
  async find(tx) {
    const rows = await tx.rows(sql<{ versionNo: string; merchantNo: string | null; effectiveTime: string }>`
        select v.version_no, to_jsonb(x) ->> 'merchant_no' as merchant_no, v.effective_time
        from ${table} v join ${sql.table(config.table)} x using (${itemColumn})
        where v.version_status = 'scheduled' and v.start_fault is not null and ${partOf(config, 'v')} order by v.version_no`)
    return rows.map(({ versionNo, merchantNo }) => ({
      key: versionNo,
      merchantNo,
      objectType: machine.table,
      affected: [{ objectNo: versionNo, route: null }],
      facts: { versionNo },
    }))
  },
})
