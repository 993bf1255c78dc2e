import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { codes } from '../../core/contract/codes.ts'
import { runInvariants } from '../../server/invariants/invariants.ts'
import { all as known } from '../../server/testing/all-facts.ts'
import { type Fixture, openFixture } from '../contract/fixture.ts'
import { hasPostgres, newPostgresDatabase } from '../postgres.ts'
import { isChosen, sizeOf } from '../sizes.ts'
import { together, weakened } from './gate.ts'
import { firstLock, type Made, type Reply, won } from './resource.ts'
import { steps } from './steps.ts'

vi.mock('../../server/db/named-pool.ts', async original => {
  const real = await original<typeof import('../../server/db/named-pool.ts')>()
  const { gated } = await import('./gate.ts')
  return { ...real, namedPool: (...given: Parameters<typeof real.namedPool>) => gated(real.namedPool(...given)) }
})

const parallel = sizeOf('parallel', 50)
const rounds = sizeOf('rounds', 1)
// A process that gets a tenth of a core is slow, not wrong; a stuck round says so itself. Longer runs bring their own limit.
if (rounds === 1) vi.setConfig({ testTimeout: 300_000 })
const all = [...known.races, ...steps]
const resources = all.filter(({ name }) => isChosen('only', name))

const open = async () => {
  const url = (await newPostgresDatabase()) as string
  return openFixture({ handmade: true, url, database: { poolSize: parallel + 6, lockTimeoutMs: 30_000 } })
}

/** How many had it, when all tried at once. */
const raced = async ({ tries, taken, after }: Made, o: { at: RegExp; late: boolean }) => {
  try {
    const replies: Reply[] = await together(tries, o)
    const answered = [...new Set(replies.map(({ code }) => code))].sort((a, b) => a - b)
    return { answered, had: taken ? await taken(replies) : replies.filter(won).length }
  } finally {
    await after?.()
  }
}

describe.skipIf(!hasPostgres)(`${parallel} at once on PostgreSQL`, () => {
  let fixture: Fixture
  beforeAll(async () => {
    fixture = await open()
  })
  afterAll(() => fixture.close())

  it.each(resources)('$name is not had more often than there is of it: $rule', async resource => {
    const replay = `npm run races -- --only '${resource.name}' --rounds ${rounds} --parallel ${parallel}`
    for (let round = 1; round <= rounds; round++) {
      const made = await resource.make(fixture, parallel)
      const { had, answered } = await raced(made, { at: resource.at ?? firstLock, late: false })
      expect(had, `round ${round} answered ${answered}; again by ${replay}`).toBe(resource.available)
      expect(answered, replay).not.toContain(codes.internal)
    }
  })

  it('leaves books and states in order', async () => {
    expect(await fixture.db.read(runInvariants)).toEqual([])
  })
})

describe.skipIf(!hasPostgres)('the same with what keeps it taken away', () => {
  let fixture: Fixture
  beforeAll(async () => {
    fixture = await open()
    for (const { kept } of resources) for (const statement of kept.drop ?? []) await fixture.exec(sql.raw(statement))
  })
  afterAll(() => fixture.close())

  it.each(resources.filter(({ kept }) => !kept.alsoBy))(
    '$name is had more often than there is of it',
    async resource => {
      const { at = firstLock, by } = resource.kept
      let most = 0
      let answered: readonly number[] = []
      for (let attempt = 0; attempt < 5 && most <= resource.available; attempt++) {
        const made = await resource.make(fixture, parallel)
        const outcome = await weakened(by, () => raced(made, { at, late: true }))
        most = Math.max(most, outcome.had)
        answered = outcome.answered
      }
      expect(most, `answered ${answered}`).toBeGreaterThan(resource.available)
    },
  )
})
