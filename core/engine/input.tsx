import { lazy, Suspense, useState } from 'react'
import { useText } from '../element/i18n.ts'
import { formatMoney, parseMoneyInput } from '../rules/amount.ts'
import { eatDateTime, parseEat } from '../rules/time.ts'
import { Button, Skeleton, TextField } from '../ui/basics.ts'
import { Choose } from '../ui/choose.tsx'
import { Icon } from '../ui/icons.tsx'
import { part } from '../ui/late.ts'
import { Switch, TextArea } from '../ui/more.ts'
import { Popover } from '../ui/popover.tsx'
import type { Meta } from './columns.ts'
import { hasOptions, useOptions } from './options.ts'

const DayCalendar = lazy(() => part(async () => ({ default: (await import('../ui/calendar.tsx')).DayCalendar })))
const FileInput = lazy(() => part(async () => ({ default: (await import('./file-input.tsx')).FileInput })))

export type InputProps = {
  id: string
  label: string
  meta: Meta
  value: unknown
  onChange: (value: unknown) => void
  invalid?: boolean
  describedBy?: string
  autoFocus?: boolean
}

const Money = ({ id, value, onChange, invalid, describedBy, autoFocus }: InputProps) => {
  const [typed, setTyped] = useState(value ? formatMoney(String(value)) : '')
  return (
    <TextField.Root
      id={id}
      inputMode="decimal"
      value={typed}
      autoFocus={autoFocus}
      aria-invalid={invalid}
      aria-describedby={describedBy}
      className="mk-money-input"
      onChange={event => {
        setTyped(event.target.value)
        onChange(parseMoneyInput(event.target.value) ?? event.target.value)
      }}
      onBlur={() => {
        const amount = parseMoneyInput(typed)
        if (amount) setTyped(formatMoney(amount))
      }}
    >
      <TextField.Slot>UGX</TextField.Slot>
    </TextField.Root>
  )
}

const OneOf = ({ label, meta, value, onChange }: InputProps) => {
  const t = useText()
  const options = useOptions(meta)
  const chosen = Array.isArray(value)
    ? (value as string[])
    : value === undefined || value === null || value === ''
      ? []
      : [String(value)]
  return (
    <Choose
      label={label}
      options={options}
      value={chosen}
      single={!meta.many}
      onChange={next => onChange(meta.many ? next : next[0])}
      words={{ search: t('common.search'), none: t('common.noMatch'), clear: t('common.clear') }}
    />
  )
}

const Day = ({ label, value, onChange }: InputProps) => {
  const t = useText()
  const [open, setOpen] = useState(false)
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger>
        <Button type="button" variant="surface" color="gray" className="mk-choose">
          <span className="mk-choose-text">{value ? String(value) : label}</span>
          <Icon name="calendar" size={12} />
        </Button>
      </Popover.Trigger>
      <Popover.Content size="1" aria-label={label}>
        <Suspense fallback={<Skeleton width="232px" height="230px" />}>
          <DayCalendar
            language={t.language}
            words={{ next: t('common.nextMonth'), previous: t('common.previousMonth') }}
            value={value ? String(value) : null}
            onChange={day => {
              onChange(day ?? undefined)
              setOpen(false)
            }}
          />
        </Suspense>
      </Popover.Content>
    </Popover.Root>
  )
}

/** A moment typed as EAT `YYYY-MM-DD HH:mm`. */
const Moment = ({ id, value, onChange, invalid, describedBy }: InputProps) => {
  const [typed, setTyped] = useState(value ? eatDateTime(String(value)).slice(0, 16) : '')
  return (
    <TextField.Root
      id={id}
      value={typed}
      placeholder="YYYY-MM-DD HH:mm"
      aria-invalid={invalid}
      aria-describedby={describedBy}
      onChange={event => {
        setTyped(event.target.value)
        onChange(parseEat(event.target.value) ?? event.target.value)
      }}
    >
      <TextField.Slot side="right">EAT</TextField.Slot>
    </TextField.Root>
  )
}

const hints: Partial<Record<Meta['kind'], string>> = {
  phone: '256123456789',
  walletAccount: '256123456789',
  idNumber: 'CM920920920920',
}

/** The control for a field, by its kind. */
export const Input = (props: InputProps) => {
  const { id, meta, value, onChange, invalid, describedBy, autoFocus } = props
  if (meta.kind === 'money') return <Money {...props} />
  if (meta.kind === 'flag') return <Switch id={id} checked={value === true} onCheckedChange={onChange} />
  if (meta.kind === 'file')
    return (
      <Suspense fallback={<Skeleton height="76px" />}>
        <FileInput {...props} />
      </Suspense>
    )
  if (hasOptions(meta)) return <OneOf {...props} />
  if (meta.kind === 'date') return <Day {...props} />
  if (meta.kind === 'time') return <Moment {...props} />
  const shared = { id, 'aria-invalid': invalid, 'aria-describedby': describedBy, autoFocus }
  if (meta.kind === 'longText')
    return (
      <TextArea
        {...shared}
        rows={2}
        value={String(value ?? '')}
        onChange={event => onChange(event.target.value || undefined)}
      />
    )
  if (meta.kind === 'int')
    return (
      <TextField.Root
        {...shared}
        inputMode="numeric"
        value={String(value ?? '')}
        onChange={event =>
          onChange(
            event.target.value === ''
              ? undefined
              : Number.isInteger(Number(event.target.value))
                ? Number(event.target.value)
                : event.target.value,
          )
        }
      />
    )
  return (
    <TextField.Root
      {...shared}
      value={String(value ?? '')}
      placeholder={hints[meta.kind]}
      onChange={event => onChange(event.target.value || undefined)}
    />
  )
}
