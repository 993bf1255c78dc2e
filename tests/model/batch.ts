import fc from 'fast-check'
import { type Fixture, openFixture } from './fixture.ts'
import { answered } from './game.ts'
import { play } from './play.ts'
import { type Sequence, sequence } from './steps.ts'

/** How many lives are lived at the same time on one server. */
export const batchSize = 12

/** What parted from the model: one sequence, or books that broke under as many `together` as begin with it. */
export type Fault = { run: number; why: string; together?: number }
export type Report =
  | { is: 'done'; runs: number; steps: number; fault?: Fault }
  | { is: 'end'; answered: [string, number][] }

const complaint = (broken: unknown[]) => (broken.length > 0 ? `the books are broken: ${JSON.stringify(broken)}` : null)

/** Lives one sequence alone, on books that must hold when it is over. */
export const alone = async (fixture: Fixture, given: Sequence): Promise<string | null> => {
  const calendar = await fixture.reset()
  return (await play(fixture, calendar, 1, given)) ?? complaint(await fixture.broken())
}

/** The sequences of a seed from one number to another; the same ones that {@link shrunk} finds by their number. */
export const sequences = (seed: number, from: number, to: number): Sequence[] =>
  fc.sample(sequence(), { seed, numRuns: to }).slice(from)

/** Makes the sequence of a path as small as it still fails, and answers it with its own path. */
export const shrunk = async (fixture: Fixture, seed: number, path: string) => {
  let last: string | null = null
  const failing = fc.asyncProperty(sequence(), async given => {
    last = await alone(fixture, given)
    return last === null
  })
  const o = { seed, path, numRuns: 1, markInterruptAsFailure: false, interruptAfterTimeLimit: 90_000 }
  const found = await fc.check(failing, o)
  if (!found.failed || !found.counterexample) return null
  const [smallest] = found.counterexample
  return {
    path: found.counterexamplePath ?? path,
    sequence: smallest,
    why: (await alone(fixture, smallest)) ?? last ?? '',
  }
}

/** Lives the sequences of a seed in batches, and tells of every batch. */
export const runBatches = async (
  { seed, from, to, until }: { seed: number; from: number; to: number; until: number },
  tell: (complaint: Report) => void,
): Promise<void> => {
  const fixture = await openFixture({ lots: batchSize })
  const all = sequences(seed, from, to)
  for (let first = 0; first < all.length && Date.now() < until; first += batchSize) {
    const some = all.slice(first, first + batchSize)
    const calendar = await fixture.reset()
    let steps = 0
    const found = await Promise.all(
      some.map((one, index) => play(fixture, calendar, index + 1, one, () => void steps++)),
    )
    const at = found.findIndex(why => why !== null)
    const why = found[at] ?? complaint(await fixture.broken())
    const fault = why
      ? { run: from + first + Math.max(at, 0), why, ...(at < 0 ? { together: some.length } : {}) }
      : undefined
    tell({ is: 'done', runs: some.length, steps, ...(fault ? { fault } : {}) })
    if (fault) break
  }
  await fixture.close()
  tell({ is: 'end', answered: [...answered] })
}
