import { lazy, Suspense, useState } from 'react'
import { useText } from '../element/i18n.ts'
import type { Key } from '../i18n/index.ts'
import { type Preset, presetNames, presets } from '../rules/time.ts'
import { Button, Flex, Skeleton } from '../ui/basics.ts'
import { Icon } from '../ui/icons.tsx'
import { part } from '../ui/late.ts'
import { Popover } from '../ui/popover.tsx'

const RangeCalendar = lazy(() => part(async () => ({ default: (await import('../ui/calendar.tsx')).RangeCalendar })))

const presetWords: Record<Preset, Key> = {
  today: 'common.today',
  yesterday: 'common.yesterday',
  last7: 'common.last7',
  last30: 'common.last30',
  thisMonth: 'common.thisMonth',
  lastMonth: 'common.lastMonth',
}

export type Range = readonly [string | null, string | null]

/** `11-01 – 11-20`, and `11-01 –` where an end is open. */
export const rangeText = ([from, to]: readonly [unknown, unknown]): string => `${from ?? ''} – ${to ?? ''}`.trim()

/** Chooses a first and a last EAT day, by preset or in a calendar. */
export const DateRange = ({
  label,
  value,
  onChange,
}: {
  label: string
  value: Range | undefined
  onChange: (range: Range | undefined) => void
}) => {
  const t = useText()
  const [open, setOpen] = useState(false)
  const today = presets(new Date())
  const named = presetNames.find(name => today[name][0] === value?.[0] && today[name][1] === value?.[1])
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
                <span className="mk-choose-label">{label}</span> {named ? t(presetWords[named]) : rangeText(value)}
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
          <Flex direction="column" gap="1" className="mk-presets">
            {presetNames.map(name => (
              <Button
                key={name}
                type="button"
                size="1"
                variant={named === name ? 'soft' : 'ghost'}
                color={named === name ? undefined : 'gray'}
                onClick={() => {
                  onChange(today[name])
                  setOpen(false)
                }}
              >
                {t(presetWords[name])}
              </Button>
            ))}
            <Button type="button" size="1" variant="ghost" color="gray" onClick={() => onChange(undefined)}>
              {t('common.anyTime')}
            </Button>
          </Flex>
          <Suspense fallback={<Skeleton width="232px" height="230px" />}>
            <RangeCalendar
              language={t.language}
              words={{ next: t('common.nextMonth'), previous: t('common.previousMonth') }}
              value={value ?? [null, null]}
              onChange={range => onChange(range[0] || range[1] ? range : undefined)}
            />
          </Suspense>
        </Flex>
      </Popover.Content>
    </Popover.Root>
  )
}
