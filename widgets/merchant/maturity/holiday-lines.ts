import { businessConfigs, type Holiday } from '../../../core/contract/common/business-config.ts'
import { isDate } from '../../../core/rules/time.ts'

const { element } = businessConfigs.PUBLIC_HOLIDAYS.schema

/** Why a line is not taken. */
export type BadLine = 'parts' | 'date' | 'name' | 'passed' | 'twice' | 'known'
type Read = { holiday: Holiday; bad?: never } | { holiday?: never; bad: BadLine }
/** A pasted line, by its number, with the holiday that it says or why it is not taken. */
export type HolidayLine = { line: number; text: string } & Read

const readOne = (text: string): Read => {
  const parts = text.split(/[;；\t]/).map(part => part.trim())
  const [date = '', zh, en, sw] = parts
  if (parts.length !== 4) return { bad: 'parts' }
  if (!isDate(date)) return { bad: 'date' }
  const { data } = element.safeParse({ date, name: { zh, en, sw }, closed: true })
  return data ? { holiday: data } : { bad: 'name' }
}

/**
 * The lines of a year as they are pasted, one holiday each: date, Chinese, English and Swahili name, between semicolons or tabs. Empty
 * lines are left out; `today` and what the calendar has already say which cannot be taken.
 */
export const holidayLines = (pasted: string, today: string, known: readonly Holiday[]): HolidayLine[] => {
  const taken = new Set(known.map(one => one.date))
  const seen = new Set<string>()
  return pasted.split('\n').flatMap((text, index): HolidayLine[] => {
    if (!text.trim()) return []
    const at = { line: index + 1, text: text.trim() }
    const read = readOne(text)
    if (!read.holiday) return [{ ...at, bad: read.bad }]
    const { date } = read.holiday
    if (date <= today) return [{ ...at, bad: 'passed' }]
    if (taken.has(date)) return [{ ...at, bad: 'known' }]
    if (seen.has(date)) return [{ ...at, bad: 'twice' }]
    seen.add(date)
    return [{ ...at, holiday: read.holiday }]
  })
}
