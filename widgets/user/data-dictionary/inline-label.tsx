import { type KeyboardEvent, useRef, useState } from 'react'
import { refresh, useMay } from '../../../core/client/providers.tsx'
import type { ConfigRow } from '../../../core/contract/config.ts'
import type { InputOf } from '../../../core/contract/endpoint.ts'
import { dictItems, dictionary, maxLabel } from '../../../core/contract/user/dictionary.ts'
import { useText } from '../../../core/element/i18n.ts'
import { useCommand } from '../../../core/engine/form/use-command.ts'
import { labelOf } from '../../../core/engine/table/columns.ts'
import { Button, TextField } from '../../../core/ui/basics.ts'

type ItemRow = ConfigRow<typeof dictItems>

type Language = 'labelEn' | 'labelSw' | 'labelVi'
type Props = { row: ItemRow; name: Language }

/** The form of a row with another label; what is empty is left out, as a form leaves it. */
const changed = (row: ItemRow, name: Language, label: string): InputOf<typeof dictionary.save> => {
  const values: Readonly<Record<string, unknown>> = { ...row, [name]: label || null }
  const form = Object.keys(dictItems.form).flatMap(field => (values[field] == null ? [] : [[field, values[field]]]))
  return { ...Object.fromEntries(form), dictItemNo: row.dictItemNo, version: row.version } as never
}

/** The cell of the same column in the row below, or above. */
const neighbour = (from: Element, name: Language, step: 1 | -1): HTMLElement | undefined => {
  const all = [...(from.closest('table')?.querySelectorAll<HTMLElement>(`[data-inline="${name}"]`) ?? [])]
  return all[all.findIndex(one => one.contains(from)) + step]
}

const Editor = ({ row, name, end }: Props & { end: () => void }) => {
  const t = useText()
  const { send, busy } = useCommand()
  const box = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(row[name] ?? '')
  /** Whether the label is as it was, or is saved. What is refused stays typed; the toast says why. */
  const save = async (): Promise<boolean> => {
    if (text.trim() === (row[name] ?? '')) return true
    const outcome = await send(dictionary.save, changed(row, name, text.trim()), {
      ids: [row.dictItemNo],
      done: () => t('config.saved'),
    })
    if (outcome.is !== 'done') return false
    refresh(dictionary.page)
    return true
  }
  const key = async (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Escape') return end()
    if (event.key !== 'Enter' && event.key !== 'Tab') return
    event.preventDefault()
    const next = event.key === 'Tab' && box.current ? neighbour(box.current, name, event.shiftKey ? -1 : 1) : undefined
    if (!(await save())) return
    end()
    next?.querySelector('button')?.click()
  }
  return (
    <TextField.Root
      ref={box}
      size="1"
      autoFocus
      value={text}
      maxLength={maxLabel}
      readOnly={busy}
      aria-label={`${labelOf(t, name)} ${row.keyValue}`}
      onChange={event => setText(event.target.value)}
      onKeyDown={event => void key(event)}
      onBlur={() => void save().then(done => done && end())}
    />
  )
}

/** A label in one language, changed in its column: Enter saves it, Tab saves it and goes on in the next row. */
export const InlineLabel = ({ row, name }: Props) => {
  const t = useText()
  const may = useMay()
  const [open, setOpen] = useState(false)
  if (!may.call(dictionary.save) || row.blockedBy['dictItem.save']) return row[name] ?? '–'
  return (
    <span data-inline={name}>
      {open ? (
        <Editor row={row} name={name} end={() => setOpen(false)} />
      ) : (
        <Button
          size="1"
          variant="ghost"
          color="gray"
          aria-label={`${t('config.edit')}: ${labelOf(t, name)} ${row.keyValue}`}
          onClick={() => setOpen(true)}
        >
          {row[name] ?? '–'}
        </Button>
      )}
    </span>
  )
}
