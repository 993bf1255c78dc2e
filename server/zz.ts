import pg from 'pg'
import { systemClock } from './db/clock.ts'
import { openDatabase } from './db/database.ts'
import { seed } from './demo/seed.ts'

const prof: Record<string, { n: number; ms: number }> = {}
if (process.env.PROF) {
  const o = pg.Client.prototype.query as any
  ;(pg.Client.prototype as any).query = function (...a: any[]) {
    const text = typeof a[0] === 'string' ? a[0] : a[0].text
    const t0 = performance.now()
    const r = o.apply(this, a)
    const e = (prof[text] ??= { n: 0, ms: 0 })
    e.n++
    if (r?.then)
      r.then(
        () => {
          e.ms += performance.now() - t0
        },
        () => 0,
      )
    return r
  }
}
const t = performance.now(),
  c = process.cpuUsage()
const db = await openDatabase({ dataDir: process.env.DIR ?? '/tmp/seedhelp', durable: false, clock: systemClock })
const c0 = process.cpuUsage(c)
await seed({ db, clock: systemClock, log: { info: () => undefined } as never, orders: Number(process.argv[2]) })
const cc = process.cpuUsage(c)
console.log(
  'open cpu',
  (c0.user + c0.system) / 1e6,
  'wall',
  (performance.now() - t) / 1000,
  'cpu',
  (cc.user + cc.system) / 1e6,
)
if (process.env.INV) {
  const m = await import('./invariants.ts')
  console.log(await (m as any).runInvariants(db))
}
await db.close()
for (const [k, v] of Object.entries(prof)
  .sort((a, b) => b[1].ms - a[1].ms)
  .slice(0, 45))
  console.log(v.n, v.ms.toFixed(0), (v.ms / v.n).toFixed(2), k.replace(/\s+/g, ' ').slice(0, 170))
console.log(
  'stmts',
  Object.values(prof).reduce((s, v) => s + v.n, 0),
)
