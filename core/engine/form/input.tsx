import { lazy, Suspense, useRef, useState } from 'react'
import { useText } from '../../element/i18n.ts'
import { caretAfter, digitsBefore, formatTyped, parseMoneyInput } from '../../rules/amount.ts'
import { Skeleton, TextField } from '../../ui/basics.ts'
import { Choose } from '../../ui/choose/choose.tsx'
import { Switch, TextArea } from '../../ui/more.ts'
import { Day, Moment } from './input/day-input.tsx'
import type { InputProps } from './input/input-props.ts'
import { JsonInput } from './input/json-input.tsx'
import { TextsInput } from './input/texts-input.tsx'
import { hasOptions, useOptions } from './options.ts'
import { isTree, TreeChoice } from './tree-choice.tsx'

const RowsInput = lazy(async () => ({ default: (await import('./rows-input.tsx')).RowsInput }))
const WeekDaysInput = lazy(async () => ({ default: (await import('./input/week-days-input.tsx')).WeekDaysInput }))
const FileInput = lazy(async () => ({ default: (await import('../files/file-input.tsx')).FileInput }))

/** Separators come while typing; the caret stays behind the digit it stood behind. */
const Money = ({ tied, value, onChange }: InputProps) => {
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(value ? formatTyped(String(value).replace(/\.00$/, '')) : '')
  const type = (text: string, caret: number) => {
    const shown = formatTyped(text)
    setTyped(shown)
    onChange(text === '' ? undefined : (parseMoneyInput(shown) ?? text))
    const at = caretAfter(shown, digitsBefore(text, caret))
    requestAnimationFrame(() => input.current?.setSelectionRange(at, at))
  }
  return (
    <TextField.Root
      {...tied}
      ref={input}
      inputMode="decimal"
      autoComplete="off"
      value={typed}
      className="mk-money-input"
      onChange={({ target }) => type(target.value, target.selectionStart ?? target.value.length)}
    >
      <TextField.Slot>UGX</TextField.Slot>
    </TextField.Root>
  )
}

const OneOf = ({ tied, label, meta, value, onChange }: InputProps) => {
  const t = useText()
  const options = useOptions(meta)
  const chosen = Array.isArray(value)
    ? (value as string[])
    : value === undefined || value === null || value === ''
      ? []
      : [String(value)]
  return (
    <Choose
      tied={tied}
      label={label}
      options={options}
      value={chosen}
      single={!meta.many}
      onChange={next => onChange(meta.many ? next : next[0])}
      words={{
        search: t('common.search'),
        none: t('common.noMatch'),
        clear: t('common.clear'),
        choose: t('common.choose'),
      }}
    />
  )
}

const whole = (text: string) => (text === '' ? undefined : Number.isInteger(Number(text)) ? Number(text) : text)

const examples: Readonly<Record<string, string | undefined>> = { clock: 'HH:mm', month: 'YYYY-MM' }

/** The control for a field, by its kind. */
export const Input = (props: InputProps) => {
  const { tied, meta, value, onChange } = props
  if (meta.kind === 'money') return <Money {...props} />
  if (meta.kind === 'flag') return <Switch {...tied} checked={value === true} onCheckedChange={onChange} />
  if (meta.kind === 'file')
    return (
      <Suspense fallback={<Skeleton height="76px" />}>
        <FileInput {...props} />
      </Suspense>
    )
  if (meta.kind === 'rows')
    return (
      <Suspense fallback={<Skeleton height="76px" />}>
        <RowsInput {...props} />
      </Suspense>
    )
  if (meta.kind === 'weekDays')
    return (
      <Suspense fallback={<Skeleton height="24px" />}>
        <WeekDaysInput {...props} />
      </Suspense>
    )
  if (meta.kind === 'json') return <JsonInput {...props} />
  if (meta.kind === 'texts') return <TextsInput {...props} />
  if (isTree(meta)) return <TreeChoice {...props} />
  if (hasOptions(meta)) return <OneOf {...props} />
  if (meta.kind === 'date') return <Day {...props} />
  if (meta.kind === 'time') return <Moment {...props} />
  const shared = { ...tied, value: String(value ?? '') }
  if (meta.kind === 'longText')
    return <TextArea {...shared} rows={2} onChange={event => onChange(event.target.value || undefined)} />
  if (meta.kind === 'int')
    return <TextField.Root {...shared} inputMode="numeric" onChange={event => onChange(whole(event.target.value))} />
  const [example, isShare] = [examples[meta.kind], meta.kind === 'percent']
  const isNumber = meta.kind === 'phone' || meta.kind === 'walletAccount'
  return (
    <TextField.Root
      {...shared}
      {...(example ? { placeholder: example, autoComplete: 'off' } : {})}
      {...(isNumber ? { inputMode: 'tel', autoComplete: 'off' } : {})}
      {...(isShare ? { inputMode: 'decimal', autoComplete: 'off' } : {})}
      onChange={event => onChange(event.target.value || undefined)}
    >
      {isShare && <TextField.Slot side="right">%</TextField.Slot>}
    </TextField.Root>
  )
}
