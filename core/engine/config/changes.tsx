import type { z } from 'zod'
import type { Version } from '../../contract/config.ts'
import { metaOf } from '../../contract/fields.ts'
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
          {changes.map(({ field, before, after }) => (
            <tr key={field}>
              <th scope="row">{labelOf(t, field)}</th>
              <td>{value(field, before)}</td>
              <td>{value(field, after)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
