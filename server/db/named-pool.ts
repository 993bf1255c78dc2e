import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type pg from 'pg'
import { faultPoint } from '../fault-point.ts'
import { isRefusedAfter, isStalePlan } from './faults.ts'

const maxNames = 1_000
const names = new Map<string, string>()

const nameOf = (text: string): string | undefined => {
  const known = names.get(text)
  if (known || names.size >= maxNames) return known
  const name = `s${names.size}`
  names.set(text, name)
  return name
}

const nothing: PostgresQueryResult<unknown> = { command: 'SELECT', rowCount: 0, rows: [] }

type Question = pg.QueryConfig & { query_timeout?: number }

/** The driver's own words when an answer took longer than the patience. */
const isSilent = (error: unknown): boolean => error instanceof Error && error.message === 'Query read timeout'

const clientOver = (client: pg.PoolClient, patienceMs: number | undefined): PostgresPoolClient => {
  let stale = false
  let silent = false
  let begun: Promise<unknown> | undefined
  let failed: unknown
  const query = async (text: string, values: readonly unknown[]) => {
    // Behind a question that is not answered, a rollback would only wait as well.
    if (silent && text === 'rollback') return nothing
    try {
      const named = values.length === 0 ? {} : { name: nameOf(text), values: values as unknown[] }
      const question: Question = { text, ...named, query_timeout: patienceMs }
      const asked = client.query(question)
      if (text.startsWith('start transaction')) {
        begun = asked
        failed = undefined
        asked.catch(() => {})
        return nothing
      }
      const first = begun
      begun = undefined
      const [result] = await Promise.all([asked, first, text === 'commit' ? faultPoint('in-commit') : undefined])
      if (text === 'commit' && result.command !== 'COMMIT') {
        throw new Error('the transaction was rolled back: a statement in it had failed')
      }
      return result as PostgresQueryResult<unknown>
    } catch (error) {
      silent ||= isSilent(error)
      stale ||= silent || isStalePlan(error) || text === 'rollback'
      // The connection is thrown away, and with it the transaction; the fault that led here is the one to report.
      if (text === 'rollback') return nothing
      if (!isRefusedAfter(error)) failed = error
      throw failed ?? error
    }
  }
  return { query: query as PostgresPoolClient['query'], release: () => client.release(stale) }
}

/**
 * The pool as Kysely sees it. A new connection gets its `settings`; statements with parameters are prepared once per connection; the
 * start of a transaction goes out with its first statement, which fails where the start did; what was sent behind a statement that
 * failed fails with the same error; a commit that the database answered with a rollback is an error; waiting in vain for a connection
 * says what the likely reason is. A server that says nothing for longer than `patienceMs` has lost the connection.
 */
export const namedPool = (pool: pg.Pool, settings: string, patienceMs?: number): PostgresPool => {
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  return {
    async connect() {
      const client = await pool.connect().catch(error => {
        if (!String(error?.message).startsWith('timeout exceeded')) throw error
        const advice = 'inside a transaction use only the handle of that transaction'
        throw new Error(`no database connection became free in time; ${advice}`, { cause: error })
      })
      const known = clients.get(client)
      if (known) return known
      const question: Question = { text: settings, query_timeout: patienceMs }
      await client.query(question).catch(error => {
        client.release(true)
        throw error
      })
      const fresh = clientOver(client, patienceMs)
      clients.set(client, fresh)
      return fresh
    },
    end: () => pool.end(),
  }
}
