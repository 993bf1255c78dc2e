import pg from 'pg'
const stat = new Map<string, { n: number; ms: number }>()
const proto = pg.Client.prototype as unknown as { query: (...a: unknown[]) => Promise<unknown> }
const original = proto.query
proto.query = function (this: unknown, ...args: unknown[]) {
  const q = args[0] as { text?: string } | string
  const text = (typeof q === 'string' ? q : (q.text ?? '?')).replace(/\s+/g, ' ').slice(0, 90)
  const t = performance.now()
  const r = original.apply(this as never, args) as Promise<unknown>
  const done = () => { const s = stat.get(text) ?? { n: 0, ms: 0 }; s.n++; s.ms += performance.now() - t; stat.set(text, s) }
  if (r && typeof r.then === 'function') r.then(done, done)
  return r
}
const { systemClock } = await import('./db/clock.ts')
const { openDatabase } = await import('./db/database.ts')
const { seed } = await import('./demo/seed.ts')
const db = await openDatabase({ dataDir: '/tmp/seedtry', durable: false, clock: systemClock })
const c0 = process.cpuUsage()
await seed({ db, clock: systemClock, log: { info: (...a: unknown[]) => console.log(...a) } as never, orders: Number(process.argv[2]) })
const c = process.cpuUsage(c0)
const total = [...stat.values()].reduce((a, s) => ({ n: a.n + s.n, ms: a.ms + s.ms }), { n: 0, ms: 0 })
console.log('cpu', (c.user + c.system) / 1e6, 'statements', total.n, 'ms', total.ms)
for (const [text, s] of [...stat].sort((a, b) => b[1].ms - a[1].ms).slice(0, 45)) console.log(s.n, s.ms.toFixed(0), (s.ms / s.n).toFixed(2), text)
await db.close()
