import type { ListEndpoint } from '../../core/contract/endpoint.ts'
import { metaOf } from '../../core/contract/fields.ts'
import { eatDate } from '../../core/rules/time.ts'
import { ofList } from '../../server/testing/all-facts.ts'
import type { Row } from '../../server/testing/facts.ts'
import type { Fixture } from './fixture.ts'

const compared = (a: unknown, b: unknown): number => {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? 1 : -1
  const [x, y] = [Number(a), Number(b)]
  const [left, right] = Number.isNaN(x) || Number.isNaN(y) ? [String(a), String(b)] : [x, y]
  return left < right ? -1 : left > right ? 1 : 0
}

/** What the order of a list means, said once more. */
export const naive = (rows: readonly Row[], sort: string, key: string): Row[] => {
  const name = sort.replace('-', '')
  const way = sort.startsWith('-') ? -1 : 1
  return [...rows].sort((a, b) => {
    const [x, y] = [a[name] ?? null, b[name] ?? null]
    if (x === null || y === null) return compared(x, y) || way * compared(a[key], b[key])
    return way * (compared(x, y) || compared(a[key], b[key]))
  })
}

/** The rows as they are shown, with what they hold besides. */
export const factsOf = async (fixture: Fixture, list: ListEndpoint, shown: readonly Row[]): Promise<Row[]> => {
  const { holds } = ofList(list)
  if (!holds) return [...shown]
  const found = (await fixture.rows(holds.query)) as Row[]
  const byKey = new Map(found.map(row => [String(row[holds.key]), row]))
  return shown.map(row => ({
    ...byKey.get(String(row[holds.key])),
    ...row,
    ...hidden(byKey.get(String(row[holds.key]))),
  }))
}

/** What lists mask. */
const masked = ['phone', 'idNumber', 'customerName', 'payerAccount', 'accountNumber']
const hidden = (fact: Row = {}) => Object.fromEntries(Object.entries(fact).filter(([name]) => masked.includes(name)))

const below = (a: unknown, b: unknown) =>
  Number.isNaN(Number(a)) || Number.isNaN(Number(b)) ? String(a) < String(b) : Number(a) < Number(b)

function within(value: unknown, [low, high]: readonly [unknown, unknown]): boolean {
  if (value === null || value === undefined) return low === null && high === null
  return !(low !== null && below(value, low)) && !(high !== null && below(high, value))
}

/** Whether a row passes a filter; the rows of another box were not looked through. It passes by what the kind of the filter says where nothing else is said. */
export const passes = (list: ListEndpoint, name: string, schema: unknown, row: Row, value: unknown): boolean => {
  if (name === 'box') return true
  const own = ofList(list).means?.[name]
  if (own) return own(row, value as never)
  const { range, kind } = metaOf(schema as never)
  const held = row[name] ?? null
  const isInstant = kind === 'time' && String(held).includes('T')
  if (range) return within(isInstant ? eatDate(String(held)) : held, value as [unknown, unknown])
  if (Array.isArray(value)) return value.length === 0 || value.includes(held)
  return held === value
}
