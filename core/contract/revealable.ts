import type { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import { type Meta, metaOf, type SensitiveKind, sensitiveKinds } from './fields.ts'

type ObjectType = NonNullable<Meta['of']>
/** A value that may be asked for in full: of which kind it is, and the codes of the calls that show it masked, any of which suffices. */
export type Revealable = { objectType: ObjectType; field: string; kind: SensitiveKind; perms: Set<string> }

type Def = {
  type: string
  innerType?: z.ZodType
  element?: z.ZodType
  shape?: Record<string, z.ZodType>
  options?: z.ZodType[]
}

const isSensitive = (kind: string): kind is SensitiveKind => (sensitiveKinds as readonly string[]).includes(kind)

const fieldsOf = (schema: z.ZodType, field = ''): Omit<Revealable, 'perms'>[] => {
  const { type, innerType, element, shape, options } = schema.def as unknown as Def
  if (innerType) return fieldsOf(innerType, field)
  if (type === 'array' && element) return fieldsOf(element, field)
  if (shape) return Object.entries(shape).flatMap(([name, inner]) => fieldsOf(inner, name))
  if (options) return options.flatMap(option => fieldsOf(option, field))
  const { kind, of: objectType } = metaOf(schema)
  return objectType && isSensitive(kind) ? [{ objectType, field, kind }] : []
}

/** By what a reveal is asked for. */
export const revealKey = ({ objectType, field }: Pick<Revealable, 'objectType' | 'field'>): string =>
  `${objectType}.${field}`

/**
 * What the answers of calls declare revealable: their sensitive fields that name an object. Nothing else is ever revealed, and only to who
 * may give such a call.
 */
export const revealables = (endpoints: readonly Endpoint[]): ReadonlyMap<string, Revealable> => {
  const found = new Map<string, Revealable>()
  for (const { output, perm, anyPerm } of endpoints)
    for (const one of fieldsOf(output)) {
      const known = found.get(revealKey(one)) ?? { ...one, perms: new Set() }
      if (known.kind !== one.kind) throw new Error(`${revealKey(one)} is a ${known.kind} here and a ${one.kind} there`)
      for (const code of [...(perm ? [perm] : []), ...(anyPerm ?? [])]) known.perms.add(code)
      found.set(revealKey(one), known)
    }
  return found
}
