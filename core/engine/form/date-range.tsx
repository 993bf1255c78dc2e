import { lazy, Suspense, useState } from 'react'
import { useText } from '../../element/i18n.ts'
import type { Key } from '../../i18n/index.ts'
import { type DateRange as Days, type Preset, presetNames } from '../../rules/time.ts'
import { Button, Flex, Skeleton } from '../../ui/basics.ts'
import { Icon } from '../../ui/icons.tsx'
import { Popover } from '../../ui/overlay/popover.tsx'

const RangeCalendar = lazy(async () => ({ default: (await import('../../ui/calendar.tsx')).RangeCalendar }))

/** Whether a value is a range that moves with the business date. */
export const isPreset = (value: unknown): value is Preset => presetNames.includes(value as Preset)
/** What such a range is called. */
export const presetWord = (name: Preset): Key => `common.${name}`

/** `11-01 – 11-20`, and `11-01 –` where an end is open. */
export const rangeText = ([from, to]: readonly [unknown, unknown]): string => `${from ?? ''} – ${to ?? ''}`.trim()

type PresetsProps = { named: Preset | undefined; onChange: (range: Days | undefined) => void; close: () => void }

const Presets = ({ named, onChange, close }: PresetsProps) => {
  const t = useText()
  return (
    <Flex direction="column" gap="1" className="mk-presets">
      {presetNames.map(name => (
        <Button
          key={name}
          type="button"
          size="1"
          variant={named === name ? 'soft' : 'ghost'}
          color={named === name ? undefined : 'gray'}
          onClick={() => {
            onChange(name)
            close()
          }}
        >
          {t(presetWord(name))}
        </Button>
      ))}
      <Button type="button" size="1" variant="ghost" color="gray" onClick={() => onChange(undefined)}>
        {t('common.anyTime')}
      </Button>
    </Flex>
  )
}

/** Chooses a first and a last EAT day in a calendar, or a range by name: its days are the server's to know. */
export const DateRange = ({
  label,
  value,
  onChange,
}: {
  label: string
  value: Days | undefined
  onChange: (range: Days | undefined) => void
}) => {
  const t = useText()
  const [open, setOpen] = useState(false)
  const named = isPreset(value) ? value : undefined
  const days = isPreset(value) ? undefined : value
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger>
        <Button
          type="button"
          variant="surface"
          color="gray"
          className="mk-choose"
          data-filled={value !== undefined || undefined}
        >
          <span className="mk-choose-text">
            {value ? (
              <>
                <span className="mk-choose-label">{label}</span>{' '}
                {named ? t(presetWord(named)) : rangeText(days ?? [null, null])}
              </>
            ) : (
              label
            )}
          </span>
          <Icon name="calendar" size={12} />
        </Button>
      </Popover.Trigger>
      <Popover.Content size="1" aria-label={label}>
        <Flex gap="3">
          <Presets named={named} onChange={onChange} close={() => setOpen(false)} />
          <Suspense fallback={<Skeleton width="232px" height="230px" />}>
            <RangeCalendar
              language={t.language}
              words={{ next: t('common.nextMonth'), previous: t('common.previousMonth') }}
              value={days ?? [null, null]}
              onChange={range => onChange(range[0] || range[1] ? range : undefined)}
            />
          </Suspense>
        </Flex>
      </Popover.Content>
    </Popover.Root>
  )
}
