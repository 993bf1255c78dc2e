import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { endpoints } from '../../core/contract/contract.ts'
import { type Endpoint, maxChoices } from '../../core/contract/endpoint.ts'
import { machineOf } from '../../core/rules/machines/machines.ts'
import { ofCall } from '../../server/testing/all-facts.ts'

/** Whether a row of a machine asks for this code; `{ns}` and `{area}` stand for those of each screen. */
const asksFor = (row: { perm?: string }, perm: string | undefined) =>
  row.perm?.includes('{area}')
    ? perm?.endsWith(row.perm.slice('{area}'.length)) === true
    : (row.perm?.replace('{ns}', 'postloan').split(' or ') ?? [undefined]).some(one => one === perm)

type Def = {
  type: string
  catchall?: z.ZodType
  shape?: Record<string, z.ZodType>
  options?: z.ZodType[]
  in?: z.ZodType
}
const defOf = (schema: z.ZodType) => schema.def as unknown as Def
const objectsOf = (schema: z.ZodType): Def[] => {
  const def = defOf(schema)
  if (def.options) return def.options.flatMap(objectsOf)
  return def.in ? objectsOf(def.in) : [def]
}
const fieldsOf = (endpoint: Endpoint) => objectsOf(endpoint.input).flatMap(def => Object.keys(def.shape ?? {}))

type Json = { type?: string; maxItems?: number; [part: string]: unknown }

/** Every array of an input with how many values it takes. */
const arraysOf = (schema: unknown, at = ''): { at: string; most: number }[] => {
  if (!schema || typeof schema !== 'object') return []
  const { type, maxItems = Number.POSITIVE_INFINITY, prefixItems } = schema as Json
  const own = type === 'array' && !prefixItems ? [{ at, most: maxItems }] : []
  return [...own, ...Object.entries(schema).flatMap(([part, inner]) => arraysOf(inner, `${at}/${part}`))]
}

describe.each(endpoints)('$name', ({ endpoint }) => {
  const staff = endpoint.auth === 'staff'

  if (!endpoint.foreign)
    it('bounds every array, and that of a filter by a thousand values', () => {
      const arrays = arraysOf(z.toJSONSchema(endpoint.input, { io: 'input', unrepresentable: 'any' }))
      const most = 'row' in endpoint ? maxChoices : 50_000
      expect(arrays.filter(array => array.most > most)).toEqual([])
    })

  if (!endpoint.foreign)
    it('takes an object with known keys only', () => {
      for (const { type, catchall } of objectsOf(endpoint.input)) {
        expect(type).toBe('object')
        expect(catchall?.def.type, 'z.strictObject').toBe('never')
      }
    })

  it('finds the names of its path in its input', () => {
    for (const [, field] of endpoint.path.matchAll(/\{(\w+)\}/g)) expect(fieldsOf(endpoint)).toContain(field)
  })

  if (endpoint.on && staff)
    it('fires an event that there is, under the code that its row asks for', () => {
      const { machine, event, key } = endpoint.on!
      const rows = machineOf(machine).rows.filter(row => row.event === event)
      expect(rows, `${machineOf(machine).id} has no ${event}`).not.toHaveLength(0)
      if (!rows.every(row => row.from.includes('∅'))) expect(fieldsOf(endpoint)).toContain(key)
      if (ofCall(endpoint).otherPerm) return
      expect(
        rows.some(row => [endpoint.perm, ...(endpoint.anyPerm ?? [])].some(perm => asksFor(row, perm))),
        `${event} asks for another code`,
      ).toBe(true)
      expect(endpoint.perm).not.toBe('system')
    })

  if (endpoint.on && !staff)
    it('serves a partner only what the system does', () => {
      const { machine, event } = endpoint.on!
      const rows = machineOf(machine).rows.filter(row => row.event === event)
      expect(new Set(rows.map(row => row.perm))).toEqual(new Set(['system']))
    })

  if (endpoint.audit)
    it('names what it does in the audit log, as a POST', () => {
      expect(endpoint.method).toBe('POST')
      expect(endpoint.audit).toMatch(/^[a-z]\w+\.[a-z]\w+$/i)
    })
})

const unique = (values: readonly string[]) =>
  expect(values.filter((value, at) => values.indexOf(value) !== at)).toEqual([])

it('has one endpoint per path', () => {
  unique(endpoints.map(({ endpoint }) => endpoint.path.replace(/\{\w+\}/g, '{}')))
})

it('excuses no endpoint that needs no excuse', () => {
  for (const { name, endpoint } of endpoints) {
    if (!ofCall(endpoint).otherPerm) continue
    const rows = machineOf(endpoint.on!.machine).rows.filter(row => row.event === endpoint.on!.event)
    expect(
      rows.some(row => asksFor(row, endpoint.perm)),
      name,
    ).toBe(false)
  }
})

it('lets only reads and work on the own screen go without an audit line', () => {
  const silent = endpoints.filter(({ endpoint }) => endpoint.on && !endpoint.audit)
  expect(silent.filter(({ endpoint }) => !ofCall(endpoint).silent).map(({ name }) => name)).toEqual([])
  for (const { name, endpoint } of endpoints)
    if (ofCall(endpoint).silent) expect(endpoint.on && !endpoint.audit, name).toBe(true)
})
