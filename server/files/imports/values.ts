import type { z } from 'zod'
import { type Kind, metaOf } from '../../../core/contract/fields.ts'
import { languages } from '../../../core/i18n/language.ts'
import { isKey, text } from '../../../core/i18n/server.ts'
import { parseMoneyInput } from '../../../core/rules/amount.ts'
import { isDate, parseEat } from '../../../core/rules/time.ts'
import type { Fault } from '../../http/fault.ts'
import { explain } from '../../http/validation.ts'
import { dayText } from './read/xlsx-read.ts'

/** What is wrong with a row, at its columns; words are text keys, so that everybody reads them in their own language. */
export type RowMessage = { path: string; key: string; params: Record<string, string | number> }
/** A row of a file as values, or what is wrong with it. */
export type ReadRow = { values: Record<string, unknown> } | { messages: RowMessage[] }

/** A cell that a spreadsheet has made another value of than was typed. */
class Misread extends Error {
  readonly key: string
  constructor(key: string) {
    super(key)
    this.key = key
  }
}

/** `2.56E+11`: the end of the number is gone. */
const shortened = /^[+-]?\d+(?:[.,]\d+)?E[+-]?\d+$/i
const serialNumber = /^\d{5}(?:\.\d+)?$/
const grouped = /^\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?$/

/** Letters that look like a space, and the ones in which programs protect a text from being calculated. */
const tidy = (cell: string): string => {
  const text = cell.replace(/[\u00A0\u2007\u202F\u3000]/g, ' ').trim()
  const kept = /^="([^"]*)"$/.exec(text)?.[1] ?? text
  return /^'[=+\-@＝＋－＠]/.test(kept) ? kept.slice(1) : kept
}

const refuseShortened = (text: string): string => {
  if (shortened.test(text)) throw new Misread('validation.excelShortened')
  return text
}

const amount = (text: string): string => {
  const digits = refuseShortened(text)
    .replace(/^UGX\s*/i, '')
    .replace(/(?<=\d) (?=\d{3})/g, ',')
  if (digits.includes(',') && !grouped.test(digits)) throw new Misread('validation.moneyFormat')
  const read = parseMoneyInput(digits, { negative: true })
  if (read === null) throw new Misread('validation.moneyFormat')
  return read
}

const whole = (text: string): number => {
  const digits = refuseShortened(text)
  if (!/^-?\d+$/.test(digits) && !/^\d{1,3}(?:,\d{3})+$/.test(digits)) throw new Misread('validation.wholeNumber')
  return Number(digits.replaceAll(',', ''))
}

/** `2026/11/2 9:05` as `2026-11-02 09:05`. Days that begin with the day or the month could be either: they are not read. */
const wallClock = (text: string): string => {
  const plain = serialNumber.test(text) ? dayText(Number(text)) : text
  const match = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[ T]+(\d{1,2}:\d{2}(?::\d{2})?))?$/.exec(plain)
  if (!match) return plain
  const [, year, month = '', day = '', time] = match
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return time ? `${date} ${time.padStart(time.length + (time.indexOf(':') === 1 ? 1 : 0), '0')}` : date
}

const instant = (text: string): string => {
  if (/^\d{4}-\d{2}-\d{2}T.*(?:Z|[+-]\d{2}:\d{2})$/.test(text) && !Number.isNaN(Date.parse(text)))
    return new Date(text).toISOString()
  const clock = wallClock(text)
  const read = parseEat(isDate(clock) ? `${clock} 00:00` : clock)
  if (read === null) throw new Misread('validation.timeFormat')
  return read
}

const day = (text: string): string => {
  const clock = wallClock(text).replace(/ 00:00(:00)?$/, '')
  if (!isDate(clock)) throw new Misread('validation.dateFormat')
  return clock
}

/** `0772 000 031`, `772000031` and `+256 772 000031` as `256772000031`. */
const phone = (text: string): string => {
  const digits = refuseShortened(text).replace(/[\s()+-]/g, '')
  return /^0?[1-9]\d{8}$/.test(digits) ? `256${digits.replace(/^0/, '')}` : digits
}

const same = (a: string, b: string) => a.normalize('NFKC').toLowerCase() === b.normalize('NFKC').toLowerCase()
const said = (key: string) => (isKey(key) ? languages.map(language => text(language, key)) : [])

/** The value of a dictionary by itself or by its word in any language. */
const ofDictionary = (dict: string, schema: z.ZodType, cell: string): string => {
  const { entries = {} } = schema.def as unknown as { entries?: Record<string, string> }
  const found = Object.values(entries).find(value =>
    [value, ...said(`dict.${dict}.${value}`)].some(one => same(one, cell)),
  )
  return found ?? cell
}

const flag = (cell: string): unknown => {
  if (['1', 'true', ...said('common.yes')].some(one => same(one, cell))) return true
  return ['0', 'false', ...said('common.no')].some(one => same(one, cell)) ? false : cell
}

const readers: Partial<Record<Kind, (text: string) => unknown>> = {
  money: amount,
  int: whole,
  minutes: whole,
  seconds: whole,
  time: instant,
  date: day,
  phone,
  walletAccount: phone,
  flag,
}

/** A cell by the kind of its column; nothing where it is empty. */
const cellValue = (schema: z.ZodType, cell: string): unknown => {
  const text = tidy(cell)
  if (text === '') return undefined
  const { kind, dict, schema: inner } = metaOf(schema)
  if (kind === 'dict' && dict) return ofDictionary(dict, inner, text)
  return (readers[kind] ?? refuseShortened)(text)
}

type Explained = { fields: { path: string; key: string; params: Record<string, string | number> }[] }

/** A row of a file as its schema wants it, or what is wrong with it. */
export const readRow = (row: z.ZodObject, columns: readonly string[], cells: readonly string[]): ReadRow => {
  const values: Record<string, unknown> = {}
  const messages: RowMessage[] = []
  for (const [at, column] of columns.entries()) {
    try {
      const value = cellValue(row.shape[column] as z.ZodType, cells[at] ?? '')
      if (value !== undefined) values[column] = value
    } catch (error) {
      if (!(error instanceof Misread)) throw error
      messages.push({ path: column, key: error.key, params: {} })
    }
  }
  const parsed = row.safeParse(values)
  if (parsed.success && messages.length === 0) return { values: parsed.data }
  const wrong = new Set(messages.map(message => message.path))
  const issues = parsed.success ? [] : (explain(parsed.error.issues).data as Explained).fields
  return { messages: [...messages, ...issues.filter(issue => !wrong.has(issue.path))] }
}

/** A refusal of the rules as messages of a row. */
export const messagesOf = (fault: Fault): RowMessage[] => {
  const { fields } = (fault.data ?? {}) as Partial<Explained>
  return fields ?? [{ path: '', key: fault.key, params: fault.params }]
}
