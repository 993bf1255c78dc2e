import type { Database } from '../db/database.ts'
import { sweep } from '../invariants/sweep.ts'

/** Closes a database of tests; throws when it breaks an invariant, unless its rows are `handmade`: not what commands would have made. */
export const closeProven = async (db: Database, { handmade }: { handmade?: true } = {}): Promise<void> => {
  try {
    const broken = handmade ? [] : await sweep(db)
    if (broken.length === 0) return
    const said = broken.map(({ name, rule, rows }) => `${name}: ${rule}\n${JSON.stringify(rows.slice(0, 3))}`)
    throw new Error(`the invariants do not hold after this file\n${said.join('\n')}`)
  } finally {
    await db.close()
  }
}
