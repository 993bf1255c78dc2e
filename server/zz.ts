import { systemClock } from './db/clock.ts'
import { openDatabase } from './db/database.ts'
import { seed } from './demo/seed.ts'
const t = performance.now(), c = process.cpuUsage()
const db = await openDatabase({ dataDir: '/tmp/seedtry', durable: false, clock: systemClock })
await seed({ db, clock: systemClock, log: { info: () => undefined } as never, orders: Number(process.argv[2]) })
const cc = process.cpuUsage(c)
console.log('filled', ((performance.now() - t) / 1000).toFixed(1), 'cpu', (cc.user + cc.system) / 1e6)
await db.close()
console.log('closed', ((performance.now() - t) / 1000).toFixed(1))
