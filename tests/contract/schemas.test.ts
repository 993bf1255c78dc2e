import { describe, expect, it } from 'vitest'
import { endpoints } from '../../core/contract/contract.ts'
import { fieldsOf, inputOf, misfit, spoilt } from './inputs.ts'

const million = 'a'.repeat(1_000_000)

// That the server refuses what a schema refuses, in words and at its place, is proven over HTTP for each kind of handler.
describe.each(endpoints)('$name', ({ name, endpoint }) => {
  const input = inputOf(endpoint)
  const issues = (given: unknown) => endpoint.input.safeParse(given).error?.issues ?? []

  it('takes its own samples', () => {
    expect(issues(input)).toEqual([])
  })

  if (!endpoint.foreign)
    it('refuses a key that it does not know', () => {
      expect(JSON.stringify(issues({ ...input, surprise: 'x' }))).toContain('surprise')
    })

  it('refuses each field with another type, at its place', () => {
    for (const field of fieldsOf(endpoint)) {
      const wrong = misfit(endpoint, field.schema)
      expect(wrong, `${name}.${field.name} takes anything`).toBeDefined()
      const found = issues({ ...field.input, [field.name]: wrong })
      const places = found.flatMap(({ path }) => path[0])
      expect(places, field.name).toContain(field.name)
    }
  })

  if (!endpoint.foreign)
    it('bounds every text', () => {
      const unbounded = spoilt(endpoint, 'string', million).filter(one => issues(one.input).length === 0)
      expect(unbounded.map(({ at }) => at)).toEqual([])
    })
})
