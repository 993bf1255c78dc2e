import { DayPicker } from 'react-day-picker'
import { useSheet } from '../element/styles.ts'
import sheet from './calendar.css?sheet'

const toDate = (day: string | null) => (day ? new Date(`${day}T12:00:00`) : undefined)
const fromDate = (date: Date | undefined) =>
  date
    ? `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`
    : null

const named = (language: string) => {
  const month = new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : language, { year: 'numeric', month: 'long' })
  const weekday = new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : language, { weekday: 'narrow' })
  return { formatCaption: (date: Date) => month.format(date), formatWeekdayName: (date: Date) => weekday.format(date) }
}

type Common = { language: string; words: { next: string; previous: string }; min?: string; max?: string }
const shared = ({ language, words, min, max }: Common) => ({
  formatters: named(language),
  labels: { labelNext: () => words.next, labelPrevious: () => words.previous },
  weekStartsOn: 1 as const,
  disabled: [...(min ? [{ before: toDate(min) as Date }] : []), ...(max ? [{ after: toDate(max) as Date }] : [])],
})

/** A month to choose one day from; days are `YYYY-MM-DD`, whatever the zone of the browser. */
export const DayCalendar = ({
  value,
  onChange,
  ...common
}: Common & { value: string | null; onChange: (day: string | null) => void }) => {
  useSheet(sheet)
  return (
    <DayPicker
      {...shared(common)}
      mode="single"
      selected={toDate(value)}
      defaultMonth={toDate(value)}
      onSelect={day => onChange(fromDate(day))}
    />
  )
}

/** A month to choose a first and a last day from. */
export const RangeCalendar = ({
  value,
  onChange,
  ...common
}: Common & {
  value: readonly [string | null, string | null]
  onChange: (range: [string | null, string | null]) => void
}) => {
  useSheet(sheet)
  const [from, to] = value
  return (
    <DayPicker
      {...shared(common)}
      mode="range"
      selected={{ from: toDate(from), to: toDate(to) }}
      defaultMonth={toDate(to ?? from)}
      onSelect={range => onChange([fromDate(range?.from), fromDate(range?.to)])}
    />
  )
}
