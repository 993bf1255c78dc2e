import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useText } from '../../../element/i18n.ts'
import { eatDateTime, parseEat } from '../../../rules/time.ts'
import { Flex, IconButton, Skeleton, TextField } from '../../../ui/basics.ts'
import { Icon } from '../../../ui/icons.tsx'
import { Popover } from '../../../ui/overlay/popover.tsx'
import type { InputProps } from './input-props.ts'

const DayCalendar = lazy(async () => ({ default: (await import('../../../ui/calendar.tsx')).DayCalendar }))

const dayFormat = /^\d{4}-\d{2}-\d{2}/

/** A text field with a calendar behind its button; what is typed and what is chosen are the same text. */
const WithCalendar = ({
  props: { tied, label },
  text,
  example,
  onType,
  onDay,
  zone,
}: {
  props: InputProps
  text: string
  example: string
  onType: (text: string) => void
  onDay: (day: string | null) => void
  zone?: ReactNode
}) => {
  const t = useText()
  const [open, setOpen] = useState(false)
  return (
    <TextField.Root
      {...tied}
      value={text}
      placeholder={example}
      autoComplete="off"
      onChange={event => onType(event.target.value)}
    >
      <TextField.Slot side="right">
        <Flex align="center" gap="2">
          {zone}
          <Popover.Root open={open} onOpenChange={setOpen}>
            <Popover.Trigger>
              <IconButton
                type="button"
                size="1"
                variant="ghost"
                color="gray"
                aria-label={t('common.calendarOf', { field: label })}
              >
                <Icon name="calendar" size={14} />
              </IconButton>
            </Popover.Trigger>
            <Popover.Content size="1" aria-label={label}>
              <Suspense fallback={<Skeleton width="232px" height="230px" />}>
                <DayCalendar
                  language={t.language}
                  words={{ next: t('common.nextMonth'), previous: t('common.previousMonth') }}
                  value={dayFormat.exec(text)?.[0] ?? null}
                  onChange={day => {
                    onDay(day)
                    setOpen(false)
                  }}
                />
              </Suspense>
            </Popover.Content>
          </Popover.Root>
        </Flex>
      </TextField.Slot>
    </TextField.Root>
  )
}

/** A day, typed as `YYYY-MM-DD` or chosen. */
export const Day = (props: InputProps) => (
  <WithCalendar
    props={props}
    text={props.value ? String(props.value) : ''}
    example="YYYY-MM-DD"
    onType={text => props.onChange(text.trim() || undefined)}
    onDay={day => props.onChange(day ?? undefined)}
  />
)

const noon = '12:00'

/** A moment of EAT, typed as `YYYY-MM-DD HH:mm`; the day may be chosen. */
export const Moment = (props: InputProps) => {
  const { value, onChange } = props
  const [typed, setTyped] = useState(value ? eatDateTime(String(value)).slice(0, 16) : '')
  const type = (text: string) => {
    setTyped(text)
    onChange(parseEat(text) ?? (text || undefined))
  }
  return (
    <WithCalendar
      props={props}
      text={typed}
      example="YYYY-MM-DD HH:mm"
      zone="EAT"
      onType={type}
      onDay={day => type(day === null ? '' : `${day} ${typed.slice(11) || noon}`)}
    />
  )
}
