import pg from 'pg'
import { type Migration, migrate } from './migrate.ts'

/** Append-only tables: ledger, history, and the audit chain that proves them unchanged. */
export const historyTables = [
  'journal',
  'journal_line',
  'state_transition',
  'audit_log',
  'access_log',
  'audit_chain',
  'audit_anchor',
  'ledger_day',
  'order_day',
  'staff_day',
] as const

const history = historyTables.join(', ')

/**
 * What a role of the application may do: everything that commands do, and of history only to read it and add to it. Of
 * several servers that start at once one grants after the other.
 */
const grants = (role: string): string => `
  select name from schema_migration where name = '#lock' for update;
  grant usage on schema public to ${role};
  grant select, insert, update, delete on all tables in schema public to ${role};
  grant usage, select on all sequences in schema public to ${role};
  revoke update, delete, truncate on ${history} from ${role};
  revoke insert, update, delete on schema_migration from ${role}`

type Rights = { role: string; quoted: string; mighty: boolean; changes: boolean }

const rightsOf = async (pool: pg.Pool): Promise<Rights> => {
  const { rows } = await pool.query<Rights>(
    `select current_user as role, quote_ident(current_user) as quoted,
       pg_has_role(current_user, (select relowner from pg_class where oid = to_regclass('journal')), 'member') as mighty,
       coalesce((select bool_or(has_any_column_privilege(current_user, t.oid, 'UPDATE') or has_table_privilege(current_user, t.oid, 'DELETE, TRUNCATE'))
         from unnest($1::text[]) name join pg_class t on t.oid = to_regclass(name)), false) as changes`,
    [historyTables],
  )
  return rows[0] as Rights
}

/** A superuser, the owner or a member of the owner's role may do anything, whatever is granted. */
const refuseMighty = (rights: Rights): Rights => {
  if (!rights.mighty) return rights
  throw new Error(
    `the role ${rights.role} could change the ledger and its history: DATABASE_URL needs a role that is neither a superuser nor of the owner's`,
  )
}

/**
 * Migrates as the owner of the database and lets the role of `application` work in it. Refuses a role that could change
 * history all the same.
 */
export const migrateAsOwner = async (
  ownerUrl: string,
  application: pg.Pool,
  migrations: readonly Migration[],
): Promise<void> => {
  const owner = new pg.Pool({ connectionString: ownerUrl, max: 1, application_name: 'mkopo migrations' })
  owner.on('error', () => {})
  try {
    await migrate(owner, migrations)
    const { quoted } = refuseMighty(await rightsOf(application))
    await owner.query(grants(quoted))
  } finally {
    await owner.end()
  }
  const rights = await rightsOf(application)
  refuseMighty({ ...rights, mighty: rights.mighty || rights.changes })
}
