import type { z } from 'zod'
import { metaOf } from '../../../contract/fields.ts'
import { useText } from '../../../element/i18n.ts'
import { Checkbox, Flex, Text } from '../../../ui/basics.ts'
import { labelOf } from '../../table/columns.ts'
import { Field } from '../field.tsx'
import { messageOf } from '../field-words.ts'
import type { Asked } from './asked.ts'

/** What is said of a field, or of the first wrong one of its values. */
const saidOf = (error: unknown): string | undefined =>
  Array.isArray(error) ? error.map(saidOf).find(Boolean) : (error as { message?: string } | undefined)?.message

/** Which fields are to be changed. */
export const Ticks = ({ offered, ticked, setTicked }: Pick<Asked, 'offered' | 'ticked' | 'setTicked'>) => {
  const t = useText()
  return (
    <Flex wrap="wrap" gap="3" role="group" aria-label={t('common.tickFields')}>
      {offered.map(name => (
        <Text as="label" size="2" key={name}>
          <Flex gap="1" align="center">
            <Checkbox
              checked={ticked.includes(name)}
              onCheckedChange={on => setTicked(on ? [...ticked, name] : ticked.filter(one => one !== name))}
            />
            {labelOf(t, name)}
          </Flex>
        </Text>
      ))}
    </Flex>
  )
}

/** The fields that are asked for. */
export const AskFields = ({ shape, asked, form, turn, ticks }: Asked & { ticks: boolean }) => {
  const t = useText()
  const { errors } = form.formState
  return asked.map(name => {
    const field = shape[name] as z.ZodType
    const error = saidOf(errors[name])
    return (
      <Field
        key={`${name} ${turn}`}
        name={name}
        schema={field}
        value={form.watch(name)}
        optional={!ticks && !metaOf(field).required}
        error={error === undefined ? undefined : messageOf(t, error, field)}
        onChange={value =>
          form.setValue(name, value, { shouldValidate: form.formState.isSubmitted, shouldDirty: true })
        }
      />
    )
  })
}
