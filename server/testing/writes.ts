import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

/**
 * What a refused call may leave behind: sign-ins and proofs, the stored answer, the events of open consoles, and the log of intake.
 * The version of rights counts changes; the rights themselves are in other tables.
 */
const aside = /^(session|rights_version|step_up|user_event|merchant_credential_use|acquire_log|idempotency|login_.*)$/

/**
 * After each statement that changes rows of a business table, and changes what they say, notes the table in the same transaction:
 * what is undone is not noted.
 */
const watcher = sql`
  create table write_seen (write_no bigint generated always as identity primary key, table_name text not null);
  create function note_write() returns trigger language plpgsql as $$
  begin
    if tg_op = 'UPDATE' then
      perform 1 from ((select o::text from old_rows o except all select n::text from new_rows n)) changed limit 1;
    elsif tg_op = 'INSERT' then
      perform 1 from new_rows limit 1;
    elsif tg_op = 'DELETE' then
      perform 1 from old_rows limit 1;
    end if;
    if tg_op = 'TRUNCATE' or found then
      insert into write_seen (table_name) values (tg_table_name);
    end if;
    return null;
  end $$;
  do $$
  declare t text;
  begin
    for t in select tablename from pg_tables where schemaname = current_schema() and tablename <> 'write_seen' loop
      execute format('create trigger seen_insert after insert on %I referencing new table as new_rows for each statement execute function note_write()', t);
      execute format('create trigger seen_update after update on %I referencing old table as old_rows new table as new_rows for each statement execute function note_write()', t);
      execute format('create trigger seen_delete after delete on %I referencing old table as old_rows for each statement execute function note_write()', t);
      execute format('create trigger seen_truncate after truncate on %I for each statement execute function note_write()', t);
    end loop;
  end $$`

const watched = new WeakMap<Database, Promise<unknown>>()

/** Begins to note which tables are written; from then on for as long as the database is open. */
const watch = (db: Database): Promise<unknown> => {
  const begun = watched.get(db) ?? db.withTx(tx => tx.exec(watcher))
  watched.set(db, begun)
  return begun
}

/** Answers, each time that it is asked, the business tables whose rows were changed and committed since it was asked last. */
export const writesOf = async (db: Database, except: readonly string[] = []): Promise<() => Promise<string[]>> => {
  await watch(db)
  type Seen = { no: number; names: string[] }
  const since = (no: number) =>
    db.read(tx =>
      tx.one(sql<Seen>`
        select coalesce(max(write_no), ${no})::int as no, coalesce(array_agg(distinct table_name), '{}') as names from write_seen where write_no > ${no}`),
    )
  let { no } = await since(0)
  return async () => {
    const seen = await since(no)
    no = seen.no
    return seen.names.filter(name => !aside.test(name) && !except.includes(name)).sort()
  }
}

/** The business tables whose rows were changed and committed, by anybody, while `act` ran. */
export const writtenBy = async (db: Database, act: () => Promise<unknown>, except: readonly string[] = []) => {
  const written = await writesOf(db, except)
  await act()
  return written()
}
