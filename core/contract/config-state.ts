import { z } from 'zod'
import type { ConfigCodes } from './config-codes.ts'
import { command, type Endpoint, results } from './endpoint.ts'
import { field } from './fields.ts'

/** Most rows of one command on several. */
export const maxConfigRows = 200

type Of = { name: string; path: `/${string}`; codes: ConfigCodes; key: string; money?: Endpoint['money'] }
type On = (event: string, ...or: string[]) => NonNullable<Endpoint['on']>

/** Enable, disable and delete of a config: of one item and of several. */
export const stateCommands = ({ name, path, codes, key, money }: Of, on: On) => {
  const concerns = money && { money }
  const one = { [key]: field.key(), version: z.int() }
  const many = { [`${key}s`]: z.array(field.key()).min(1).max(maxConfigRows) }
  const state = command({
    ...concerns,
    path: `${path}/state`,
    perm: codes.enable,
    audit: `${name}.state`,
    on: on('item.enable', 'item.disable'),
    input: z.strictObject({ ...one, enabled: field.flag() }) as z.ZodObject,
    output: z.object({ version: z.int(), approvalNo: z.string().nullable() }),
  })
  const remove = command({
    ...concerns,
    path: `${path}/delete`,
    perm: codes.delete,
    audit: `${name}.delete`,
    on: on('item.delete'),
    input: z.strictObject(one) as z.ZodObject,
    output: z.object({}),
  })
  const states = command({
    ...concerns,
    path: `${path}/states`,
    perm: codes.enable,
    audit: `${name}.states`,
    on: { ...on('item.enable', 'item.disable'), key: `${key}s` },
    input: z.strictObject({ ...many, enabled: field.flag() }) as z.ZodObject,
    output: results,
  })
  const removes = command({
    ...concerns,
    path: `${path}/deletes`,
    perm: codes.delete,
    audit: `${name}.deletes`,
    on: { ...on('item.delete'), key: `${key}s` },
    input: z.strictObject(many) as z.ZodObject,
    output: results,
  })
  return { state, remove, states, removes }
}
