import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { type Broken, runInvariants } from '../invariants.ts'
import { checkFiles } from './files.ts'

/**
 * Asks every invariant of a database, all of one moment even while others write; with a directory of uploads also
 * those of the files. Answers what is broken: nothing, when all is well. Reads only.
 */
export const sweep = (db: Pick<Database, 'read'>, files?: string): Promise<Broken[]> =>
  db.read(async tx => {
    await tx.exec(sql`begin isolation level repeatable read, read only`)
    try {
      return [...(await runInvariants(tx)), ...(files ? await checkFiles(tx, files) : [])]
    } finally {
      await tx.exec(sql`rollback`)
    }
  })
