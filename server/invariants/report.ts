import fs from 'node:fs'
import path from 'node:path'
import { keyFile } from '../config.ts'
import { systemClock } from '../db/clock.ts'
import { openDatabase } from '../db/database.ts'
import { DirectoryInUse } from '../db/lock.ts'
import { uploadDirectory } from '../files/uploads/files.ts'
import { sweep } from './sweep.ts'

type Print = (line: string) => void

const dataDirOf = (env: NodeJS.ProcessEnv) => path.resolve(env.DATA_DIR?.trim() || '.data')

const open = (env: NodeJS.ProcessEnv) => {
  const [url, ownerUrl] = [env.DATABASE_URL?.trim(), env.DATABASE_OWNER_URL?.trim()]
  const where = url ? { url, ownerUrl: ownerUrl || undefined } : { dataDir: dataDirOf(env) }
  return openDatabase({ ...where, clock: systemClock })
}

/** The key of this installation, where it has one already. */
const secretKeyOf = (env: NodeJS.ProcessEnv): Buffer | undefined => {
  const kept = path.join(dataDirOf(env), keyFile)
  const given = env.SECRET_KEY?.trim() || (fs.existsSync(kept) ? fs.readFileSync(kept, 'utf8') : undefined)
  return given === undefined ? undefined : Buffer.from(given)
}

/** So many rows of a rule are printed; the rest is counted. */
const shown = 20

/**
 * Prints the rows that break an invariant, one to a line with its name and rule, and nothing else.
 * Answers 0 when there are none, 1 when there are, 2 when a running server holds the data.
 */
export const reportInvariants = async (env: NodeJS.ProcessEnv, print: Print, complain: Print): Promise<0 | 1 | 2> => {
  try {
    const db = await open(env)
    try {
      const files = path.join(dataDirOf(env), uploadDirectory)
      const broken = await sweep(db, { files, secretKey: secretKeyOf(env) })
      for (const { name, rule, rows } of broken) {
        for (const row of rows.slice(0, shown)) print(`${name}\t${rule}\t${JSON.stringify(row)}`)
        if (rows.length > shown) print(`${name}\t${rule}\t… and ${rows.length - shown} more`)
      }
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
