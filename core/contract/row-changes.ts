import type { z } from 'zod'
import { metaOf } from './fields.ts'

type Row = Readonly<Record<string, unknown>>
/** What differs of one row of a table: its first field names it. */
export type RowChange = { row: string; schema: z.ZodType; field: string; before: unknown; after: unknown }

/** From so many fields on, rows are compared field by field, and typed in a sheet. */
const sheetFields = 5

/** The fields of rows that are a sheet; null for everything else. */
export const sheetOf = (schema: z.ZodType): Readonly<Record<string, z.ZodType>> | null => {
  const meta = metaOf(schema)
  if (meta.kind !== 'rows') return null
  const { shape } = (meta.schema as z.ZodArray<z.ZodObject>).element
  return Object.keys(shape).length >= sheetFields ? (shape as Record<string, z.ZodType>) : null
}

const rowsOf = (value: unknown): readonly Row[] => (Array.isArray(value) ? value : [])

/** What differs between two states of a sheet, row by row and field by field; rows are known by their first field. */
export const rowChanges = (
  shape: Readonly<Record<string, z.ZodType>>,
  before: unknown,
  after: unknown,
): RowChange[] => {
  const [key, ...fields] = Object.keys(shape) as [string, ...string[]]
  const [old, now] = [rowsOf(before), rowsOf(after)]
  const names = [...new Set([...old, ...now].map(row => String(row[key])))]
  return names.flatMap(name => {
    const [a, b] = [old, now].map(rows => rows.find(row => String(row[key]) === name))
    return fields
      .filter(field => a?.[field] !== b?.[field])
      .map(field => ({
        row: name,
        schema: shape[field] as z.ZodType,
        field,
        before: a?.[field] ?? null,
        after: b?.[field] ?? null,
      }))
  })
}
