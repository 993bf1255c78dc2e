import { openMemoryPool } from './db/pglite-pool.ts'
import { migrate, readMigrations } from './db/migrate.ts'
const { pool, dump, close } = await openMemoryPool()
const c = await pool.connect()
await c.query('begin'); 
console.log(await migrateStep())
async function migrateStep() {
  for (const m of readMigrations()) {
    const r = await c.query(m.text).catch(e => e.message)
    console.log(m.name, Array.isArray(r) ? r.length : r)
    const t = await c.query(`select count(*) from pg_tables where schemaname='public'`); console.log(t.rows)
  }
}
const r = await c.query('commit'); console.log(r.command)
await close()
