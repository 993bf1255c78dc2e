import path from 'node:path'
import { systemClock } from '../db/clock.ts'
import { openDatabase } from '../db/database.ts'
import { DirectoryInUse } from '../db/lock.ts'
import { uploadDirectory } from '../uploads/files.ts'
import { sweep } from './sweep.ts'

type Print = (line: string) => void

const dataDirOf = (env: NodeJS.ProcessEnv) => path.resolve(env.DATA_DIR?.trim() || '.data')

const open = (env: NodeJS.ProcessEnv) => {
  const url = env.DATABASE_URL?.trim()
  const where = url ? { url } : { dataDir: dataDirOf(env) }
  return openDatabase({ ...where, clock: systemClock })
}

/**
 * Prints the rows that break an invariant, one to a line with its name and rule, and nothing else.
 * Answers 0 when there are none, 1 when there are, 2 when a running server holds the data.
 */
export const reportInvariants = async (env: NodeJS.ProcessEnv, print: Print, complain: Print): Promise<0 | 1 | 2> => {
  try {
    const db = await open(env)
    try {
      const files = path.join(dataDirOf(env), uploadDirectory)
      const broken = await sweep(db, files)
      for (const { name, rule, rows } of broken)
        for (const row of rows) print(`${name}\t${rule}\t${JSON.stringify(row)}`)
      return broken.length > 0 ? 1 : 0
    } finally {
      await db.close()
    }
  } catch (error) {
    if (!(error instanceof DirectoryInUse)) throw error
    complain('A running server holds this data: stop it first, or check a PostgreSQL database with DATABASE_URL.')
    return 2
  }
}
