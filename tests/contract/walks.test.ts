import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { metaOf, sensitiveKinds } from '../../core/contract/fields.ts'
import { keys, lists, naive, openCrowd, type Row } from './crowd.ts'

/** Lists find the keys of many rows in another way than those of few: here, many begins early. */
const cap = vi.hoisted(() => ({ at: 10_001 }))
vi.mock('../../core/contract/endpoint.ts', async original => ({
  ...(await original<typeof import('../../core/contract/endpoint.ts')>()),
  get countCap() {
    return cap.at
  },
}))

/** Whole minutes are shown of what is ordered to the second. */
const coarse = new Set(['waitingMinutes'])

let crowd: Awaited<ReturnType<typeof openCrowd>>
beforeAll(async () => {
  crowd = await openCrowd()
}, 60_000)
afterAll(() => crowd.house.close())

it('names the key of every list', () => {
  for (const { name, list } of lists) expect(keys.get(list), name).toBeDefined()
})

it('orders no list by what it masks', () => {
  for (const { name, list } of lists)
    for (const column of list.sort)
      expect([...sensitiveKinds, 'customerName'], name).not.toContain(metaOf(list.row.shape[column] as never).kind)
})

describe.each(lists)('$name', ({ list }) => {
  const key = keys.get(list) as string
  const sorts = list.sort.flatMap(name => [name, `-${name}`])
  const numbers = (rows: readonly Row[]) => rows.map(row => row[key])
  let all: Row[]
  beforeAll(async () => {
    all = await crowd.everything(list, crowd.askedOf(list))
  })

  it('has enough rows to turn pages', () => {
    expect(all.length).toBeGreaterThan(21)
    expect(new Set(numbers(all)).size).toBe(all.length)
  })

  const { totalling } = list
  if (totalling)
    it('adds up what all its rows add up to, and no more than the caller may see', async () => {
      const filters = crowd.askedOf(list)
      const { data } = await crowd.house.call(totalling, { filters } as never, { as: crowd.house.boss })
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
      const narrow = await crowd.house.reviewer({ limit: 'own_merchants', merchants: ['M2'] })
      const { data: nothing } = await crowd.house.call(totalling, { filters } as never, { as: narrow })
      expect(nothing.count).toBe(0)
      await crowd.house.without(crowd.house.second, [list.perm as string], async () => {
        expect((await crowd.house.call(totalling, { filters } as never, { as: crowd.house.second })).code).toBe(40301)
      })
    })

  it.each(sorts)('by %s: walking from row to row is sorting everything by hand, there and back', async sort => {
    const own = crowd.askedOf(list)
    const name = sort.replace('-', '')
    const shown = (rows: readonly Row[]) => (coarse.has(name) ? rows.map(row => row[name]) : numbers(rows))
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
        let page = await crowd.ask(list, { ...input, pageNum: start })
        const pages = [page]
        while (page.next) {
          page = await crowd.ask(list, { ...input, after: page.next })
          pages.push(page)
        }
        expect(shown(pages.flatMap(one => one.list))).toEqual(shown(sorted.slice(from)))
        expect(new Set(numbers(pages.flatMap(one => one.list))).size).toBe(Math.max(0, all.length - from))
        const back = [page]
        while (page.previous) {
          page = await crowd.ask(list, { ...input, before: page.previous })
          back.unshift(page)
        }
        if (page.list.length) expect(shown(back.flatMap(one => one.list))).toEqual(shown(sorted))
      }),
      { numRuns: 4 },
    )
    cap.at = 10_001
  })
})
