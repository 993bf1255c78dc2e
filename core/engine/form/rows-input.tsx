import type { z } from 'zod'
import { metaOf } from '../../contract/fields.ts'
import { sheetOf } from '../../contract/row-changes.ts'
import { useText } from '../../element/i18n.ts'
import { Button, Flex, IconButton } from '../../ui/basics.ts'
import { Icon } from '../../ui/icons.tsx'
import { Field } from './field.tsx'
import type { InputProps } from './input/input-props.ts'
import { RowsSheet } from './rows-sheet.tsx'

type Row = Record<string, unknown>

/** Rows of a small table, each with the controls of its fields; rows are added at the end and taken away one by one. */
export const RowsInput = (props: InputProps) =>
  sheetOf(props.meta.schema) ? <RowsSheet {...props} /> : <FewFields {...props} />

const FewFields = ({ tied, label, meta, value, onChange }: InputProps) => {
  const t = useText()
  const rows = (value ?? []) as readonly Row[]
  const array = meta.schema as z.ZodArray<z.ZodObject>
  const fields = Object.entries(array.element.shape) as [string, z.ZodType][]
  const { maximum = Number.POSITIVE_INFINITY } = array._zod.bag as { maximum?: number }
  const put = (at: number, name: string, part: unknown) =>
    onChange(rows.map((row, index) => (index === at ? { ...row, [name]: part } : row)))
  const wrongOf = (schema: z.ZodType, part: unknown) =>
    tied['aria-invalid'] && !schema.safeParse(part).success ? t('validation.wrongValue') : undefined
  return (
    <div role="group" aria-labelledby={tied['aria-labelledby']} aria-describedby={tied['aria-describedby']}>
      {rows.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name of their own, and their fields keep nothing
        <Flex key={at} gap="2" align="end" mb="2" role="group" aria-label={`${label} ${at + 1}`}>
          {fields.map(([name, schema]) => (
            <div key={name} style={{ flex: metaOf(schema).kind === 'dict' ? 2 : 1, minWidth: 0 }}>
              <Field
                name={name}
                schema={schema}
                value={row[name]}
                error={wrongOf(schema, row[name])}
                onChange={part => put(at, name, part)}
              />
            </div>
          ))}
          <IconButton
            type="button"
            variant="ghost"
            color="gray"
            mb="2"
            aria-label={t('config.removeRow', { n: at + 1 })}
            onClick={() => onChange(rows.filter((_, index) => index !== at))}
          >
            <Icon name="close" size={14} />
          </IconButton>
        </Flex>
      ))}
      <Button
        type="button"
        size="1"
        variant="soft"
        id={tied.id}
        disabled={rows.length >= maximum}
        aria-label={`${t('config.addRow')}: ${label}`}
        onClick={() => onChange([...rows, {}])}
      >
        {t('config.addRow')}
      </Button>
    </div>
  )
}
