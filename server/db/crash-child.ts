// A process for tests to kill: writes two rows per transaction into the directory of its argument and says when each is committed, after it has said what it found.
import { sql } from 'kysely'
import { systemClock } from './clock.ts'
import { openDatabase } from './database.ts'

const db = await openDatabase({ dataDir: process.argv[2] ?? '', clock: systemClock })
const found = await db.read(tx =>
  tx.one(sql`
    select coalesce((select last_value from number_range where kind = 'crash'), 0) as last, (select count(*) from tracking_event) as rows`),
)
process.stdout.write(`${JSON.stringify(found)}\n`)
for (;;) {
  const number = await db.withTx(async tx => {
    const row = await tx.one(sql<{ lastValue: number }>`
      insert into number_range (kind, last_value) values ('crash', 1)
      on conflict (kind) do update set last_value = number_range.last_value + 1 returning last_value`)
    tx.append('trackingEvent', {
      receivedTime: tx.now,
      sessionNo: String(row.lastValue),
      payload: { number: row.lastValue },
    })
    return row.lastValue
  })
  process.stdout.write(`${number}\n`)
}
