import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import pg from 'pg'
import { contract } from '../core/contract/contract.ts'
import { addDays } from '../core/rules/time.ts'
import { silentLog } from '../server/log.ts'
import { noPayout } from '../server/money/no-gateway.ts'
import { jobsOf } from '../server/run.ts'
import { dayRollModule } from '../server/systems/after-loan/repayment/day-roll.ts'
import { modules } from '../server/systems/systems.ts'
import { openKit } from '../server/testing/kit.ts'
import { everyPerm } from '../tests/contract/fixture.ts'
import { newPostgresDatabase } from '../tests/postgres.ts'
import { idleDeps } from './idle-deps.ts'
import { cpuOf, seconds, watched } from './measured.ts'
import { fill } from './million-fill.ts'

/**
 * The turn of a day over many open loans on PostgreSQL, chunk by chunk as the server does it: how long, how many times as long as
 * bare SQL for the same rows, and what calls of staff take meanwhile, against the same calls of the same run when it is quiet.
 */
const { values: given } = parseArgs({
  options: { orders: { type: 'string', default: '100000' }, late: { type: 'string', default: '20' } },
})
const orders = Number(given.orders)
const date = '2026-03-02'
const now = `${date}T07:00:00Z`

const url = await newPostgresDatabase()
if (!url) throw new Error('PostgreSQL is not installed')
const deps = idleDeps({ now: () => kit.clock.now() }, noPayout)
const kit = await openKit({ url, modules: modules(deps), now, handmade: true })
const client = new pg.Client(url)
await client.connect()
const filling = await seconds(async () => {
  await fill(client, orders, now, `'funds_disbursed'`)
  await client.query('set session_replication_role = replica')
  await client.query(
    `update repay_plan b set due_date = case when get_byte(decode(md5(order_no), 'hex'), 0) < $1 then date '${date}' - 8 + 7 * installment_no else date '${date}' + 7 * installment_no end`,
    [Math.round((Number(given.late) / 100) * 256)],
  )
  await client.query(`update loan_order set overdue = false, overdue_days = 0`)
  await client.query('set session_replication_role = origin')
  await client.query('vacuum analyze')
})
const late = (
  await client.query<{ n: number }>(
    `select count(distinct order_no)::int as n from repay_plan where bill_status in ('pending', 'partial') and due_date < '${date}'`,
  )
).rows[0]?.n
console.log(`${orders} open loans, ${late} of them overdue, filled in ${filling.toFixed(0)} s`)

const as = await kit.person({ perms: everyPerm })
const orderNo = (
  await client.query<{ orderNo: string }>(`select order_no as "orderNo" from loan_order order by order_no desc limit 1`)
).rows[0]?.orderNo
const calls = {
  'list of repayments': () => kit.call(contract.repay.page, {}, { as }),
  'a loan by its number': () => kit.call(contract.repay.page, { orderNo } as never, { as }),
  'next to nothing': () => kit.call(contract.common.merchants, {}, { as }),
}
const times = () => Object.keys(calls).map(name => ({ name, took: [] as number[] }))
/** Each call in turn while it may go on, with a pause as a person would make it. */
const staff = async (goOn: () => boolean) => {
  const measured = times()
  while (goOn())
    for (const one of measured) {
      const started = performance.now()
      const { code, msg } = await calls[one.name as keyof typeof calls]()
      if (code !== 0) throw new Error(msg)
      one.took.push(performance.now() - started)
      await new Promise(resolve => setTimeout(resolve, 30))
    }
  return measured
}
const at = (values: readonly number[], share: number) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0

let rounds = 0
await staff(() => rounds++ < 5)
rounds = 0
const quiet = await staff(() => rounds++ < 40)
const before =
  (await client.query<{ n: number }>('select coalesce(max(transition_no), 0)::int as n from state_transition')).rows[0]
    ?.n ?? 0
const { scheduler } = jobsOf({ db: kit.db, log: silentLog, modules: [dayRollModule(deps)] })
let running = true
let took = 0
let busy = times()
const { pid } = await kit.db.read(tx => tx.one(sql<{ pid: number }>`select pg_backend_pid() as pid`))
let rss = 0
const work = async () => {
  const meanwhile = staff(() => running)
  took = await seconds(() => scheduler.runDue())
  running = false
  busy = await meanwhile
}
const cpu = await cpuOf(pid, async () => {
  rss = await watched(work)
})
const { counters } = (await client.query(`select counters from job_run where job = 'day.roll'`)).rows[0]
const chunks = Math.ceil((late ?? 0) / 100)
console.log(
  `turned in ${took.toFixed(1)} s: ${JSON.stringify(counters)}; ${((took / Math.max(1, chunks)) * 1000).toFixed(0)} ms a chunk, +${rss.toFixed(0)} MB RSS; processor, staff included: server ${cpu.own.toFixed(0)} s, database ${cpu.database.toFixed(0)} s`,
)
console.log('ms of calls of staff, middle and slowest of twenty: quiet | meanwhile | times as long')
for (const [n, { name, took: calm }] of quiet.entries()) {
  const own = busy[n]?.took ?? []
  const figures = [at(calm, 0.5), at(calm, 0.95), at(own, 0.5), at(own, 0.95)].map(value =>
    value.toFixed(1).padStart(8),
  )
  console.log(`${name.padEnd(22)}${figures.join('')}${(at(own, 0.5) / at(calm, 0.5)).toFixed(2).padStart(8)}`)
}

/** The rows that the turn left, by the table and what tells them from those of before. */
const left = [
  ['journal', 'true'],
  ['journal_line', 'true'],
  ['penalty_tick', 'true'],
  ['ledger_balance', 'true'],
  ['state_transition', `transition_no > ${before}`],
] as const
const bare = await seconds(async () => {
  for (const [table, which] of left) {
    await client.query(`create table bare_${table} (like ${table} including all)`)
    await client.query(`insert into bare_${table} overriding system value select * from ${table} where ${which}`)
  }
})
await client.query('create table bare_plan (like repay_plan including all)')
await client.query('insert into bare_plan select * from repay_plan')
await client.query('create table bare_order (like loan_order including all)')
await client.query('insert into bare_order select * from loan_order')
await client.query('analyze bare_plan, bare_order')
const changed = await seconds(async () => {
  await client.query(
    `update bare_plan b set late_fee_due = b.late_fee_due + t.late_fee, liquidated_damages_due = b.liquidated_damages_due + t.liquidated_damages, version = b.version + 1 from penalty_tick t where t.bill_no = b.bill_no`,
  )
  await client.query(
    `update bare_order o set overdue = true, overdue_days = d.days, version = o.version + 1 from (select order_no, date '${date}' - min(due_date) as days from repay_plan where bill_status in ('pending', 'partial') and due_date < '${date}' group by 1) d where d.order_no = o.order_no`,
  )
})
console.log(
  `the same rows in bare SQL: ${(bare + changed).toFixed(1)} s; the turn is ${(took / (bare + changed)).toFixed(1)} × that`,
)
const [wrong] = await kit.db.read(tx =>
  tx.rows(sql<{ n: number }>`
    select count(*)::int as n from loan_order o where overdue is distinct from exists (
      select 1 from repay_plan b where b.order_no = o.order_no and b.bill_status in ('pending', 'partial') and b.due_date < ${addDays(date, 0)})`),
)
if (wrong?.n) throw new Error(`${wrong.n} loans are marked wrongly`)
await client.end()
await kit.close()
