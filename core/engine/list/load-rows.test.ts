import { expect, it } from 'vitest'
import type { Client } from '../../client/providers.tsx'
import { auditManage } from '../../contract/audit/order-list.ts'
import { loadRows } from './load-rows.ts'

const state = { filters: { overdue: true }, sort: '-applyTime', pageNum: 4, pageSize: 20 }
const keyOf = (row: Readonly<Record<string, unknown>>) => String(row.orderNo)

/** A server with so many rows, which gives a place behind the last row of each page; what it was asked. */
const server = (total: number) => {
  const asked: Record<string, unknown>[] = []
  const call = async (_: unknown, input: { after?: string; pageSize: number }) => {
    asked.push(input)
    const from = input.after ? Number(input.after) : 0
    const rows = Array.from({ length: Math.min(input.pageSize, total - from) }, (_, n) => ({
      orderNo: `LO${from + n}`,
    }))
    return { list: rows, next: from + rows.length < total ? String(from + rows.length) : null }
  }
  return { asked, client: { call } as unknown as Client }
}
const load = async (total: number, limit: number) => {
  const { asked, client } = server(total)
  return { asked, rows: await loadRows({ client, list: auditManage.manageList, state, keyOf, limit }) }
}

it('finds all rows that match, each once, from row to row', async () => {
  const { asked, rows } = await load(250, 500)
  expect([...rows.keys()]).toEqual(Array.from({ length: 250 }, (_, n) => `LO${n}`))
  expect(asked.map(({ after, pageNum }) => [pageNum, after])).toEqual([
    [1, undefined],
    [2, '100'],
    [3, '200'],
  ])
  for (const input of asked) expect(input).toMatchObject({ overdue: true, sort: '-applyTime' })
})

it('stops at as many as an action takes, and where there are none', async () => {
  expect((await load(250, 120)).rows.size).toBe(120)
  expect((await load(250, 120)).asked).toHaveLength(2)
  expect((await load(0, 120)).rows.size).toBe(0)
  expect((await load(200, 500)).asked).toHaveLength(2)
})
