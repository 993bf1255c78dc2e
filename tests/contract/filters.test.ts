import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import type { ListEndpoint } from '../../core/contract/endpoint.ts'
import { metaOf } from '../../core/contract/fields.ts'
import { type Dice, dice } from '../../core/contract/sample-values.ts'
import { add, type Money } from '../../core/rules/money.ts'
import { addDays, eatDate } from '../../core/rules/time.ts'
import { ofList } from '../../server/testing/all-facts.ts'
import type { Row } from '../../server/testing/facts.ts'
import { changedOf, chosen } from '../chosen.ts'
import { sayLeftOut, seed } from '../sampling.ts'
import { isChosen, isFull, sizeOf } from '../sizes.ts'
import { lists, openFilled } from './filled.ts'
import { factsOf, naive, passes } from './list-oracle.ts'

const most = sizeOf('cases', 40)
const named = lists.filter(({ name, list }) => isChosen('list', name, list.path))
const asked = named.length < lists.length ? named : chosen('filters', lists, 16)
const inFull = changedOf('filters', lists)
if (!isFull)
  sayLeftOut('filters in part', `all questions but ${most / 4} of ${most} to ${asked.length - inFull.size} lists`)

let filled: Awaited<ReturnType<typeof openFilled>>

beforeAll(async () => {
  filled = await openFilled({ mixed: true })
})
afterAll(() => filled.fixture.close())

const twisted = (value: unknown, d: Dice): unknown =>
  typeof value === 'string' && value.length > 1
    ? d.pick([
        value,
        value,
        value,
        value.toUpperCase(),
        value.toLowerCase(),
        value.slice(0, 3),
        `${value}%`,
        value.replace(/.$/, '_'),
      ])
    : value

/** A value for a filter: what some row holds, or nearly. */
const drawn = (name: string, schema: unknown, facts: readonly Row[], d: Dice): unknown => {
  const { range, kind, many, dict } = metaOf(schema as never)
  const held = facts.map(row => row[name]).filter(value => value !== null && value !== undefined)
  const one = () => (held.length ? d.pick(held) : dict ? undefined : 'nobody')
  if (range) {
    const ends = [one(), one()].map(value => {
      if (value === undefined || value === 'nobody' || d.chance(0.25)) return null
      if (kind === 'time') return addDays(eatDate(String(value)), d.int(-1, 1))
      return kind === 'int' ? Number(value) + d.int(-1, 1) : value
    })
    return ends.sort((a, b) =>
      a === null || b === null ? 0 : String(a).localeCompare(String(b), 'en', { numeric: true }),
    )
  }
  if (many) return d.chance(0.15) ? [] : Array.from({ length: d.int(1, 3) }, one)
  if (kind === 'flag') return d.chance(0.5)
  if (name === 'keyword' || /No$/.test(name)) return d.chance(0.3) ? `${one()}, ${one()} NO1` : one()
  return twisted(one(), d)
}

/** Some filters at once, each with a value that its schema takes. */
const filtersOf = (list: ListEndpoint, fixed: Row, facts: readonly Row[], d: Dice): Row => {
  const names = Object.keys(list.filters).filter(name => !(name in fixed) && name !== 'box')
  const chosen = names.filter(() => d.chance(Math.min(0.6, 2.2 / Math.max(1, names.length))))
  const given = chosen.flatMap(name => {
    const base = name === 'keyword' ? facts.map(row => ({ keyword: row.loanCode })) : facts
    const schema = list.filters[name] as z.ZodType
    const read = schema.safeParse(drawn(name, schema, base, d))
    return read.success && read.data !== undefined ? [[name, read.data] as const] : []
  })
  return { ...fixed, ...Object.fromEntries(given) }
}

const summed = (rows: readonly Row[], list: ListEndpoint, name: string): unknown => {
  const values = rows.map(row => row[name] ?? 0)
  return metaOf(list.row.shape[name] as never).kind === 'money'
    ? values.reduce<Money>((sum, value) => add(sum, String(value || '0.00')), '0.00')
    : values.reduce<number>((sum, value) => sum + Number(value), 0)
}

describe.each(asked)('$name', ({ name, list }) => {
  const { key, coarse = [] } = ofList(list)
  const cases = isFull || inFull.has(list) ? most : most / 4
  let fixed: Row
  let facts: Row[]
  beforeAll(async () => {
    fixed = filled.askedOf(list)
    facts = await factsOf(filled.fixture, list, await filled.everything(list, fixed))
  })

  it(`answers ${cases} questions as looking through all rows does`, async () => {
    let found = 0
    for (let index = 0; index < cases; index++) {
      const d = dice(`${seed}/${name}/${index}`)
      const filters = filtersOf(list, fixed, facts, d)
      const expected = facts.filter(row =>
        Object.entries(filters).every(([filter, value]) => passes(list, filter, list.filters[filter], row, value)),
      )
      found += expected.length > 0 && expected.length < facts.length ? 1 : 0
      const sort = d.pick(list.sort.flatMap(column => [column, `-${column}`]))
      const pageSize = d.pick([10, 20, 50, 100])
      const pageNum = d.chance(0.7) ? 1 : d.int(1, 4)
      const about = `case ${index}: ${JSON.stringify({ ...filters, sort, pageSize, pageNum })}; again by npm run lists -- --seed ${seed} --cases ${most} --list ${name}`
      const page = await filled.ask(list, { ...filters, sort, pageSize, pageNum })
      expect(page.total, about).toBe(expected.length)
      const inOrder = naive(expected, sort, key).map(row => row[key])
      const from = (pageNum - 1) * pageSize
      const shown = page.list.map(row => row[key])
      const exact = !coarse.includes(sort.replace('-', ''))
      expect(exact ? shown : shown.length, about).toEqual(
        exact ? inOrder.slice(from, from + pageSize) : inOrder.slice(from, from + pageSize).length,
      )
      if (page.next) {
        const more = (await filled.ask(list, { ...filters, sort, pageSize, after: page.next })).list.map(
          row => row[key],
        )
        if (exact) expect(more, about).toEqual(inOrder.slice(from + pageSize, from + 2 * pageSize))
        expect(new Set([...shown, ...more]).size, about).toBe(shown.length + more.length)
      }
      if (list.totalling && index % 5 === 0) {
        const { data } = await filled.fixture.call(list.totalling, { filters } as never, { as: filled.fixture.boss })
        const sums = Object.fromEntries(list.totalling.names.map(one => [one, summed(expected, list, one)]))
        expect(data, about).toEqual({ count: expected.length, sums })
      }
    }
    // No question divides rows that are all alike.
    const telling = Object.keys(list.filters).filter(
      filter => new Set(facts.map(row => JSON.stringify(row[filter]))).size > 1,
    )
    if (cases === most && telling.length > Object.keys(fixed).length + 1) expect(found).toBeGreaterThan(0)
  })
})
