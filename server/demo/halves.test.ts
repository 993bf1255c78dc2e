import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { stoppedClock } from '../db/clock.ts'
import { openDatabase } from '../db/database.ts'
import { runInvariants } from '../invariants/invariants.ts'
import { makeHalves } from './seed.ts'

it('two processes make one demo whose books agree', async () => {
  const clock = stoppedClock(new Date().toISOString())
  const db = await openDatabase({ memory: true, clock })
  await makeHalves({ db, clock, orders: 24 })
  const { made, others } = await db.read(tx =>
    tx.one(sql<{ made: number; others: number }>`
      select count(*)::int as made, count(*) filter (where not exists (select 1 from product_version v where v.version_no = o.product_version_no))::int as others from loan_order o`),
  )
  expect(made).toBeGreaterThan(60)
  expect(others).toBe(0)
  expect(await db.read(runInvariants)).toEqual([])
  await db.close()
}, 240_000)
