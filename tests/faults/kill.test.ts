import fs from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../server/db/clock.ts'
import { openDatabase } from '../../server/db/database.ts'
import { runInvariants } from '../../server/invariants/invariants.ts'
import { hasPostgres } from '../postgres.ts'
import { type Cluster, openCluster } from './cluster.ts'
import { type House, openHouse } from './house.ts'
import { embeddedRounds, replay, rounds, seed } from './options.ts'
import { reckon } from './reckon.ts'
import { comeToRest, roundsOf, staffOf, workUntil } from './rounds.ts'

/** Business seconds between two rounds: what a dead server had taken is free again. */
const seconds = 75

const storm = async (house: House, count: number) => {
  const staff = staffOf(house, seed)
  const { journal } = staff
  const starts: number[] = []
  let repeated = 0
  for (const [n, round] of roundsOf(seed, count).entries()) {
    const before = journal.acknowledged().length
    starts.push(await house.server.start())
    await staff.settle()
    if (n % 5 === 1) repeated += await staff.repeat(Math.max(0, before - 100))
    await workUntil(staff, round, house.server.kill)
    expect(await house.sweep(seconds), `round ${n + 1}: ${replay}`).toEqual([])
  }
  await house.server.start()
  await staff.settle()
  await house.server.kill()
  await comeToRest(house)
  const { wrong, ...figures } = await reckon(house, journal)
  const unknown = [...journal.calls.values()].filter(call => call.wasLost).length
  const startMs = Math.round(starts.sort((a, b) => a - b)[count >> 1] ?? 0)
  console.log(
    JSON.stringify({ seed, rounds: count, embedded: house.isEmbedded, wrong, ...figures, unknown, repeated, startMs }),
  )
  expect(wrong, replay).toEqual([])
  expect(await house.sweep(), replay).toEqual([])
  expect(figures.acknowledged, 'the clerks got nothing done').toBeGreaterThan(count)
}

/** A copy of the files, as a backup has it, in another place. */
const opensElsewhere = async (house: House) => {
  const copy = path.join(house.dataDir, 'copy')
  fs.cpSync(house.files, copy, { recursive: true })
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
      const house = await openHouse({
        url: await cluster.newDatabase(),
        desks: 12,
        repaid: 3,
        payouts: 24 + rounds,
        seconds: rounds * seconds,
      })
      try {
        await storm(house, rounds)
      } finally {
        await house.close()
      }
    },
    600_000 + rounds * 60_000,
  )

  it.skipIf(embeddedRounds === 0)(
    `${embeddedRounds} times with the embedded database; X44: and a copy of its files is whole elsewhere`,
    async () => {
      const house = await openHouse({ desks: 8, repaid: 2 })
      try {
        await storm(house, embeddedRounds)
        await opensElsewhere(house)
      } finally {
        await house.close()
      }
    },
    600_000 + embeddedRounds * 60_000,
  )
})
