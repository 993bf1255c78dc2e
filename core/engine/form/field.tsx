import type { z } from 'zod'
import { metaOf } from '../../contract/fields.ts'
import { useText } from '../../element/i18n.ts'
import { Labelled } from '../../ui/labelled.tsx'
import { labelOf } from '../table/columns.ts'
import { Input } from './input.tsx'

type Props = {
  name: string
  /** In place of the word of its name. */
  label?: string
  schema: z.ZodType
  value: unknown
  onChange: (value: unknown) => void
  optional?: boolean
  error?: string
}

/** What a field wants, where an example says it best. */
const hints: Record<string, 'common.phoneHint' | 'common.idNumberHint'> = {
  phone: 'common.phoneHint',
  walletAccount: 'common.phoneHint',
  idNumber: 'common.idNumberHint',
}

/** A field of a form by its contract: label, control by its kind, hint, message. */
export const Field = ({ name, label: said, schema, value, onChange, optional, error }: Props) => {
  const t = useText()
  const meta = metaOf(schema)
  const label = said ?? labelOf(t, name)
  const hint = hints[meta.kind]
  return (
    <Labelled label={label} optional={optional} hint={hint && t(hint)} error={error}>
      {tied => <Input tied={tied} label={label} meta={meta} value={value} onChange={onChange} />}
    </Labelled>
  )
}
