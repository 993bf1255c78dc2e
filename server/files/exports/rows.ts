import { setImmediate as sent } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { columnOf, fromFor, ordered } from '../../lists/list.ts'
import { whereOf } from '../../lists/listed.ts'
import type { Session } from '../../session/session.ts'
import type { Exportable, ExportJob } from './store.ts'

/** Rows that are read, written and noted at a time: as many as are in memory. */
export const chunkRows = 5_000
/** Rows of a chunk that are read with one statement. */
const partRows = 1_000

/**
 * Writes down which rows an export has, in the order of its list; answers how many. They are read chunk by chunk
 * afterwards, so that neither rows that come nor rows that change their place are written twice or left out.
 */
export const takeKeys = async (
  tx: Tx,
  o: { of: Exportable; session: Session; job: ExportJob; chunkRows: number },
): Promise<number> => {
  const { of, session, job } = o
  const source = of.source({ tx, session, filters: job.filters })
  const where = whereOf(of, { tx, session }, job.filters)
  const order = ordered(source, job.sort)
  await tx.exec(sql`delete from export_chunk where export_no = ${job.exportNo}`)
  await tx.exec(sql`
    insert into export_chunk (export_no, chunk_no, row_keys)
    select ${job.exportNo}, place / ${o.chunkRows}::int, array_agg(row_key order by place) from (
      select ${source.key} as row_key, (row_number() over (order by ${order}) - 1)::int as place
      from ${fromFor(tx, source, [where, order])} where ${where}
    ) found group by 2`)
  const { total } = await tx.one(sql<{ total: number }>`
    select coalesce(sum(cardinality(row_keys)), 0)::int as total from export_chunk where export_no = ${job.exportNo}`)
  return total
}

type Values = Record<string, unknown>
const keyName = 'exportedKey'

/** What reads the rows of an export; they are asked for by name, so that nothing need be renamed row by row. */
const reader = (tx: Tx, of: Exportable, session: Session, job: ExportJob) => {
  const source = of.source({ tx, session, filters: job.filters })
  const late = of.late?.columns.some(name => job.columns.includes(name)) ? of.late : undefined
  const names = [...new Set([...job.columns, ...(late?.needs ?? [])])]
  const columns = names.map(name => sql`${columnOf(source, name)} as ${sql.raw(`"${name}"`)}`)
  const from = fromFor(tx, source, [...columns, source.where])
  const plainly = tx.k.withoutPlugins()
  return async (keys: readonly string[]): Promise<Values[]> => {
    const query = sql<Values>`
      select ${source.key} as ${sql.raw(`"${keyName}"`)}, ${sql.join(columns)} from ${from}
      where ${source.key} = any(${keys}) and ${source.where}`
    const { rows } = await plainly.executeQuery<Values>(query.compile(tx.k))
    const filled = late ? await late.fill(tx, rows) : rows
    const byKey = new Map(filled.map(row => [row[keyName] as string, row]))
    return keys.flatMap((key): Values[] => {
      const row = byKey.get(key)
      return row ? [row] : []
    })
  }
}

/**
 * The rows of one chunk as its owner may see them now, in the order of the keys, some at a time: the database finds the next ones
 * while these are being worked on. Null behind the last chunk.
 */
export const readChunk = async (
  tx: Tx,
  of: Exportable,
  session: Session,
  job: ExportJob,
): Promise<AsyncIterable<Values[]> | null> => {
  const chunk = await tx.maybe(sql<{ rowKeys: string[] }>`
    select row_keys from export_chunk where export_no = ${job.exportNo} and chunk_no = ${job.chunksDone}`)
  if (!chunk) return null
  // A chunk is found by its keys: reading a whole table beside it, as a disk that seeks would want, costs more than all of them.
  await tx.exec(sql`set local random_page_cost = 1.1`)
  const read = reader(tx, of, session, job)
  const keysAt = (from: number) => chunk.rowKeys.slice(from, from + partRows)
  return (async function* () {
    let next = read(keysAt(0))
    for (let from = 0; from < chunk.rowKeys.length; from += partRows) {
      const rows = await next
      if (from + partRows < chunk.rowKeys.length) {
        next = read(keysAt(from + partRows))
        next.catch(() => undefined)
        await sent()
      }
      yield rows
    }
  })()
}
