import { sql } from 'kysely'
import { masked } from '../../core/contract/masking.ts'
import type { Tx } from '../db/database.ts'
import { fromFor, ordered, selected } from '../list.ts'
import { whereOf } from '../listed.ts'
import type { Session } from '../session.ts'
import type { Exportable, ExportJob } from './store.ts'

/** Rows that are read and written at a time: as many as are in memory. */
export const chunkRows = 2_000

/**
 * Writes down which rows an export has, in the order of its list; answers how many. They are read chunk by chunk
 * afterwards, so that neither rows that come nor rows that change their place are written twice or left out.
 */
export const takeKeys = async (tx: Tx, of: Exportable, session: Session, job: ExportJob): Promise<number> => {
  const source = of.source({ tx, session })
  const where = whereOf(of, { tx, session }, job.filters)
  const order = ordered(source, job.sort)
  await tx.exec(sql`delete from export_chunk where export_no = ${job.exportNo}`)
  await tx.exec(sql`
    insert into export_chunk (export_no, chunk_no, row_keys)
    select ${job.exportNo}, place / ${chunkRows}, array_agg(row_key order by place) from (
      select ${source.key} as row_key, (row_number() over (order by ${order}) - 1)::int as place
      from ${fromFor(tx, source, [where, order])} where ${where}
    ) found group by 2`)
  const { total } = await tx.one(sql<{ total: number }>`
    select coalesce(sum(cardinality(row_keys)), 0)::int as total from export_chunk where export_no = ${job.exportNo}`)
  return total
}

type Values = Record<string, unknown>
const keyName = 'exportedKey'

/** The rows of one chunk as its owner may see them now, in the order of the keys; null behind the last chunk. */
export const readChunk = async (
  tx: Tx,
  of: Exportable,
  session: Session,
  job: ExportJob,
): Promise<{ rows: Values[]; keys: number } | null> => {
  const chunk = await tx.maybe(sql<{ rowKeys: string[] }>`
    select row_keys from export_chunk where export_no = ${job.exportNo} and chunk_no = ${job.chunksDone}`)
  if (!chunk) return null
  const source = of.source({ tx, session })
  const late = of.late?.columns.some(name => job.columns.includes(name)) ? of.late : undefined
  const names = [...new Set([...job.columns, ...(late?.needs ?? [])])]
  const columns = selected(source, names)
  const found = await tx.rows(sql<Values>`
    select ${source.key} as exported_key, ${sql.join(columns)} from ${fromFor(tx, source, [...columns, source.where])}
    where ${source.key} = any(${chunk.rowKeys}) and ${source.where}`)
  const byKey = new Map((late ? await late.fill(tx, found) : found).map(row => [row[keyName], row]))
  const who = { inList: true, desensitized: session.desensitized }
  const rows = chunk.rowKeys.flatMap(key => {
    const row = byKey.get(key)
    return row ? [masked(of.list.row, who, row) as Values] : []
  })
  return { rows, keys: chunk.rowKeys.length }
}
