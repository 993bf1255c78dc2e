import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { randomFrom } from '../../server/demo/random.ts'
import type { Fixture } from './fixture.ts'
import { openJournal } from './journal.ts'
import { type Worker, workerAt } from './worker.ts'

/** Clerks at every desk of a fixture, and the answers they got. */
export const staffOf = (fixture: Fixture, seed: number) => {
  const { desks, server, now } = fixture
  const journal = openJournal(path.join(fixture.dataDir, 'calls.jsonl'), server.url)
  const workers: Worker[] = desks.map((desk, no) => workerAt({ desk, journal, url: server.url, seed, no, now }))
  return {
    journal,
    /** Everything whose end was unknown is asked for again, under its key. */
    settle: () => Promise.all(workers.map(worker => worker.settle())),
    work: (goOn: () => boolean) => Promise.all(workers.map(worker => worker.work(goOn))),
    /** The same calls once more: the same bytes. Answers how many. */
    async repeat(since: number): Promise<number> {
      const calls = journal.acknowledged().slice(since)
      for (let at = 0; at < calls.length; at += 16)
        await Promise.all(calls.slice(at, at + 16).map(call => journal.again(call)))
      return calls.length
    },
  }
}
export type Staff = ReturnType<typeof staffOf>

export type Round = { answers: number; pauseMs: number }

/** After how many answers the server dies in each round, and how soon after the last. */
export const roundsOf = (seed: number, n: number): Round[] => {
  const random = randomFrom(seed)
  return Array.from({ length: n }, () => ({ answers: random.int(4, 40), pauseMs: random.int(0, 30) }))
}

/** The clerks work until so many answers were heard; then `fault` strikes in the middle of it: the pause draws the moment, it waits for nothing. */
export const workUntil = async ({ journal, work }: Staff, round: Round, fault: () => Promise<void>): Promise<void> => {
  const wanted = journal.acknowledged().length + round.answers
  const until = performance.now() + 8_000
  let ended = false
  const working = work(() => !ended)
  while (journal.acknowledged().length < wanted && performance.now() < until) await pause(5)
  await pause(round.pauseMs)
  await fault()
  ended = true
  await working
}

const stillOpen = (fixture: Fixture) =>
  fixture.look(db =>
    db.read(tx =>
      tx.one(sql<{ codes: number; jobs: number; parked: number }>`
        select (select count(*) from loan_code where loan_code_status in ('created', 'remitting', 'unknown'))::int as codes,
          (select count(*) from job where state = 'ready' and queue in ('payout.dispatch', 'payout.send', 'attempt.ask'))::int as jobs,
          (select count(*) from job where state = 'dead')::int as parked`),
    ),
  )

const dueJobs = (fixture: Fixture) =>
  fixture.look(db =>
    db.read(async tx => {
      const { due } = await tx.one(
        sql<{ due: number }>`select count(*)::int as due from job where state = 'ready' and run_at <= ${fixture.now()}`,
      )
      return due
    }),
  )

/** Gives a server that runs the time to do what is due by its clock, as long as that takes; what it holds it ends when it is stopped. */
const doesWhatIsDue = async (fixture: Fixture): Promise<void> => {
  const until = performance.now() + 60_000
  for (let quiet = 0; quiet < 3 && performance.now() < until; ) {
    await pause(300)
    quiet = (await dueJobs(fixture)) === 0 ? quiet + 1 : 0
  }
}

/**
 * Lets everything that is under way come to its end: hours pass, the network is asked, and the jobs run. A span is what the server has
 * for its clock and its jobs, another follows while anything is left; an embedded database cannot be looked into meanwhile.
 */
export const comeToRest = async (fixture: Fixture): Promise<void> => {
  let left = await stillOpen(fixture)
  for (let round = 0; round < 12 && left.codes + left.jobs > 0; round++) {
    await fixture.pass(round < 4 ? 3_600 : 43_200)
    await fixture.server.start()
    await pause(fixture.isEmbedded ? 4_000 : 1_000)
    if (!fixture.isEmbedded) await doesWhatIsDue(fixture)
    await fixture.server.stop()
    left = await stillOpen(fixture)
  }
  if (left.codes + left.jobs + left.parked > 0) throw new Error(`the payouts come to no end: ${JSON.stringify(left)}`)
}
