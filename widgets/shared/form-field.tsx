import { useId } from 'react'
import type { z } from 'zod'
import { metaOf } from '../../core/contract/fields.ts'
import { useText } from '../../core/element/i18n.ts'
import { labelOf } from '../../core/engine/columns.ts'
import { Input } from '../../core/engine/input.tsx'
import { Text } from '../../core/ui/basics.ts'

/** A field of an own form: label, control by its kind, message. */
export const FormField = ({
  name,
  schema,
  value,
  onChange,
  optional = false,
  error,
}: {
  name: string
  schema: z.ZodType
  value: unknown
  onChange: (value: unknown) => void
  optional?: boolean
  error?: string
}) => {
  const t = useText()
  const id = useId()
  return (
    <div className="mk-field">
      <Text as="label" size="2" weight="medium" htmlFor={id}>
        {labelOf(t, name)}
        {optional && <span className="mk-optional"> {t('common.optional')}</span>}
      </Text>
      <Input
        id={id}
        label={labelOf(t, name)}
        meta={metaOf(schema)}
        value={value}
        onChange={onChange}
        invalid={error !== undefined}
        describedBy={error ? `${id}-error` : undefined}
      />
      {error && (
        <Text id={`${id}-error`} size="1" color="red" role="alert">
          {error}
        </Text>
      )}
    </div>
  )
}
