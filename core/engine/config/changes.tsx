import type { z } from 'zod'
import type { Version } from '../../contract/config.ts'
import { metaOf } from '../../contract/fields.ts'
import { rowChanges, sheetOf } from '../../contract/row-changes.ts'
import { useText } from '../../element/i18n.ts'
import { labelOf } from '../table/columns.ts'
import { Value } from '../table/value.tsx'

const read = (text: string | null): unknown => {
  if (text === null) return null
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

type SheetProps = { sheet: Readonly<Record<string, z.ZodType>>; before: unknown; after: unknown }

/** What changed of a sheet: a line for each cell, under the name of its row. */
const SheetChanges = ({ sheet, before, after }: SheetProps) => {
  const t = useText()
  const key = Object.entries(sheet)[0] as [string, z.ZodType]
  return rowChanges(sheet, before, after).map(one => (
    <tr key={`${one.row} ${one.field}`}>
      <th scope="row">
        <Value name={key[0]} meta={metaOf(key[1])} value={one.row} /> · {labelOf(t, one.field)}
      </th>
      <td>
        <Value name={one.field} meta={metaOf(one.schema)} value={one.before} />
      </td>
      <td>
        <Value name={one.field} meta={metaOf(one.schema)} value={one.after} />
      </td>
    </tr>
  ))
}

/** What changed, field by field: before and after, in words. */
export const Changes = ({
  shape,
  changes,
}: {
  shape: Readonly<Record<string, unknown>>
  changes: Version['changes']
}) => {
  const t = useText()
  const value = (name: string, text: string | null) => {
    const schema = shape[name] as z.ZodType | undefined
    return <Value name={name} meta={schema ? metaOf(schema) : null} value={read(text)} />
  }
  return (
    <div className="mk-small">
      <table>
        <thead>
          <tr>
            <th scope="col">{t('config.field')}</th>
            <th scope="col">{t('config.before')}</th>
            <th scope="col">{t('config.after')}</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ field, before, after }) => {
            const sheet = shape[field] ? sheetOf(shape[field] as z.ZodType) : null
            return sheet ? (
              <SheetChanges key={field} sheet={sheet} before={read(before)} after={read(after)} />
            ) : (
              <tr key={field}>
                <th scope="row">{labelOf(t, field)}</th>
                <td>{value(field, before)}</td>
                <td>{value(field, after)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
