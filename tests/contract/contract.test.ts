import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { endpoints } from '../../core/contract/contract.ts'
import type { Endpoint } from '../../core/contract/endpoint.ts'
import type { Machine } from '../../core/rules/machines/machine.ts'
import { machines } from '../../core/rules/machines/machines.ts'

/** Endpoints whose event is asked for under another code than its row, and why. */
const otherPerm: Record<string, string> = {
  'common.approve': 'the code of the check belongs to the action that is held; the server asks for it row by row',
  'common.reject': 'the code of the check belongs to the action that is held; the server asks for it row by row',
  'common.withdraw': 'only the maker may withdraw, with whatever code the action has',
  'loan.userInfo':
    'correcting the payee prepares the new code; it may be done in the states from which one can be made',
  'imports.confirm': 'the code is that of the list that the file was brought for; the server asks for it row by row',
  'imports.cancel': 'the code is that of the list that the file was brought for; the server asks for it row by row',
  'exports.retry': 'the code is that of the list that was exported; the server asks for it row by row',
  'repay.commit': 'the order ends by itself when nothing is left; the form asks whether it still can',
  'repay.zeroSettle': 'the order ends by itself when nothing is left; the form asks whether it still can',
}
/** Inputs that take what they do not know: the words of others. */
const loose = new Set(['intake.callback'])

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

describe.each(endpoints)('$name', ({ name, endpoint }) => {
  const staff = endpoint.auth === 'staff'

  if (!loose.has(name))
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
      const rows = (machines[machine] as Machine).rows.filter(row => row.event === event)
      expect(rows, `${machine} has no ${event}`).not.toHaveLength(0)
      if (!rows.every(row => row.from.includes('∅'))) expect(fieldsOf(endpoint)).toContain(key)
      if (otherPerm[name]) return
      expect(
        rows.some(row => asksFor(row, endpoint.perm)),
        `${event} asks for another code`,
      ).toBe(true)
      expect(endpoint.perm).not.toBe('system')
    })

  if (endpoint.on && !staff)
    it('serves a partner only what the system does', () => {
      const { machine, event } = endpoint.on!
      const rows = (machines[machine] as Machine).rows.filter(row => row.event === event)
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

it('excuses no endpoint that there is not, or that needs no excuse', () => {
  const names = new Set(endpoints.map(({ name }) => name))
  for (const name of [...Object.keys(otherPerm), ...loose]) expect(names).toContain(name)
  for (const { name, endpoint } of endpoints) {
    if (!otherPerm[name]) continue
    const rows = (machines[endpoint.on!.machine] as Machine).rows.filter(row => row.event === endpoint.on!.event)
    expect(
      rows.some(row => asksFor(row, endpoint.perm)),
      name,
    ).toBe(false)
  }
})

it('lets only reads and work on the own screen go without an audit line', () => {
  const silent = endpoints.filter(({ endpoint }) => endpoint.on && !endpoint.audit).map(({ name }) => name)
  expect(silent).toEqual(['audit.heartbeat', 'audit.draft', 'upload.token'])
})
