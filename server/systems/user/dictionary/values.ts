import { type RawBuilder, sql } from 'kysely'
import type { Use } from '../../../../core/contract/config.ts'
import type { Tx } from '../../../db/database.ts'
import type { HeldValue } from '../../../module.ts'

/** Records are counted up to here. */
const most = 10_000

/** How many records hold the value of a row of `x`, by the columns that hold values of its type. */
export const usedCount = (
  held: readonly HeldValue[],
  x: { type: RawBuilder<unknown>; value: RawBuilder<unknown> },
): RawBuilder<unknown> =>
  held.length === 0
    ? sql`0`
    : sql`case ${x.type} ${sql.join(
        held.map(
          ({ dict, table, column }) => sql`when ${dict} then
            (select count(*)::int from (select 1 from ${sql.table(table)} h where h.${sql.ref(column)} = ${x.value} limit ${most}) found)`,
        ),
        sql` `,
      )} else 0 end`

/** The first records that hold a value. */
export const usesOf = async (
  tx: Tx,
  held: readonly HeldValue[],
  of: { dict: string; value: string; key: string },
): Promise<(Use & { key: string })[]> => {
  const found = await Promise.all(
    held
      .filter(({ dict }) => dict === of.dict)
      .map(({ kind, table, column, key }) =>
        tx.rows(sql<Use>`
          select ${kind}::text as kind, h.${sql.ref(key)} as no, '' as name from ${sql.table(table)} h
          where h.${sql.ref(column)} = ${of.value} order by h.${sql.ref(key)} desc limit 50`),
      ),
  )
  return found.flat().map(use => ({ ...use, key: of.key }))
}
