import type { z } from 'zod'
import { mask } from '../rules/mask.ts'
import { type Kind, metaOf, type SensitiveKind, sensitiveKinds } from './fields.ts'

/** Hides a value, and leaves what need not be hidden as it is. */
export type Masker = (value: unknown) => unknown
type Def = {
  type: string
  innerType?: z.ZodType
  element?: z.ZodType
  shape?: Record<string, z.ZodType>
  options?: z.ZodType[]
  valueType?: z.ZodType
}
/** The reader, and where they read. */
export type Who = {
  inList: boolean
  desensitized: boolean
  /** Kinds of which nothing is shown where they are hidden. */
  full?: ReadonlySet<SensitiveKind>
}

/** What stands for a value of which nothing is shown. */
const nothing = '*****'
const hidden = (kind: Kind, { full }: Who): ((text: string) => string) =>
  full?.has(kind as SensitiveKind) ? text => (text === '' ? '' : nothing) : mask

const hides = (kind: Kind, { inList, desensitized }: Who) =>
  (sensitiveKinds as readonly string[]).includes(kind)
    ? inList || desensitized
    : (kind === 'customerName' || kind === 'email') && desensitized

const masker = (schema: z.ZodType, who: Who): Masker | null => {
  const def = schema.def as unknown as Def
  if (def.innerType) return masker(def.innerType, who)
  if (def.type === 'array' && def.element) {
    const each = masker(def.element, who)
    return each && (value => (Array.isArray(value) ? value.map(each) : value))
  }
  if (def.type === 'object' && def.shape) {
    const parts = Object.entries(def.shape).flatMap(([key, inner]) => {
      const part = masker(inner, who)
      return part ? [[key, part] as const] : []
    })
    if (parts.length === 0) return null
    return value => {
      if (!value || typeof value !== 'object') return value
      const shown: Record<string, unknown> = { ...value }
      for (const [key, part] of parts) if (key in shown) shown[key] = part(shown[key])
      return shown
    }
  }
  const { kind } = metaOf(schema)
  if (def.type !== 'string' || !hides(kind, who)) return null
  const hide = hidden(kind, who)
  return value => (typeof value === 'string' ? hide(value) : value)
}

const known = new WeakMap<z.ZodType, Map<string, Masker>>()

/** How values of a schema are hidden from somebody: what {@link masked} does, for many values. */
export const maskerOf = (schema: z.ZodType, who: Who): Masker => {
  const key = `${who.inList}${who.desensitized}${[...(who.full ?? [])].sort()}`
  const bySchema = known.get(schema) ?? new Map<string, Masker>()
  known.set(schema, bySchema)
  let apply = bySchema.get(key)
  if (!apply) bySchema.set(key, (apply = masker(schema, who) ?? (value => value)))
  return apply
}

/** Hides sensitive values of an answer by the kind of its fields: in lists for everybody, elsewhere for desensitised users. */
export const masked = (schema: z.ZodType, who: Who, answer: unknown): unknown => maskerOf(schema, who)(answer)

const isSensitive = (kind: Kind): kind is SensitiveKind => (sensitiveKinds as readonly string[]).includes(kind)

/** The sensitive kinds that a schema can hold, or of which a value holds one. */
const kindsIn = (schema: z.ZodType, value?: { of: unknown }): SensitiveKind[] => {
  const def = schema.def as unknown as Def
  if (value && (value.of === null || value.of === undefined)) return []
  if (def.innerType) return kindsIn(def.innerType, value)
  if (def.type === 'array' && def.element) {
    const element = def.element
    if (!value) return kindsIn(element)
    return Array.isArray(value.of) ? value.of.flatMap(of => kindsIn(element, { of })) : []
  }
  if (def.type === 'object' && def.shape)
    return Object.entries(def.shape).flatMap(([key, inner]) =>
      kindsIn(inner, value && { of: (value.of as Record<string, unknown>)[key] }),
    )
  const { kind } = metaOf(schema)
  return def.type === 'string' && isSensitive(kind) && value?.of !== '' ? [kind] : []
}

const possible = new WeakMap<z.ZodType, boolean>()

/** Whether answers of a schema can hold sensitive values. */
export const mayHoldSensitive = (schema: z.ZodType): boolean => {
  const known = possible.get(schema) ?? kindsIn(schema).length > 0
  possible.set(schema, known)
  return known
}

/** The sensitive kinds that answers of a schema can hold. */
export const kindsOf = (schema: z.ZodType): SensitiveKind[] => [...new Set(kindsIn(schema))]

/** The sensitive kinds of which an answer holds a value. */
export const sensitiveIn = (schema: z.ZodType, answer: unknown): SensitiveKind[] => [
  ...new Set(kindsIn(schema, { of: answer })),
]
