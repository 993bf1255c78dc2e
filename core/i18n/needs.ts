import type { z } from 'zod'
import type { Endpoint } from '../contract/endpoint.ts'
import type { Meta } from '../contract/fields.ts'
import { dictionariesOf } from './owners.gen.ts'
import type { nouns } from './zh/index.gen.ts'

/** What a screen fetches words by; the words of all screens are no part of these. */
export type Namespace = keyof typeof nouns

const owners = new Map(
  Object.entries(dictionariesOf).flatMap(([namespace, dicts]) => dicts.split(' ').map(dict => [dict, namespace])),
)

/** Where the words of a dictionary lie, unless every screen has them. */
export const ownerOf = (dict: string): string | undefined => owners.get(dict)

const isSchema = (part: object): part is z.ZodType => 'def' in part && 'meta' in part

/** The dictionaries that a schema speaks of. */
const spoken = (part: unknown, seen: Set<unknown>): readonly string[] => {
  if (typeof part !== 'object' || part === null || seen.has(part)) return []
  seen.add(part)
  if (!isSchema(part)) return Object.values(part).flatMap(inner => spoken(inner, seen))
  const { dict, changes = [] } = (part.meta() ?? {}) as Partial<Meta>
  const { checks: _, ...inner } = part.def as z.ZodType['def'] & { checks?: unknown }
  return [...(dict ? [dict] : []), ...changes, ...spoken(inner, seen)]
}

const known = new WeakMap<Endpoint, readonly string[]>()

/** The dictionaries that the input and output of a call speak of. */
export const dictionariesIn = (call: Endpoint): readonly string[] => {
  const found = known.get(call) ?? [...new Set(spoken([call.input, call.output], new Set()))]
  known.set(call, found)
  return found
}

/** The nouns of calls, and the namespaces in which the words of their dictionaries lie. */
export const needsOf = (calls: readonly Endpoint[]) => ({
  nouns: [...new Set(calls.flatMap(call => call.noun ?? []))],
  dictionaries: [...new Set(calls.flatMap(dictionariesIn).flatMap(dict => ownerOf(dict) ?? []))],
})
