import { type ClipboardEvent, useId, useState } from 'react'
import type { z } from 'zod'
import { metaOf } from '../../contract/fields.ts'
import { sheetOf } from '../../contract/row-changes.ts'
import { useText } from '../../element/i18n.ts'
import { useSheet } from '../../element/styles.ts'
import { parseMoneyInput } from '../../rules/amount.ts'
import { Button, Flex, IconButton } from '../../ui/basics.ts'
import { Icon } from '../../ui/icons.tsx'
import { labelOf } from '../table/columns.ts'
import type { InputProps } from './input/input-props.ts'
import { Input } from './input.tsx'
import sheet from './rows-sheet.css?sheet'

type Row = Record<string, unknown>

/** What a pasted text means to a field. */
const pasted = (schema: z.ZodType, text: string): unknown => {
  const { kind } = metaOf(schema)
  if (text === '') return undefined
  if (kind === 'money') return parseMoneyInput(text) ?? text
  if (kind === 'int') return Number.isInteger(Number(text.replace(/,/g, ''))) ? Number(text.replace(/,/g, '')) : text
  return text
}

/** Cells of a text that was copied from a spreadsheet; null for a single value, which goes where the caret is. */
const cellsOf = (text: string): string[][] | null => {
  const lines = text.replace(/\r/g, '').replace(/\n$/, '').split('\n')
  return lines.length > 1 || text.includes('\t') ? lines.map(line => line.split('\t').map(cell => cell.trim())) : null
}

type Fields = readonly (readonly [string, z.ZodType])[]

/** The rows with cells of a spreadsheet put over them, from one cell on. */
const withCells = (rows: readonly Row[], fields: Fields, cells: string[][], at: number, column: number): Row[] => {
  const next = rows.map(row => ({ ...row }))
  for (const [line, texts] of cells.entries()) {
    const row = next[at + line] ?? {}
    next[at + line] = row
    for (const [offset, text] of texts.entries()) {
      const [name, schema] = fields[column + offset] ?? []
      if (name && schema) row[name] = pasted(schema, text)
    }
  }
  return next
}

type LineProps = {
  id: string
  at: number
  row: Row
  fields: Fields
  invalid: boolean
  isFull: boolean
  put: (name: string, part: unknown) => void
  paste: (event: ClipboardEvent, column: number) => void
  copy: () => void
  remove: () => void
}

/** One row, typed in place. */
const Line = ({ id, at, row, fields, invalid, isFull, put, paste, copy, remove }: LineProps) => {
  const t = useText()
  return (
    <tr>
      {fields.map(([name, schema], column) => (
        <td key={name} data-kind={metaOf(schema).kind} onPaste={event => paste(event, column)}>
          <Input
            tied={{
              id: `${id}-${at}-${name}`,
              'aria-labelledby': `${id}-${name}`,
              'aria-describedby': undefined,
              'aria-invalid': (invalid && !schema.safeParse(row[name]).success) || undefined,
            }}
            label={labelOf(t, name)}
            meta={metaOf(schema)}
            value={row[name]}
            onChange={part => put(name, part)}
          />
        </td>
      ))}
      <td>
        <Flex gap="3">
          <IconButton
            type="button"
            variant="ghost"
            color="gray"
            aria-label={t('config.copyRow', { n: at + 1 })}
            disabled={isFull}
            onClick={copy}
          >
            <Icon name="copy" size={14} />
          </IconButton>
          <IconButton
            type="button"
            variant="ghost"
            color="gray"
            aria-label={t('config.removeRow', { n: at + 1 })}
            onClick={remove}
          >
            <Icon name="close" size={14} />
          </IconButton>
        </Flex>
      </td>
    </tr>
  )
}

const Head = ({ id, fields }: { id: string; fields: Fields }) => {
  const t = useText()
  return (
    <thead>
      <tr>
        {fields.map(([name]) => (
          <th key={name} scope="col" id={`${id}-${name}`}>
            {labelOf(t, name)}
          </th>
        ))}
        <th scope="col" aria-label={t('common.actions')} />
      </tr>
    </thead>
  )
}

/** Rows of many fields as a sheet: typed in place, copied row by row, pasted from a spreadsheet. */
export const RowsSheet = ({ tied, label, meta, value, onChange }: InputProps) => {
  const t = useText()
  useSheet(sheet)
  const id = useId()
  const [turn, setTurn] = useState(0)
  const rows = (value ?? []) as readonly Row[]
  const fields = Object.entries(sheetOf(meta.schema) ?? {})
  const { maximum = Number.POSITIVE_INFINITY } = (meta.schema as z.ZodArray)._zod.bag as { maximum?: number }
  const isFull = rows.length >= maximum
  /** Inputs keep what is typed in them: rows that change otherwise are drawn afresh. */
  const replace = (next: readonly Row[]) => {
    onChange(next.slice(0, maximum))
    setTurn(turn + 1)
  }
  const paste = (event: ClipboardEvent, at: number, column: number) => {
    const cells = cellsOf(event.clipboardData.getData('text/plain'))
    if (!cells) return
    event.preventDefault()
    replace(withCells(rows, fields, cells, at, column))
  }
  return (
    <div role="group" aria-labelledby={tied['aria-labelledby']} aria-describedby={tied['aria-describedby']}>
      <div className="mk-sheet" role="region" aria-label={label}>
        <table key={turn}>
          <Head {...{ id, fields }} />
          <tbody>
            {rows.map((row, at) => (
              <Line
                // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name of their own while they are typed
                key={at}
                {...{ id, at, row, fields, isFull }}
                invalid={tied['aria-invalid'] === true}
                put={(name, part) => onChange(rows.map((one, n) => (n === at ? { ...one, [name]: part } : one)))}
                paste={(event, column) => paste(event, at, column)}
                copy={() => replace([...rows, { ...row, [fields[0]?.[0] ?? '']: undefined }])}
                remove={() => replace(rows.filter((_, n) => n !== at))}
              />
            ))}
          </tbody>
        </table>
      </div>
      <Button
        type="button"
        size="1"
        variant="soft"
        id={tied.id}
        disabled={isFull}
        aria-label={`${t('config.addRow')}: ${label}`}
        onClick={() => replace([...rows, {}])}
      >
        {t('config.addRow')}
      </Button>
    </div>
  )
}
