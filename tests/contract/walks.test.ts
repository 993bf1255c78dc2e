import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { metaOf, sensitiveKinds } from '../../core/contract/fields.ts'
import { ofList } from '../../server/testing/all-facts.ts'
import type { Row } from '../../server/testing/facts.ts'
import { changedOf, chosen, replayed } from '../chosen.ts'
import { sayLeftOut, shuffled } from '../sampling.ts'
import { isFull } from '../sizes.ts'
import { lists, openFilled } from './filled.ts'
import { naive } from './list-oracle.ts'

/** Lists find the keys of many rows in another way than those of few: here, many begins early. */
const cap = vi.hoisted(() => ({ at: 10_001 }))
vi.mock('../../core/contract/endpoint.ts', async original => ({
  ...(await original<typeof import('../../core/contract/endpoint.ts')>()),
  get countCap() {
    return cap.at
  },
}))

/** So many lists; of each all orders but two, where it is none of the changed ones. */
const walked = chosen('walks', lists, 16)
const inFull = changedOf('walks', lists)
if (!isFull) sayLeftOut('walks in part', `all orders but two of ${walked.length - inFull.size} lists`)

let filled: Awaited<ReturnType<typeof openFilled>>
beforeAll(async () => {
  filled = await openFilled()
})
afterAll(() => filled.fixture.close())

it('names the key of every list', () => {
  for (const { name, list } of lists) expect(list.row.shape, name).toHaveProperty(ofList(list).key)
})

it('orders no list by what it masks', () => {
  for (const { name, list } of lists)
    for (const column of list.sort)
      expect([...sensitiveKinds, 'customerName'], name).not.toContain(metaOf(list.row.shape[column] as never).kind)
})

describe.each(walked)('$name', ({ name, list }) => {
  replayed('tests/contract/walks.test.ts', '')
  const { key, of, coarse = [], most } = ofList(list)
  const whole = isFull || inFull.has(list)
  const ways = list.sort.flatMap(column => [column, `-${column}`])
  const sorts = whole ? ways : shuffled(name, ways, way => way).slice(0, 2)
  const numbers = (rows: readonly Row[]) => rows.map(row => row[key])
  let all: Row[]
  beforeAll(async () => {
    all = await filled.everything(list, filled.askedOf(list))
  })

  it(most ? `has all the ${most} rows that there may be` : 'has enough rows to turn pages', () => {
    if (most) {
      expect(most).toBeLessThan(10)
      expect(all.length).toBe(most)
    } else expect(all.length).toBeGreaterThan(21)
    expect(new Set(numbers(all)).size).toBe(all.length)
  })

  const { totalling } = list
  if (totalling)
    it('adds up what all its rows add up to, and no more than the caller may see', async () => {
      const filters = filled.askedOf(list)
      const { data } = await filled.fixture.call(totalling, { filters } as never, { as: filled.fixture.boss })
      const added = (name: string) => {
        const values = all.map(row => row[name] ?? 0)
        const cents = values.reduce<bigint>(
          (sum, value) =>
            sum + BigInt(String(Number(value)).includes('.') ? Math.round(Number(value) * 100) : Number(value) * 100),
          0n,
        )
        return metaOf(list.row.shape[name] as never).kind === 'money'
          ? `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`
          : Number(cents / 100n)
      }
      expect(data).toEqual({
        count: all.length,
        sums: Object.fromEntries(totalling.names.map(name => [name, added(name)])),
      })
      const narrow = await filled.fixture.reviewer({ limit: 'own_merchants', merchants: ['M2'] })
      const { data: own } = await filled.fixture.call(totalling, { filters } as never, { as: narrow })
      const page = await filled.fixture.call(list, { ...filters, pageNum: 1, pageSize: 10 } as never, { as: narrow })
      expect(own.count).toBe((page.data as { total: number }).total)
      if ((of ?? 'merchant') === 'merchant') expect(own.count).toBeLessThan(all.length)
      await filled.fixture.without(filled.fixture.second, [list.perm as string], async () => {
        expect((await filled.fixture.call(totalling, { filters } as never, { as: filled.fixture.second })).code).toBe(
          40301,
        )
      })
    })

  it.each(sorts)('by %s: walking from row to row is sorting everything by hand, there and back', async sort => {
    const own = filled.askedOf(list)
    const name = sort.replace('-', '')
    const shown = (rows: readonly Row[]) => (coarse.includes(name) ? rows.map(row => row[name]) : numbers(rows))
    const sorted = naive(all, sort, key)
    const walks = fc.record({
      capped: fc.boolean(),
      pageSize: fc.constantFrom(10, 20),
      start: fc.integer({ min: 1, max: 3 }),
    })
    await fc.assert(
      fc.asyncProperty(walks, async ({ capped, pageSize, start }) => {
        cap.at = capped ? 15 : 10_001
        const input = { ...own, sort, pageSize }
        const from = (start - 1) * pageSize
        let page = await filled.ask(list, { ...input, pageNum: start })
        const pages = [page]
        while (page.next) {
          page = await filled.ask(list, { ...input, after: page.next })
          pages.push(page)
        }
        expect(shown(pages.flatMap(one => one.list))).toEqual(shown(sorted.slice(from)))
        expect(new Set(numbers(pages.flatMap(one => one.list))).size).toBe(Math.max(0, all.length - from))
        const back = [page]
        while (page.previous) {
          page = await filled.ask(list, { ...input, before: page.previous })
          back.unshift(page)
        }
        if (page.list.length) expect(shown(back.flatMap(one => one.list))).toEqual(shown(sorted))
      }),
      { numRuns: whole ? 4 : 2 },
    )
    cap.at = 10_001
  })
})
