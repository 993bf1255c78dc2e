import path from 'node:path'
import { systemClock } from './db/clock.ts'
import { type Database, openDatabase } from './db/database.ts'
import { DirectoryInUse } from './db/lock.ts'

export type Print = (line: string) => void

/** Who an operator's command stands for in the audit log. */
export const operator = (action: string, objectNo: string) => ({
  no: 'operator',
  name: 'operator',
  requestId: `${action} ${objectNo}`,
  ip: null,
})

/** Where the environment says that the data is. */
const placeOf = (env: NodeJS.ProcessEnv) => {
  const [url, ownerUrl] = [env.DATABASE_URL?.trim(), env.DATABASE_OWNER_URL?.trim()]
  return url ? { url, ownerUrl: ownerUrl || undefined } : { dataDir: path.resolve(env.DATA_DIR?.trim() || '.data') }
}

/**
 * Runs a command that an operator gives on the server's own machine: first what reads its arguments, then what works on the database,
 * which is closed again. Answers 0, 1 after saying why it cannot be, 2 when a running server holds the data.
 */
export const operate = async <A>(
  env: NodeJS.ProcessEnv,
  complain: Print,
  o: { read: () => A; act: (db: Database, asked: A) => Promise<void> },
): Promise<0 | 1 | 2> => {
  try {
    const asked = o.read()
    const db = await openDatabase({ ...placeOf(env), clock: systemClock })
    try {
      await o.act(db, asked)
      return 0
    } finally {
      await db.close()
    }
  } catch (error) {
    const inUse = error instanceof DirectoryInUse
    complain(
      inUse
        ? 'A running server holds this data: stop it first, or name a PostgreSQL database with DATABASE_URL.'
        : error instanceof Error
          ? error.message
          : String(error),
    )
    return inUse ? 2 : 1
  }
}
