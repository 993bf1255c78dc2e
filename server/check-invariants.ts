import path from 'node:path'
import { systemClock } from './db/clock.ts'
import { type Database, openDatabase } from './db/database.ts'
import { DirectoryInUse } from './db/lock.ts'
import { type Broken, runInvariants } from './invariants.ts'

const print = (line: string) => process.stdout.write(`${line}\n`)

const open = async (env: NodeJS.ProcessEnv): Promise<Database> => {
  const url = env.DATABASE_URL?.trim()
  return openDatabase({ ...(url ? { url } : { dataDir: path.resolve(env.DATA_DIR?.trim() || '.data') }), clock: systemClock })
}

const report = ({ name, rule, rows }: Broken) => {
  for (const row of rows) print(`${name}\t${rule}\t${JSON.stringify(row)}`)
}

/** Prints the rows that break an invariant and nothing else; the exit code tells whether there are any. */
const main = async (): Promise<number> => {
  const db = await open(process.env)
  try {
    const broken = await db.read(runInvariants)
    broken.forEach(report)
    return broken.length > 0 ? 1 : 0
  } finally {
    await db.close()
  }
}

try {
  process.exitCode = await main()
} catch (error) {
  if (!(error instanceof DirectoryInUse)) throw error
  process.stderr.write('A running server holds this data: stop it first, or check a PostgreSQL database with DATABASE_URL.\n')
  process.exitCode = 2
}
