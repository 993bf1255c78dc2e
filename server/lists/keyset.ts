import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { invalid } from '../http/fault.ts'

type Frag = RawBuilder<unknown>
type Way = 'asc' | 'desc'

/** A place in the order of a list: what its row is ordered by, as text, its key, and whether more rows matched than are counted. */
export type Place = { value: string | null; key: string; many: boolean }
/** Which rows of the order are wanted: those behind a place, those before it, or those from a number on. */
export type Walk = { from?: Place; back: boolean; offset: number }

/** A place as an opaque cursor; valid only under the same order. */
export const cursorOf = (sort: string, { value, key, many }: Place): string =>
  Buffer.from(JSON.stringify([sort, many, value, key])).toString('base64url')

const parsed = (cursor: string): unknown => {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown
  } catch {
    return undefined
  }
}

const placeOf = (sort: string, cursor: string, path: string): Place => {
  const shape = z.tuple([z.literal(sort), z.boolean(), z.string().nullable(), z.string()])
  const { data } = shape.safeParse(parsed(cursor))
  if (!data) throw invalid(path, 'validation.wrongValue')
  return { many: data[1], value: data[2], key: data[3] }
}

/** Which rows the input of a list asks for. */
export const walkOf = (input: {
  pageNum: number
  pageSize: number
  sort: string
  after?: string | undefined
  before?: string | undefined
}): Walk => {
  const { pageNum, pageSize, sort, after, before } = input
  if (after !== undefined && before !== undefined) throw invalid('before', 'validation.wrongValue')
  if (after !== undefined) return { from: placeOf(sort, after, 'after'), back: false, offset: 0 }
  if (before !== undefined) return { from: placeOf(sort, before, 'before'), back: true, offset: 0 }
  return { back: false, offset: (pageNum - 1) * pageSize }
}

/** A page of rows by keyset: which rows, in what order, from where. */
export type Asked = {
  key: Frag
  /** `from … where …`, whose condition can be narrowed. */
  found: Frag
  by: Frag
  way: Way
  /** Whether the column of the order may be null; nulls are last in both directions. */
  mayBeEmpty: boolean
  size: number
  walk: Walk
}

const ways = { asc: sql`asc`, desc: sql`desc` } as const
const turned = (way: Way): Way => (way === 'asc' ? 'desc' : 'asc')
/** The way in which the rows are found: against the order of the list when its neighbours before are wanted. */
const foundWay = ({ way, walk }: Asked): Way => (walk.back ? turned(way) : way)
const beyond = (way: Way): Frag => (way === 'asc' ? sql`>` : sql`<`)

/** The rows with a value, or those without, in the rest of the order. */
const filled = (asked: Asked): Frag => {
  const { found, by, key, mayBeEmpty, walk } = asked
  const place = walk.from
  const some = mayBeEmpty && place?.value == null ? sql`${found} and ${by} is not null` : found
  return place?.value == null
    ? some
    : sql`${some} and (${by}, ${key}) ${beyond(foundWay(asked))} (${place.value}, ${place.key})`
}
const empty = (asked: Asked): Frag => {
  const { found, by, key, walk } = asked
  const none = sql`${found} and ${by} is null`
  return walk.from?.value === null ? sql`${none} and ${key} ${beyond(foundWay(asked))} ${walk.from.key}` : none
}

/** The rest of the order: one part, or two in sequence. */
const partsOf = (asked: Asked): readonly Frag[] => {
  const { mayBeEmpty, walk } = asked
  if (!mayBeEmpty) return [filled(asked)]
  const isEmpty = walk.from?.value === null
  if (walk.back) return isEmpty ? [empty(asked), filled(asked)] : [filled(asked)]
  return isEmpty ? [empty(asked)] : [filled(asked), empty(asked)]
}

/** How many rows, and from which on: a size that is text lets the database plan a first page once for all values of its filters. */
const part = (size: number, offset: number): Frag =>
  offset ? sql`${sql.raw(`limit ${size}`)} offset ${offset}` : sql.raw(`limit ${size}`)

/** For few rows: finds all by any index, then sorts. */
export const keysOfFew = (asked: Asked): Frag => {
  const { key, by, size, walk } = asked
  const way = ways[foundWay(asked)]
  const parts = walk.from ? partsOf(asked) : [asked.found]
  const all = parts.map(part => sql`select ${key} as key, ${by} as value ${part}`)
  return sql`
    with few as materialized (${sql.join(all, sql` union all `)})
    select key, value from few order by value ${way} nulls ${walk.back ? sql`first` : sql`last`}, key ${way} ${part(size, walk.offset)}`
}

/** Of many rows an index that is in their order ends early; rows without a value are a part of their own, so that one index serves both ways. */
export const keysOfMany = (asked: Asked): Frag => {
  const { key, by, size, walk } = asked
  const way = ways[foundWay(asked)]
  const order = sql`order by ${by} ${way}, ${key} ${way}`
  const [first, second] = partsOf(asked)
  const start = sql`select ${key} as key, ${by} as value ${first} ${order} ${part(size, walk.offset)}`
  if (!second) return start
  const passed = walk.offset
    ? sql`case when exists (select from first_part) then 0 else greatest(0, ${walk.offset} - (select count(*) ${first})) end`
    : sql`0`
  return sql`
    with first_part as materialized (${start})
    select key, value from first_part union all
    (select ${key} as key, ${by} as value ${second} ${order} limit ${size} - (select count(*) from first_part) offset ${passed})`
}

/** The keys of a page in the order of the list, each with what it is ordered by as text. */
export const placed = (keys: Frag, way: Way): Frag => sql`
  select found.key::text as key, found.value::text as value from (${keys}) found
  order by found.value ${ways[way]} nulls last, found.key ${ways[way]}`
