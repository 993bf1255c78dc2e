import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { checkPayloads } from './approvals.ts'
import { checkAnchors } from './audit.ts'
import type { Broken } from './check.ts'
import { checkFiles, filesToCheck } from './files.ts'
import { runInvariants } from './invariants.ts'

/** What else is there beside the database: the directory of uploads, and the key that seals anchors of the audit log. */
export type Beside = { files?: string; secretKey?: Buffer }

/**
 * Asks every invariant of a database, all of one moment even while others write; also those of what lies beside it,
 * where that is given. Answers what is broken: nothing, when all is well. Reads only.
 */
export const sweep = async (db: Pick<Database, 'read'>, { files, secretKey }: Beside = {}): Promise<Broken[]> => {
  const { broken, toCheck } = await db.read(async tx => {
    await tx.exec(sql`begin isolation level repeatable read, read only`)
    try {
      // Of many rows a rule takes the time that it takes.
      await tx.exec(sql`set local statement_timeout = 0`)
      return {
        broken: [
          ...(await runInvariants(tx)),
          ...(await checkPayloads(tx)),
          ...(secretKey ? await checkAnchors(tx, secretKey) : []),
        ],
        toCheck: files ? await filesToCheck(tx) : null,
      }
    } finally {
      await tx.exec(sql`rollback`)
    }
  })
  return files && toCheck ? [...broken, ...(await checkFiles(toCheck, files))] : broken
}
