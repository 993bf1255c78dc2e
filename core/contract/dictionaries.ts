import type { z } from 'zod'
import { importFails } from './common/imports.ts'
import { uploadRefusals } from './common/upload.ts'
import { endpoints } from './contract.ts'
import type { Meta } from './fields.ts'
import { autoCancelReasons } from './order/cancel-reasons.ts'

/** What no call speaks of: it stands in texts only. */
const unspoken = [autoCancelReasons, importFails, uploadRefusals]

type Known = Map<string, readonly string[]>

const isSchema = (part: object): part is z.ZodType => 'def' in part && 'meta' in part

const collect = (part: unknown, known: Known, seen: Set<unknown>) => {
  if (typeof part !== 'object' || part === null || seen.has(part)) return
  seen.add(part)
  if (!isSchema(part)) {
    for (const inner of Object.values(part)) collect(inner, known, seen)
    return
  }
  const { dict } = (part.meta() ?? {}) as Partial<Meta>
  const options = 'options' in part ? (part.options as string[]) : []
  if (dict && options.length > (known.get(dict)?.length ?? 0)) known.set(dict, options)
  collect(part.def, known, seen)
}

const collected = (): Known => {
  const known: Known = new Map(unspoken.map(({ name, values }) => [name, values]))
  const seen = new Set<unknown>()
  for (const { endpoint } of endpoints) for (const side of [endpoint.input, endpoint.output]) collect(side, known, seen)
  return known
}

/** Every dictionary of the contract with its values, statuses of machines included: for the server and the tests. No screen imports it. */
export const dictionaries: Readonly<Record<string, readonly string[]>> = Object.fromEntries(collected())
