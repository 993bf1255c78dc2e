import { sql } from 'kysely'
import { ConfigError } from '../config.ts'
import type { Database } from '../db/database.ts'
import { json } from '../db/json.ts'

const key = 'DEMO_DATA'

/** `making` stays behind where the demo data were never finished. */
type DemoState = 'making' | 'made'
export type Held = { isEmpty: boolean; demo: DemoState | null }

/** What a database holds: nobody yet, demo data, or people and orders of a lender. */
export const heldIn = (db: Database): Promise<Held> =>
  db.read(tx =>
    tx.one(sql<Held>`
      select not exists (select 1 from app_user) as is_empty,
        (select config_value ->> 'state' from business_config where config_key = ${key}) as demo`),
  )

export const noteDemo = (db: Database, state: DemoState): Promise<number> =>
  db.withTx(tx =>
    tx.exec(sql`
      insert into business_config (config_key, config_value) values (${key}, ${json({ state })})
      on conflict (config_key) do update set config_value = excluded.config_value`),
  )

/**
 * Keeps demo and production apart: everybody knows the passwords, the authenticator and the partner key of a demo.
 * @throws ConfigError that says what to do
 */
export const refuseMixture = ({ isEmpty, demo }: Held, asDemo: boolean): void => {
  if (!asDemo && demo !== null)
    throw new ConfigError(
      'This database holds demo data, whose passwords and keys are public, so it must not serve production. ' +
        'Set DATABASE_URL (or DATA_DIR) to an empty database, or set MKOPO_DEMO=1 to run the demo.',
    )
  if (asDemo && demo === null && !isEmpty)
    throw new ConfigError(
      'MKOPO_DEMO=1 would open this database to public passwords and keys, and it holds no demo data. ' +
        'Set MKOPO_DEMO=0 to run it, or name an empty database for the demo.',
    )
}
