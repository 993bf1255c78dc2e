import { setTimeout as pause } from 'node:timers/promises'
import type { PostgresPool, PostgresQueryResult } from 'kysely'

/** What makes a statement weaker: a pattern in its text and what stands in its place. */
export type Weakening = readonly [pattern: RegExp, by: string]

/** Rows are read without keeping anybody else from them. */
export const noLocks: readonly Weakening[] = [[/\s+for (?:no key )?update(?: of \w+)?(?=\s*$)/, '']]
/** A change of state no longer asks whether the row is still as it was read. */
export const noVersions: readonly Weakening[] = [
  [/ = (\$\d+) and version = (\$\d+)$/, ' is not null and $1::text is not null and $2::int is not null'],
]

/** How often in a row a look a second apart may find that nothing has moved. A process that gets no time does not look either. */
const patience = 30
const lookEveryMs = 1_000

type Round = { at: RegExp; late: boolean; expected: number; parked: (() => void)[]; open: boolean; moved: boolean }
let round: Round | undefined
let weakenings: readonly Weakening[] = []

const openIfAll = (of: Round) => {
  if (of.open || of.parked.length < of.expected) return
  of.open = true
  for (const go of of.parked) go()
}

const arrive = (of: Round): Promise<void> | undefined => {
  if (of.open) return undefined
  return new Promise(resolve => {
    of.parked.push(resolve)
    openIfAll(of)
  })
}

/** A statement on its way to the database; where all are to meet, it waits for the others. */
const pass = async <R>(text: string, send: (text: string) => Promise<R>): Promise<R> => {
  const sent = weakenings.reduce((now, [pattern, by]) => now.replace(pattern, by), text)
  const here = round
  if (!here) return send(sent)
  const meets = here.at.test(text)
  here.moved = true
  if (meets && !here.late) await arrive(here)
  const result = await send(sent)
  here.moved = true
  if (meets && here.late) await arrive(here)
  return result
}

/** The pool of the server under test, with the barrier in front of every statement. */
export const gated = (pool: PostgresPool): PostgresPool => ({
  ...pool,
  end: () => pool.end(),
  async connect() {
    const client = await pool.connect()
    const query = (text: string, values: readonly unknown[]) =>
      pass(text, sent => client.query(sent, values) as Promise<PostgresQueryResult<unknown>>)
    return { query: query as typeof client.query, release: () => client.release() }
  },
})

/** Lets calls run while some guards are off. */
export const weakened = async <T>(by: readonly Weakening[], act: () => Promise<T>): Promise<T> => {
  weakenings = by
  try {
    return await act()
  } finally {
    weakenings = []
  }
}

/** Ends in an error when calls of a round stay away though nothing moves any more, after letting go those who came. */
const watch = async (of: Round, signal: AbortSignal): Promise<void> => {
  for (let quiet = 0; quiet < patience; quiet = of.moved ? 0 : quiet + 1) {
    of.moved = false
    await pause(lookEveryMs, undefined, { signal })
    // All have come, and a loaded machine takes its time with what comes after.
    if (of.open) return
  }
  of.open = true
  for (const go of of.parked) go()
  throw new Error(`only ${of.parked.length} of ${of.expected} came to ${of.at}`)
}

/**
 * Starts all at once and holds each where its statement matches `at`, until every one that still runs is there; `late` holds them behind
 * it, with what they read in their hands. Answers what each came to.
 */
export const together = async <T>(
  tries: readonly (() => Promise<T>)[],
  o: { at: RegExp; late: boolean },
): Promise<T[]> => {
  const mine: Round = { ...o, expected: tries.length, parked: [], open: false, moved: false }
  round = mine
  const ending = new AbortController()
  const all = Promise.all(
    tries.map(one =>
      one().finally(() => {
        mine.expected -= 1
        mine.moved = true
        openIfAll(mine)
      }),
    ),
  )
  try {
    await Promise.race([all, watch(mine, ending.signal)])
    return await all
  } finally {
    ending.abort()
    round = undefined
  }
}
