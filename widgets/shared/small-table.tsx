import type { ReactNode } from 'react'
import type { z } from 'zod'
import { metaOf } from '../../core/contract/fields.ts'
import { useText } from '../../core/element/i18n.ts'
import { labelOf } from '../../core/engine/table/columns.ts'
import { alignsRight, Value } from '../../core/engine/table/value.tsx'
import { Text } from '../../core/ui/basics.ts'

type Row = Readonly<Record<string, unknown>>
type Props<R extends Row> = {
  schema: z.ZodType
  rows: readonly R[]
  rowKey: keyof R & string
  names: readonly string[]
  empty: string
  cells?: Readonly<Record<string, (row: R) => ReactNode>>
  label?: string
  /** Headers that differ from the names of the fields. */
  headers?: Readonly<Record<string, string>>
  quiet?: (row: R) => boolean
}

/** A few rows inside a record, drawn by the kinds of their schema. */
export const SmallTable = <R extends Row>({
  schema,
  rows,
  rowKey,
  names,
  empty,
  cells = {},
  label,
  headers = {},
  quiet,
}: Props<R>) => {
  const t = useText()
  const shape = (schema as unknown as z.ZodObject).shape
  if (rows.length === 0)
    return (
      <Text size="2" color="gray">
        {empty}
      </Text>
    )
  const meta = (name: string) => (shape[name] ? metaOf(shape[name] as z.ZodType) : null)
  return (
    <div className="mk-small" role="region" aria-label={label ?? t('common.table')} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {names.map(name => (
              <th key={name} scope="col" className={alignsRight(meta(name)) ? 'mk-right' : undefined}>
                {headers[name] ?? labelOf(t, name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={String(row[rowKey])} data-quiet={quiet?.(row) || undefined}>
              {names.map(name => (
                <td key={name} className={alignsRight(meta(name)) ? 'mk-right' : undefined}>
                  {cells[name] ? cells[name](row) : <Value name={name} meta={meta(name)} value={row[name]} row={row} />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
