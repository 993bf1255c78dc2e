import type { z } from 'zod'
import { metaOf, weekDays } from '../contract/fields.ts'
import { formatMoney } from '../rules/amount.ts'
import { eatDateTime } from '../rules/time.ts'
import type { Params } from './engine.ts'
import type { Key } from './index.ts'

type Meta = Pick<ReturnType<typeof metaOf>, 'kind' | 'dict'> & { schema?: z.ZodType }

/** The texts of one language; `maybe` takes keys that are put together at run time. */
export type Words = {
  (key: Key, params?: Params): string
  maybe: (key: string, params?: Params) => string | undefined
}

/** Minutes as people say them: 45 min, 3 h 05 min, 2 d 4 h. */
export const minutesText = (t: Words, minutes: number): string => {
  if (minutes < 60) return t('common.minutes', { n: minutes })
  if (minutes < 2880)
    return t('common.hoursMinutes', { h: Math.floor(minutes / 60), m: String(minutes % 60).padStart(2, '0') })
  return t('common.daysHours', { d: Math.floor(minutes / 1440), h: Math.floor((minutes % 1440) / 60) })
}

/** Seconds as people say them: 45 s, 12 min 05 s, from an hour on without the seconds. */
export const secondsText = (t: Words, seconds: number): string => {
  if (seconds < 60) return t('common.seconds', { n: seconds })
  if (seconds >= 3600) return minutesText(t, Math.round(seconds / 60))
  return t('common.minutesSeconds', { m: Math.floor(seconds / 60), s: String(seconds % 60).padStart(2, '0') })
}

/** The word of a dictionary value. */
export const dictText = (t: Words, dict: string | undefined, value: unknown): string =>
  t.maybe(`dict.${dict}.${String(value)}`) ?? String(value)

/** The fields of the rows of a small table. */
const shapeOf = (schema: z.ZodType | undefined): Readonly<Record<string, z.ZodType | undefined>> => {
  const { element, shape } = (schema ?? {}) as { element?: z.ZodType; shape?: Record<string, z.ZodType> }
  return shape ?? (element ? shapeOf(element) : {})
}

/** The parts of a row of a small table in the order of its fields, each in words by its kind; numbers above zero have their sign. */
const partsOf = (t: Words, row: object, schema: z.ZodType | undefined): string => {
  const shape = shapeOf(schema)
  // The database keeps the names of an object in an order of its own.
  const values = new Map<string, unknown>([
    ...Object.keys(shape).map(name => [name, null] as const),
    ...Object.entries(row),
  ])
  return [...values]
    .filter(([, part]) => part !== null && part !== undefined && typeof part !== 'object')
    .map(([name, part]) => {
      if (typeof part === 'number' && part > 0) return `+${part}`
      const own = shape[name]
      return own ? plain(t, metaOf(own), part) : String(part)
    })
    .join(' ')
}

/** Days of the week in their order; three and more that follow one another as the first and the last. */
const daysText = (t: Words, days: readonly unknown[]): string => {
  const all: readonly string[] = weekDays.values
  const runs: number[][] = []
  for (const at of all.keys()) {
    if (!days.includes(all[at])) continue
    const last = runs.at(-1)
    if (last?.at(-1) === at - 1) last.push(at)
    else runs.push([at])
  }
  const word = (at: number) => dictText(t, weekDays.name, all[at])
  const said = (run: readonly number[]) =>
    run.length > 2 ? [`${word(run[0] as number)}–${word(run.at(-1) as number)}`] : run.map(word)
  return runs.flatMap(said).join(', ')
}

/** A value in plain letters by the kind of its field: words for dictionaries, separators in amounts, whole EAT stamps. Empty for none. */
export const plain = (t: Words, meta: Meta, value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'object' && !Array.isArray(value)) return partsOf(t, value, meta.schema)
  if (Array.isArray(value) && meta.kind === 'weekDays') return daysText(t, value)
  if (Array.isArray(value)) return value.map(one => plain(t, meta, one)).join(', ')
  switch (meta.kind) {
    case 'money':
      return formatMoney(String(value))
    case 'dict':
      return dictText(t, meta.dict, value)
    case 'percent':
      return `${String(value)}%`
    case 'time':
      return eatDateTime(String(value))
    case 'flag':
      return value ? t('common.yes') : t('common.no')
    case 'minutes':
      return minutesText(t, Number(value))
    case 'seconds':
      return secondsText(t, Number(value))
    default:
      return String(value)
  }
}
