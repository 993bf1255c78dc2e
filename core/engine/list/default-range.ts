import type { z } from 'zod'
import type { ListState } from '../../client/url-state.ts'
import { metaOf, sensitiveKinds } from '../../contract/fields.ts'
import type { Listed, ListScreen } from '../screen.ts'

type Filters = ListState['filters']
type Of = Pick<ListScreen<Listed>, 'list' | 'start'>

const isExact = (list: Listed, name: string) => {
  const schema = list.filters[name] as z.ZodType | undefined
  if (!schema) return false
  const { kind, many } = metaOf(schema)
  return !many && (kind === 'key' || (sensitiveKinds as readonly string[]).includes(kind))
}
const namesOne = (list: Listed, filters: Filters) =>
  Object.entries(filters).some(([name, value]) => value !== undefined && isExact(list, name))

/** The date ranges that a list starts with. */
export const startRanges = ({ list, start = {} }: Of): Filters =>
  Object.fromEntries(
    Object.entries(start).filter(([name]) => {
      const { kind, range } = metaOf(list.filters[name] as z.ZodType)
      return range && kind === 'time'
    }),
  )

/** Filters without the date ranges that the list starts with. */
export const withoutStartRanges = (of: Of, filters: Filters): Filters => {
  const ranges = startRanges(of)
  return Object.fromEntries(
    Object.entries(filters).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(ranges[name])),
  )
}

const same = (a: Filters, b: Filters) => JSON.stringify(a) === JSON.stringify(b)

/**
 * An exact number or phone is looked for at any time: it suspends the date range that the list, or its quick filter, has begun with.
 * When it is taken away and nothing else is asked for, the list is as it began.
 */
export const suspending = (of: Of, before: Filters, after: Filters): Filters => {
  const [was, is] = [namesOne(of.list, before), namesOne(of.list, after)]
  if (is === was) return after
  if (is) return withoutStartRanges(of, after)
  const start = (of.start ?? {}) as Filters
  return same(after, withoutStartRanges(of, start)) ? start : after
}
