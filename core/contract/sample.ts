import type { z } from 'zod'
import { type Meta, together } from './fields.ts'
import { dice, numberFor, type Place, textFor } from './sample-values.ts'

type Def = {
  type: string
  checks?: readonly unknown[]
  innerType?: z.ZodType
  element?: z.ZodType
  shape?: Record<string, z.ZodType>
  items?: readonly z.ZodType[]
  options?: readonly z.ZodType[]
  entries?: Record<string, unknown>
  values?: readonly unknown[]
  keyType?: z.ZodType
  valueType?: z.ZodType
  in?: z.ZodType
  getter?: () => z.ZodType
}

/** Where the walk through a schema stands. */
type At = Omit<Place, 'own' | 'record'> & { seed: string; path: string; above: string; meta?: Meta; nested: number }

/** How often a schema may contain itself. */
const deepest = 2
const sensitive = /^(phone|idNumber|bankCardNo|walletAccount)$/

/** Texts for patterns that neither kind nor name explains. */
const candidates = [
  '120000.00',
  '12',
  '0.5',
  '256772345678',
  'CM92012345ABCD',
  '100200300400',
  'AB1234',
  'grace@nilecredit.example',
  '2026-11-20',
  '2026-11',
  '492039',
]

const placeOf = (at: At): Place => ({ ...at, own: dice(at.seed + at.path), record: dice(at.seed + at.above) })

/** A time of a working day. */
const clockOf = ({ own }: Place): string => `${own.int(10, 19)}:${own.int(10, 59)}`

const text = (schema: z.ZodString, at: At): string => {
  const masked = !schema.def.checks?.length && sensitive.test(at.meta?.kind ?? '')
  const first =
    at.meta?.kind === 'clock'
      ? clockOf(placeOf(at))
      : textFor(placeOf(at), at.meta?.kind, schema.format ?? undefined, masked)
  const value = [first.slice(0, schema.maxLength ?? undefined), ...candidates].find(
    one => schema.safeParse(one).success,
  )
  if (value === undefined) throw new Error(`no sample for the text${at.path}`)
  return value
}

const number = (schema: z.ZodNumber, at: At): number => {
  const place = placeOf(at)
  const whole = schema.format?.includes('int') ?? false
  return whole ? numberFor(place, schema.minValue ?? 0, schema.maxValue ?? 1_000_000) : place.own.int(60, 100) / 100
}

const array = (schema: z.ZodType, element: z.ZodType, at: At): unknown[] => {
  const { minimum = 0, maximum = 100 } = schema._zod.bag as { minimum?: number; maximum?: number }
  if (at.nested > deepest) return []
  const wanted = placeOf(at).own.int(3, at.name === 'list' ? 12 : 5)
  const length = Math.min(maximum, Math.max(minimum, wanted))
  const values = Array.from({ length }, (_, index) =>
    build(element, { ...at, path: `${at.path}[${index}]`, above: `${at.path}[${index}]`, index }),
  )
  return values.every(value => typeof value === 'string') ? [...new Set(values)] : namedOnce(values)
}

/** What rows go by where there are few such values. */
const fewNames = ['languageCode', 'fieldKey'] as const
/** Rows that go by one of few values, each of these once. */
const namedOnce = (rows: readonly unknown[]): unknown[] => {
  const nameOf = (row: unknown) =>
    fewNames.map(name => (row as Record<string, unknown> | null)?.[name]).find(value => value !== undefined)
  return rows.filter((row, at) => {
    const name = nameOf(row)
    return name === undefined || rows.findIndex(other => nameOf(other) === name) === at
  })
}

const object = (shape: Record<string, z.ZodType>, at: At): Record<string, unknown> => {
  const value = Object.fromEntries(
    Object.entries(shape)
      .map(([name, part]) => [
        name,
        build(part, { ...at, name, path: `${at.path}.${name}`, above: at.path, meta: undefined }),
      ])
      .filter(([, part]) => part !== undefined),
  )
  return Array.isArray(value.list) && typeof value.total === 'number'
    ? { ...value, total: value.list.length, pageNum: 1, pageSize: 20, next: null, previous: null }
    : value
}

const record = (def: Def, at: At): Record<string, unknown> => {
  const known = (def.keyType?.def as Def | undefined)?.entries
  const keys = known
    ? Object.values(known).map(String)
    : ['filters', 'blockedBy'].includes(at.name)
      ? []
      : ['loanAmount', 'version']
  return Object.fromEntries(
    keys.map(name => [name, build(def.valueType as z.ZodType, { ...at, name, path: `${at.path}.${name}` })]),
  )
}

const build = (schema: z.ZodType, above: At): unknown => {
  const def = schema.def as unknown as Def
  const at = { ...above, meta: (schema.meta() as Meta | undefined) ?? above.meta }
  const { example } = (schema.meta() as Meta | undefined) ?? {}
  if (example !== undefined) return structuredClone(example)
  const { own } = placeOf(at)
  const inner = (part: z.ZodType | undefined = def.innerType) => build(part as z.ZodType, at)
  switch (def.type) {
    case 'string':
      return text(schema as z.ZodString, at)
    case 'number':
      return number(schema as z.ZodNumber, at)
    case 'boolean':
      return own.chance(0.4)
    case 'enum':
      return own.pick(Object.values(def.entries ?? {}))
    case 'literal':
      return own.pick(def.values ?? [])
    case 'null':
      return null
    case 'unknown':
    case 'any':
      return 'Checked'
    case 'object':
      return object(def.shape ?? {}, at)
    case 'array':
      return array(schema, def.element as z.ZodType, at)
    case 'record':
      return record(def, at)
    case 'tuple':
      return (def.items ?? [])
        .map((item, index) => build(item, { ...at, path: `${at.path}[${index}]` }))
        .sort(ascending)
    case 'union':
      return inner(own.pick(def.options ?? []))
    case 'optional':
      return (together.has(schema) ? dice(`${at.seed}${at.above}/together`) : own).chance(0.6) ? inner() : undefined
    case 'default':
    case 'prefault':
      return own.chance(0.6) ? inner() : undefined
    case 'nullable':
      return own.chance(at.name === 'pendingApproval' ? 0.9 : 0.2) ? null : inner()
    case 'readonly':
      return inner()
    case 'pipe':
      return inner(def.in)
    case 'lazy':
      return build(def.getter?.() as z.ZodType, { ...at, nested: at.nested + 1 })
    default:
      throw new Error(`no sample for ${def.type} at${at.path}`)
  }
}

/** The lower end of a range first; an open end stays where it is. */
const ascending = (a: unknown, b: unknown) =>
  a === null || b === null ? 0 : String(a).localeCompare(String(b), 'en', { numeric: true })

const thisHour = () => new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000)

/**
 * A believable value that the schema accepts, the same for the same seed and hour: amounts, keys, people and merchants as the business knows
 * them, times within the days before `now`. Rules between fields are met by trying again.
 * @throws when nothing that the schema accepts was found.
 */
export const sample = <S extends z.ZodType>(schema: S, seed = 1, now: Date = thisHour()): z.input<S> => {
  let issues: unknown
  for (let attempt = 0; attempt < 200; attempt++) {
    const value = build(schema, { seed: `${seed}/${attempt}`, path: '', above: '', name: '', index: 0, now, nested: 0 })
    const parsed = schema.safeParse(value)
    if (parsed.success) return value as z.input<S>
    issues = parsed.error.issues
  }
  throw new Error(`no sample: ${JSON.stringify(issues)}`)
}
