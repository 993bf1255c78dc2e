import { sql } from 'kysely'
import { maxVersions } from '../../core/contract/config-versions.ts'
import { serve } from '../http/serve.ts'
import type { Item, Stored, Values, VersionParts } from './version-store.ts'
/** The versions of an item, those that are still open first. */
export const versionList = ({ config, items, store: { calls, table, itemColumn } }: VersionParts) => {
  const { key, name } = config
  return serve(calls.versions, async call => {
    const { tx, actor } = call
    const no = await items.seen(call, String((call.input as Values)[key]))
    const rows = await tx.rows(sql<Stored>`
      select * from ${table} where ${itemColumn} = ${no} order by array_position(array['draft', 'pending', 'rejected', 'scheduled', 'effective'], version_status) nulls last,
        effective_time desc, version_no desc limit ${maxVersions}`)
    const blocked = (row: Stored) =>
      row.versionStatus === 'scheduled' && row.makerNo === actor.no
        ? { [`${name}.versionCancel`]: { reason: 'errors.makerChecker', params: {} } }
        : {}
    return { list: rows.map(row => ({ ...row, blockedBy: blocked(row) })) as never }
  })
}

/** The numbers of what a version would change. */
export const versionEffect = ({ config, given, items, store: { calls, table, itemColumn, itemNoOf } }: VersionParts) =>
  serve(calls.effect, async call => {
    const { tx, input } = call
    const no = await items.seen(call, await itemNoOf(tx, input.versionNo as string))
    const row = await tx.one(sql<Stored>`select * from ${table} where version_no = ${input.versionNo}`)
    const inForce = await tx.maybe(
      sql<Stored>`select * from ${table} where ${itemColumn} = ${no} and version_status = 'effective'`,
    )
    const item = await tx.one(sql<Item>`select * from ${sql.table(config.table)} where ${itemColumn} = ${no}`)
    return (await given.effect(tx, { item, content: row.content, inForce: inForce?.content ?? null })) as never
  })
