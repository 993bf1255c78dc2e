import { weekDays } from '../../../contract/fields.ts'
import { useText } from '../../../element/i18n.ts'
import { dictText } from '../../../i18n/plain.ts'
import { Button, Flex } from '../../../ui/basics.ts'
import type { InputProps } from './input-props.ts'

/** A button for each day of the week, pressed for those that are chosen. */
export const WeekDaysInput = ({ tied, value, onChange }: InputProps) => {
  const t = useText()
  const chosen: readonly unknown[] = Array.isArray(value) ? value : []
  const turn = (day: string) => {
    const next = weekDays.values.filter(one => chosen.includes(one) !== (one === day))
    onChange(next.length ? next : undefined)
  }
  return (
    <Flex
      gap="1"
      wrap="wrap"
      role="group"
      data-invalid={tied['aria-invalid']}
      aria-labelledby={tied['aria-labelledby']}
      aria-describedby={tied['aria-describedby']}
    >
      {weekDays.values.map((day, index) => (
        <Button
          key={day}
          type="button"
          {...(index === 0 ? { id: tied.id } : {})}
          size="1"
          variant={chosen.includes(day) ? 'solid' : 'soft'}
          color={chosen.includes(day) ? undefined : 'gray'}
          // The label of the field leads to the first button, and would name it.
          aria-label={dictText(t, weekDays.name, day)}
          aria-pressed={chosen.includes(day)}
          onClick={() => turn(day)}
        >
          {dictText(t, weekDays.name, day)}
        </Button>
      ))}
    </Flex>
  )
}
