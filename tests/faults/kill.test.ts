import fs from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../server/db/clock.ts'
import { openDatabase } from '../../server/db/database.ts'
import { runInvariants } from '../../server/invariants/invariants.ts'
import { hasPostgres } from '../postgres.ts'
import { type Cluster, openCluster } from './cluster.ts'
import { type Fixture, openFixture } from './fixture.ts'
import { embeddedRounds, replay, rounds, seed } from './options.ts'
import { reconcile } from './reconcile.ts'
import { comeToRest, roundsOf, staffOf, workUntil } from './rounds.ts'

/** Business seconds between two rounds: what a dead server had taken is free again. */
const seconds = 75

const storm = async (fixture: Fixture, count: number) => {
  const staff = staffOf(fixture, seed)
  const { journal } = staff
  const starts: number[] = []
  let repeated = 0
  for (const [n, round] of roundsOf(seed, count).entries()) {
    const before = journal.acknowledged().length
    starts.push(await fixture.server.start())
    await staff.settle()
    if (n % 5 === 1) repeated += await staff.repeat(Math.max(0, before - 100))
    await workUntil(staff, round, fixture.server.kill)
    expect(await fixture.sweep(seconds), `round ${n + 1}: ${replay}`).toEqual([])
  }
  await fixture.server.start()
  await staff.settle()
  await fixture.server.kill()
  await comeToRest(fixture)
  const { wrong, ...figures } = await reconcile(fixture, journal)
  const unknown = [...journal.calls.values()].filter(call => call.wasLost).length
  const startMs = Math.round(starts.sort((a, b) => a - b)[count >> 1] ?? 0)
  console.log(
    JSON.stringify({
      seed,
      rounds: count,
      embedded: fixture.isEmbedded,
      wrong,
      ...figures,
      unknown,
      repeated,
      startMs,
    }),
  )
  expect(wrong, replay).toEqual([])
  expect(await fixture.sweep(), replay).toEqual([])
  expect(figures.acknowledged, 'the clerks got nothing done').toBeGreaterThan(count)
}

/** A copy of the files, as a backup has it, in another place. */
const opensElsewhere = async (fixture: Fixture) => {
  const copy = path.join(fixture.dataDir, 'copy')
  fs.cpSync(fixture.files, copy, { recursive: true })
  const db = await openDatabase({ dataDir: copy, clock: systemClock })
  const broken = await db.withTx(tx => runInvariants(tx))
  await db.close()
  expect(broken).toEqual([])
}

describe(`X5: kill -9 of the server, again and again under load: ${replay}`, () => {
  let cluster: Cluster | undefined
  afterAll(() => cluster?.close())

  it.skipIf(!hasPostgres || rounds === 0)(
    `${rounds} times on PostgreSQL`,
    async () => {
      cluster = await openCluster()
      const fixture = await openFixture({
        url: await cluster.newDatabase(),
        desks: 12,
        repaid: 3,
        payouts: 24 + rounds,
        seconds: rounds * seconds,
      })
      try {
        await storm(fixture, rounds)
      } finally {
        await fixture.close()
      }
    },
    600_000 + rounds * 60_000,
  )

  it.skipIf(embeddedRounds === 0)(
    `${embeddedRounds} times with the embedded database; X44: and a copy of its files is whole elsewhere`,
    async () => {
      const fixture = await openFixture({ desks: 8, repaid: 2 })
      try {
        await storm(fixture, embeddedRounds)
        await opensElsewhere(fixture)
      } finally {
        await fixture.close()
      }
    },
    600_000 + embeddedRounds * 60_000,
  )
})
