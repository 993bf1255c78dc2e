import { sql } from 'kysely'
import { contract } from '../core/contract/contract.ts'
import { openFixture } from '../tests/contract/fixture.ts'
import { recorded, replayed, withoutSession } from './bare.ts'

const orders = Number(process.env.BENCH_ORDERS ?? 2_000)
const rounds = Number(process.env.BENCH_ROUNDS ?? 40)
const warmUp = 5
const { audit, repay } = contract

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0
const timed = async (act: () => Promise<unknown>): Promise<number> => {
  const started = performance.now()
  await act()
  return performance.now() - started
}

/** How many times as long a call takes as the statements it sends, sent bare; both in turns, so that they share the weather. */
const compare = async (what: string, call: () => Promise<{ code: number; msg: string }>): Promise<void> => {
  const checked = async () => {
    const { code, msg } = await call()
    if (code !== 0) throw new Error(`${what}: ${code} ${msg}`)
  }
  const all = await recorded(checked)
  const own = withoutSession(all)
  const [calls, bare, work]: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round < rounds + warmUp; round++) {
    const took = [() => recorded(checked), () => replayed(all), () => replayed(own)]
    for (const [at, list] of [calls, bare, work].entries()) {
      const milliseconds = await timed(took[at]!)
      if (round >= warmUp) list.push(milliseconds)
    }
  }
  const times = (list: readonly number[]) => (median(calls) / median(list)).toFixed(2)
  console.log(
    `${what}: ${times(bare)} × its ${all.length} statements, ${times(work)} × the ${own.length} after the session's`,
  )
}

const fixture = await openFixture({ handmade: true })
const { orderNo } = await fixture.disbursed()
await fixture.exec(sql`
  insert into loan_order select (jsonb_populate_record(o, jsonb_build_object('order_no', 'LB' || n, 'third_order_no', 'TB' || n, 'pay_code', null, 'apply_time', o.apply_time - n * interval '1 minute'))).*
  from loan_order o, generate_series(1, ${orders}) n where o.order_no = ${orderNo}`)
await fixture.exec(sql`analyze loan_order`).catch(() => 0)

const page = { pageNum: 1, pageSize: 20 } as const
const form = await fixture.tried(fixture.typed(orderNo, '60000.00'))
const as = fixture.boss
console.log(`${orders} orders, ${rounds} rounds`)
await compare('first page of OrderManagement', () => fixture.call(audit.manageList, page, { as }))
await compare('first page of RepaymentManagement', () => fixture.call(repay.page, page, { as }))
await compare('writing a payment off', () => fixture.call(repay.commit, form, { as }))
await fixture.close()
