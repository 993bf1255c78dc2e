import { expect } from 'vitest'
import { endpoints } from '../../core/contract/contract.ts'
import type { ListEndpoint } from '../../core/contract/endpoint.ts'
import { all, ofList } from '../../server/testing/all-facts.ts'
import type { Row } from '../../server/testing/facts.ts'
import { openFixture } from './fixture.ts'

const isList = (endpoint: unknown): endpoint is ListEndpoint => 'defaultSort' in (endpoint as object)
export const lists = endpoints.flatMap(({ name, endpoint }) =>
  isList(endpoint) ? [{ name, endpoint, list: endpoint }] : [],
)

/** A server with enough rows in every list to turn pages; `mixed` where texts differ in case, accents and emptiness too. */
export const openFilled = async ({ mixed = false } = {}) => {
  const fixture = await openFixture({ handmade: true })
  const at = { waiting: await fixture.allotted(), paid: (await fixture.repaid()).orderNo }
  const inOrder = [...all.lists].sort((a, b) => Number(b.first ?? false) - Number(a.first ?? false))
  for (const { fill } of inOrder) await fill?.(fixture, at)
  if (mixed) for (const { mix } of inOrder) await mix?.(fixture)

  const ask = async (list: ListEndpoint, input: Row) => {
    const answer = await fixture.call(list, input as never, { as: fixture.boss })
    expect(answer.code, `${list.path} ${JSON.stringify(input)}: ${answer.msg}`).toBe(0)
    return answer.data as { list: Row[]; total: number; next: string | null; previous: string | null }
  }

  /** All rows, page by number. */
  const everything = async (list: ListEndpoint, input: Row): Promise<Row[]> => {
    const found: Row[] = []
    for (let pageNum = 1; ; pageNum++) {
      const { list: rows } = await ask(list, { ...input, pageSize: 100, pageNum })
      found.push(...rows)
      if (rows.length < 100) return found
    }
  }

  return { fixture, ask, everything, askedOf: (list: ListEndpoint): Row => ofList(list).asked?.(at) ?? {} }
}
