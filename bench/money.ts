import { AsyncLocalStorage } from 'node:async_hooks'
import { sql } from 'kysely'
import pg from 'pg'
import { contract } from '../core/contract/contract.ts'
import { openFixture } from '../tests/contract/fixture.ts'
import { newPostgresDatabase } from '../tests/postgres.ts'

/**
 * A money command at full load: payments are written off by many clients at once, each of another order, every commit real;
 * then the statements that the server sent go to a copy of the database as it was before, bare, by as many clients.
 */
const clients = Number(process.env.BENCH_CLIENTS ?? 16)
const each = Number(process.env.BENCH_EACH ?? 20)
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const { repay } = contract
type Counted = { lines: number }
const counted = 'select count(*)::int as lines from journal_line'

type Query = pg.Client['query']
type Statements = unknown[][]
const plain = pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => Promise<pg.QueryResult>
const heard = new AsyncLocalStorage<Statements>()

/** Hears what a call sends, whichever connections it takes. */
pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
  heard.getStore()?.push(args)
  return plain.apply(this, args)
} as unknown as Query

/** How long it takes until `clients` workers have done everything in the list, in seconds. */
const timed = async <T>(work: readonly T[], act: (one: T, worker: number) => Promise<void>): Promise<number> => {
  const left = [...work]
  const started = performance.now()
  await Promise.all(
    Array.from({ length: clients }, async (_, worker) => {
      for (let one = left.shift(); one !== undefined; one = left.shift()) await act(one, worker)
    }),
  )
  return (performance.now() - started) / 1000
}

const url = await newPostgresDatabase()
if (!url) throw new Error('PostgreSQL is not installed here')
const fixture = await openFixture({ url })
const name = new URL(url).pathname.slice(1)
const admin = new pg.Client(url.replace(`/${name}`, '/postgres'))
await admin.connect()

const prepare = async (count: number) => {
  const made: { commit: Awaited<ReturnType<typeof fixture.tried>> }[] = []
  while (made.length < count) {
    const { orderNo } = await fixture.disbursed()
    made.push({ commit: await fixture.tried(fixture.typed(orderNo, '60000.00')) })
  }
  return made
}

/** The same database under another name, as it is now. */
const copyAs = async (copy: string) => {
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
  await admin.query(`create database ${copy} template ${name}`)
}

/** One statement after another on one connection, as a call sends them. */
const replay = async (client: pg.Client, statements: Statements) => {
  for (const args of statements) await plain.apply(client, args)
}

console.log(`${clients} clients, ${each} payments each, ${rounds} rounds`)
const ratios: number[] = []
for (let round = 0; round <= rounds; round++) {
  const work = await prepare(clients * each)
  const copy = `${name}_${round}`
  await copyAs(copy)
  const sent: Statements[] = []
  const served = await timed(work, async ({ commit }) => {
    const statements: Statements = []
    const answer = await heard.run(statements, () => fixture.call(repay.commit, commit, { as: fixture.boss }))
    if (answer.code !== 0) throw new Error(`${answer.code} ${answer.msg}`)
    sent.push(statements)
  })
  const bareClients = await Promise.all(
    Array.from({ length: clients }, async () => {
      const client = new pg.Client(url.replace(`/${name}`, `/${copy}`))
      await client.connect()
      return client
    }),
  )
  const bare = await timed(sent, (statements, worker) => replay(bareClients[worker] as pg.Client, statements))
  const [mine, theirs] = [
    await fixture.one(sql<Counted>`${sql.raw(counted)}`),
    await bareClients[0]!.query<Counted>(counted),
  ]
  if (mine.lines !== theirs.rows[0]?.lines) throw new Error('the bare statements did not do the same')
  await Promise.all(bareClients.map(client => client.end()))
  await admin.query(`drop database ${copy}`)
  const count = work.length
  const line = `${(count / served).toFixed(0)}/s served, ${(count / bare).toFixed(0)}/s bare, ${sent[0]?.length} statements: ${(served / bare).toFixed(2)} ×`
  console.log(round ? line : `warm-up: ${line}`)
  if (round) ratios.push(served / bare)
}
ratios.sort((a, b) => a - b)
const middle = ratios[ratios.length >> 1] ?? 0
console.log(`median ${middle.toFixed(2)} ×, limit 1.6: ${middle <= 1.6 ? 'within' : 'OVER'}`)
await admin.end()
await fixture.close()
