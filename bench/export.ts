import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { auditManage } from '../core/contract/audit/order-list.ts'
import { exports } from '../core/contract/common/exports.ts'
import { silentLog } from '../server/log.ts'
import { noCollection } from '../server/money/no-gateway.ts'
import { jobsOf } from '../server/run.ts'
import { fakeGateway } from '../server/systems/after-loan/payout/payout-fixture.ts'
import { modules } from '../server/systems/systems.ts'
import { openKit } from '../server/testing/kit.ts'
import { everyPerm } from '../tests/contract/fixture.ts'
import { newPostgresDatabase } from '../tests/postgres.ts'
import { seconds, watched } from './measured.ts'
import { fill } from './million-fill.ts'

/** Every order to a file: how long it takes and how much memory, and how many times as long as PostgreSQL's own COPY of the same columns. */
const { values: given } = parseArgs({
  options: {
    orders: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '1' },
    format: { type: 'string' },
  },
})
const [orders, rounds] = [Number(given.orders), Number(given.rounds)]
const limit = { copies: 12, rss: 300 }
const columns = [
  'orderNo',
  'customerName',
  'phone',
  'merchantName',
  'orderStatus',
  'applyTime',
  'loanAmount',
  'actualLoanAmount',
  'payoutTime',
  'overdueDays',
] as const
const copy = `copy (
  select o.order_no, c.customer_name, c.phone, m.merchant_name, o.order_status, o.apply_time, o.loan_amount, o.actual_loan_amount, o.payout_time, o.overdue_days
  from loan_order o join order_customer c using (customer_no, merchant_no) join merchant m on m.merchant_no = o.merchant_no order by o.apply_time desc, o.order_no desc) to stdout with csv`

/** Reads a COPY to its end with PostgreSQL's own client, and drops what it reads. */
const copied = (url: string) =>
  new Promise<void>((resolve, reject) => {
    const dirs = ['/usr/lib/postgresql', ''].flatMap(dir => (existsSync(dir) ? readdirSync(dir) : []))
    const psql = dirs.map(dir => `/usr/lib/postgresql/${dir}/bin/psql`).find(existsSync) ?? 'psql'
    spawn(psql, [url, '-qc', copy], { stdio: ['ignore', 'ignore', 'inherit'] })
      .on('error', reject)
      .on('exit', code => (code === 0 ? resolve() : reject(new Error(`psql ended with ${code}`))))
  })

const url = await newPostgresDatabase()
if (!url) throw new Error('PostgreSQL is not installed')
const exportDir = mkdtempSync(path.join(tmpdir(), 'mkopo-export-bench-'))
const deps = {
  clock: { now: () => kit.clock.now() },
  exportDir,
  importDir: exportDir,
  secretKey: Buffer.alloc(32),
  uploads: { dir: exportDir, secret: Buffer.alloc(32) },
  demo: true,
  payout: { mtn_momo: fakeGateway().gateway },
  collect: { mtn_momo: noCollection },
}
const all = modules(deps)
const kit = await openKit({ url, modules: all, now: '2026-03-02T07:00:00Z', handmade: true })
const { worker } = jobsOf({ db: kit.db, log: silentLog, modules: all })
const client = new pg.Client(url)
await client.connect()
await fill(client, orders, '2026-03-02T07:00:00Z')
await client.end()
const as = await kit.person({ perms: everyPerm })

const written = async (exportFormat: 'csv' | 'xlsx') => {
  const command = auditManage.manageList.exporting as NonNullable<typeof auditManage.manageList.exporting>
  const input = { filters: {}, columns: [...columns], sort: '-applyTime' as const, exportFormat, reason: 'bench' }
  const asked = await kit.call(command, input, { as })
  if (asked.code !== 0) throw new Error(`${asked.code} ${asked.msg}`)
  await worker.drain()
  const { data } = await kit.call(exports.page, {}, { as })
  const job = data.list.find(one => one.exportNo === asked.data.exportNo)
  if (job?.exportStatus !== 'ready' || job.rowsDone !== orders) throw new Error(JSON.stringify(job))
}

let over = 0
console.log(`${orders} orders`)
for (const format of (['csv', 'xlsx'] as const).filter(one => (given.format ?? one) === one))
  for (let round = 0; round < rounds; round++) {
    const bare = Math.min(await seconds(() => copied(url)), await seconds(() => copied(url)))
    let took = 0
    const rss = await watched(async () => {
      took = await seconds(() => written(format))
    })
    const size = Math.max(...readdirSync(exportDir).map(name => statSync(path.join(exportDir, name)).size))
    const isOver = took / bare > limit.copies || rss > limit.rss
    if (isOver) over += 1
    console.log(
      `${format.padEnd(5)} ${took.toFixed(1)} s, ${(size / 2 ** 20).toFixed(0)} MB; COPY ${bare.toFixed(1)} s; ${(took / bare).toFixed(1)} × COPY (limit ${limit.copies}), +${rss.toFixed(0)} MB RSS (limit ${limit.rss}): ${isOver ? 'OVER' : 'within'}`,
    )
  }
await kit.close()
rmSync(exportDir, { recursive: true })
process.exitCode = over ? 1 : 0
