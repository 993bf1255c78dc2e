import { parseArgs } from 'node:util'
import pg from 'pg'
import { contract } from '../core/contract/contract.ts'
import { fakeGateway } from '../server/systems/after-loan/payout/payout-fixture.ts'
import { modules } from '../server/systems/systems.ts'
import { openKit } from '../server/testing/kit.ts'
import { everyPerm } from '../tests/contract/fixture.ts'
import { newPostgresDatabase } from '../tests/postgres.ts'
import { idleDeps } from './idle-deps.ts'
import { listsUnderLoad } from './load/lists.ts'
import { type Case, cases, type Known } from './million-cases.ts'
import { fill } from './million-fill.ts'
import { everyFilter } from './million-filters.ts'

/** Lists over a million orders on PostgreSQL: how long each takes, and how many times as long as the best statement for the same answer; `--filters`: every preset and filter instead. */
const { values: given } = parseArgs({
  options: {
    orders: { type: 'string', default: '1000000' },
    only: { type: 'string', default: '' },
    filters: { type: 'boolean', default: false },
  },
})
const orders = Number(given.orders)
const [rounds, warmUp, patience] = [9, 6, 3_000]
const now = '2026-03-02T07:00:00Z'

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0
const timed = async (act: () => Promise<unknown>): Promise<number> => {
  const started = performance.now()
  await act()
  return performance.now() - started
}

/** Medians of several acts in turns, so that they share the weather; slow ones are repeated less often. */
const medians = async (...acts: (() => Promise<unknown>)[]): Promise<number[]> => {
  const lists = acts.map(() => [] as number[])
  const started = performance.now()
  for (let round = 0; round < rounds + warmUp; round++) {
    const late = performance.now() - started > patience
    if (late && round >= 2) round = Math.max(round, warmUp)
    for (const [at, act] of acts.entries()) {
      const milliseconds = await timed(act)
      if (round >= warmUp) lists[at]?.push(milliseconds)
    }
    if (late && (lists[0]?.length ?? 0) >= 3) break
  }
  return lists.map(median)
}

const url = await newPostgresDatabase()
if (!url) throw new Error('PostgreSQL is not installed')
const network = fakeGateway()
const deps = idleDeps({ now: () => kit.clock.now() }, network.gateway)
const kit = await openKit({ url, modules: modules(deps), now, handmade: true })
const client = new pg.Client(url)
await client.connect()
const filling = await timed(() => fill(client, orders, now))
console.log(`${orders} orders, filled in ${(filling / 1000).toFixed(0)} s`)

const known = (
  await client.query<Known>(`
    select c.phone, c.customer_name as "customerName", o.order_no as "orderNo", o.third_order_no as "thirdOrderNo", to_char(o.apply_time, 'YYYY-MM-DD') as day
    from loan_order o join order_customer c using (customer_no, merchant_no) where o.payout_time is not null order by o.apply_time desc offset ${Math.floor(orders / 6)} limit 1`)
).rows[0]
if (!known) throw new Error('there is no order')
const as = await kit.person({ perms: everyPerm })
const checked = (answer: { code: number; msg: string }) => {
  if (answer.code !== 0) throw new Error(`${answer.code} ${answer.msg}`)
}
console.log('ms of: the call | the best SQL | a call that reads next to nothing || call ÷ (best SQL + empty call)')
/** A case that goes on from a page is given what that page answers, and its bare statement the values of the row there. */
const begun = async ({ endpoint, input, from }: Case) => {
  if (!from) return { input, values: [] }
  const answer = await kit.call(endpoint, { pageNum: from.pageNum } as never, { as })
  checked(answer)
  const { next, previous } = answer.data as { next?: string; previous?: string }
  const { value, key } = (await client.query<{ value: string; key: string }>(from.edge)).rows[0] ?? {}
  return { input: from.way === 'next' ? { after: next } : { before: previous }, values: [value, key] }
}
/** A session that is good by the real clock, which the servers under load go by. */
const fresh = async () => {
  const person = await kit.person({ perms: everyPerm })
  await client.query('update session set created_time = now(), last_seen_time = now() where user_no = $1', [
    person.userNo,
  ])
  return person
}
if (given.filters) await everyFilter(kit, as)
else
  for (const one of cases(known, orders)) {
    const { name, endpoint, sql } = one
    if (!name.includes(given.only)) continue
    const { input, values } = await begun(one)
    const [call = 0, bare = 0, empty = 0] = await medians(
      async () => checked(await kit.call(endpoint, input as never, { as })),
      async () => {
        for (const text of sql) await client.query(text, values)
      },
      async () => checked(await kit.call(contract.common.merchants, {}, { as })),
    )
    const columns = [call, bare, empty].map(milliseconds => milliseconds.toFixed(1).padStart(8)).join('')
    console.log(`${name.padEnd(52)}${columns}${(call / (bare + empty)).toFixed(2).padStart(8)}`)
  }
if (!given.filters) await listsUnderLoad(url, (await fresh()).token)
await client.end()
await kit.close()
