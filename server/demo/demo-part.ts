import { stoppedClock } from '../db/clock.ts'
import { openDatabase } from '../db/database.ts'
import { type Parcel, sendPart } from './part.ts'
import { makePart } from './seed.ts'

/** A program that makes the second half of the demo in memory, and hands it over to the process that started it. */
const [now = '', orders = '', dataDir = ''] = process.argv.slice(2)
const leave = () => process.exit(1)
process.once('disconnect', leave)
const clock = stoppedClock(now)
const db = await openDatabase({ dataDir, durable: false, clock })
const send = (parcel: Parcel) =>
  new Promise<void>((resolve, reject) => {
    process.send?.(parcel, undefined, undefined, error => (error ? reject(error) : resolve()))
  })
const start = await makePart({ db, clock, orders: Number(orders), part: { index: 1 } })
await sendPart(db, start, send)
process.off('disconnect', leave)
process.exit()
