import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { type Broken, runInvariants } from '../invariants.ts'
import { checkPayloads } from './approvals.ts'
import { checkAnchors } from './audit.ts'
import { checkFiles } from './files.ts'

/** What else is there beside the database: the directory of uploads, and the key that seals anchors of the audit log. */
export type Beside = { files?: string; secretKey?: Buffer }

/**
 * Asks every invariant of a database, all of one moment even while others write; also those of what lies beside it,
 * where that is given. Answers what is broken: nothing, when all is well. Reads only.
 */
export const sweep = (db: Pick<Database, 'read'>, { files, secretKey }: Beside = {}): Promise<Broken[]> =>
  db.read(async tx => {
    await tx.exec(sql`begin isolation level repeatable read, read only`)
    try {
      return [
        ...(await runInvariants(tx)),
        ...(await checkPayloads(tx)),
        ...(files ? await checkFiles(tx, files) : []),
        ...(secretKey ? await checkAnchors(tx, secretKey) : []),
      ]
    } finally {
      await tx.exec(sql`rollback`)
    }
  })
