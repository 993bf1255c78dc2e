import type { ReactNode } from 'react'
import type { z } from 'zod'
import { type Meta, metaOf } from '../../contract/fields.ts'
import { useText } from '../../element/i18n.ts'
import { labelOf } from '../table/columns.ts'
import { Value } from '../table/value.tsx'

type Given = Readonly<Record<string, unknown>>

/** Letters of one word that the narrowest column has room for; a longer word takes two columns before it is broken. */
const roomFor = 18
const isLong = (meta: Meta | null, value: unknown) =>
  meta?.kind === 'text' && typeof value === 'string' && value.split(' ').some(word => word.length > roomFor)

/** Labels and values of a record, drawn by the kinds of its schema; `names` chooses and orders them. */
export const Facts = ({
  schema,
  value,
  names,
  own = {},
}: {
  schema: z.ZodType
  value: Given
  names: readonly string[]
  own?: Readonly<Record<string, ReactNode>>
}) => {
  const t = useText()
  const shape = (schema as z.ZodObject).shape
  return (
    <dl className="mk-facts">
      {names.map(name => {
        const meta = shape[name] ? metaOf(shape[name] as z.ZodType) : null
        return (
          <div key={name} style={isLong(meta, value[name]) ? { gridColumn: 'span 2' } : undefined}>
            <dt>{labelOf(t, name)}</dt>
            <dd>{name in own ? own[name] : <Value name={name} meta={meta} value={value[name]} row={value} />}</dd>
          </div>
        )
      })}
    </dl>
  )
}

/** A titled part of a record; a wide one takes all columns. */
export const Section = ({
  title,
  children,
  aside,
  wide,
}: {
  title: ReactNode
  children: ReactNode
  aside?: ReactNode
  wide?: boolean
}) => (
  <section className="mk-section" data-wide={wide || undefined}>
    <h3>
      {title} {aside}
    </h3>
    {children}
  </section>
)
