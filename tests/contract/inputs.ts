import type { z } from 'zod'
import type { Endpoint } from '../../core/contract/endpoint.ts'
import { sample } from '../../core/contract/sample.ts'

export type Input = Record<string, unknown>

type Def = { options?: z.ZodType[]; in?: z.ZodType; shape?: Record<string, z.ZodType> }
const seeds = Array.from({ length: 160 }, (_, index) => index + 1)

const drawn = new WeakMap<z.ZodType, Map<number, Input>>()

/** A believable input of an endpoint; drawn once, so do not change it. */
export const inputOf = ({ input }: Pick<Endpoint, 'input'>, seed = 1): Input => {
  const known = drawn.get(input) ?? new Map<number, Input>()
  drawn.set(input, known)
  const found = known.get(seed) ?? (sample(input, seed) as Input)
  known.set(seed, found)
  return found
}

const shapesOf = (schema: z.ZodType): Record<string, z.ZodType>[] => {
  const def = schema.def as unknown as Def
  if (def.options) return def.options.flatMap(shapesOf)
  return def.in ? shapesOf(def.in) : [def.shape ?? {}]
}

/** Each top-level field, of every variant of the input, with its schema and an otherwise right input that has it. */
export const fieldsOf = (endpoint: Endpoint): { name: string; schema: z.ZodType; input: Input }[] => {
  const found = new Map(shapesOf(endpoint.input).flatMap(shape => Object.entries(shape)))
  return [...found].map(([name, schema]) => {
    const seed = seeds.find(one => name in inputOf(endpoint, one))
    const input = seed && inputOf(endpoint, seed)
    if (!input) throw new Error(`${endpoint.path}: no sample has ${name}`)
    return { name, schema, input }
  })
}

/** A value that is of another type than the field wants. In a query everything is text: there it is text of another form. */
export const misfit = (endpoint: Endpoint, schema: z.ZodType): unknown =>
  (endpoint.method !== 'POST' ? ['   ', 'x'] : [{ not: 'this' }, 12.5, 'x', true]).find(
    value => !schema.safeParse(value).success,
  )

type Path = readonly (string | number)[]

/** Where a value holds what passes a test; of a list its first element stands for all. */
export const leaves = (value: unknown, test: (value: unknown) => boolean, at: Path = []): Path[] => {
  if (test(value)) return [at]
  if (Array.isArray(value)) return value.length ? leaves(value[0], test, [...at, 0]) : []
  if (value && typeof value === 'object')
    return Object.entries(value).flatMap(([key, inner]) => leaves(inner, test, [...at, key]))
  return []
}

/** The value with another one at a place. */
export const replaced = (value: unknown, [step, ...rest]: Path, by: unknown): unknown => {
  if (step === undefined) return by
  if (Array.isArray(value)) return value.map((inner, index) => (index === step ? replaced(inner, rest, by) : inner))
  const record = value as Input
  return { ...record, [step]: replaced(record[step], rest, by) }
}

/** The input with each of its texts, or numbers, in turn replaced by another value, at any depth. */
export const spoilt = (endpoint: Endpoint, kind: 'string' | 'number', by: unknown): { at: string; input: Input }[] => {
  const found = new Map<string, Input>()
  for (const { input } of fieldsOf(endpoint))
    for (const path of leaves(input, value => typeof value === kind))
      found.set(path.join('.'), replaced(input, path, by) as Input)
  return [...found].map(([at, input]) => ({ at, input }))
}
