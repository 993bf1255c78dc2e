import { systemClock } from '/work/main/server/db/clock.ts'
import { openDatabase } from '/work/main/server/db/database.ts'
import { seed } from '/work/main/server/demo/seed.ts'
import { runInvariants } from '/work/main/server/invariants.ts'
import { sql } from 'kysely'
const n = Number(process.argv[2] ?? 200)
const db = await openDatabase({ ...(process.env.DATABASE_URL ? { url: process.env.DATABASE_URL } : { dataDir: process.argv[3] ?? '/tmp/seedtry', durable: false }), clock: systemClock })
const t = performance.now()
try {
await seed({ db, clock: systemClock, log: { info: (...a: unknown[]) => console.log(...a) } as never, orders: n })
console.log('seconds', (performance.now() - t) / 1000)
console.log(await db.read(tx => tx.rows(sql`select order_status, count(*)::int from loan_order group by 1 order by 2 desc`)))
console.log(await db.read(tx => tx.rows(sql`select loan_code_status, count(*)::int from loan_code group by 1 order by 2 desc`)))
console.log(await db.read(tx => tx.rows(sql`select flow_status, count(*)::int from repay_flow group by 1 order by 2 desc`)))
console.log(await db.read(tx => tx.rows(sql`select audit_task_status, count(*)::int from audit_task group by 1 order by 2 desc`)))
console.log((await db.read(runInvariants)).filter(i => i.rows.length).map(i => [i.name, i.rows.length, JSON.stringify(i.rows[0])]))
} finally { await db.close() }
