import fs from 'node:fs'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { openEngine } from '../server/db/engine.ts'
import { migrate, readMigrations } from '../server/db/migrate.ts'

type ColumnRow = {
  table: string
  name: string
  type: string
  nullable: boolean
  hasDefault: boolean
  computed: boolean
}

const scalars: Readonly<Record<string, string>> = {
  text: 'string',
  'character varying': 'string',
  character: 'string',
  uuid: 'string',
  numeric: 'string',
  date: 'string',
  boolean: 'boolean',
  smallint: 'number',
  integer: 'number',
  bigint: 'number',
  'double precision': 'number',
  bytea: 'Buffer',
}

const head = `// Written by build/db-types.ts from the migrations; do not edit.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

/** Read as ISO text in UTC. */
type Instant = ColumnType<string, string | Date, string | Date>
/** Read as the value it holds; written as any value that JSON can hold. */
type Json = ColumnType<unknown, NonNullable<unknown>, NonNullable<unknown>>
`

const camelOf = (name: string): string => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

const valueType = ({ table, name, type, nullable }: ColumnRow): string => {
  if (type === 'jsonb') return nullable ? 'unknown' : 'Json'
  if (type === 'timestamp with time zone') return nullable ? 'Instant | null' : 'Instant'
  const scalar = scalars[type.replace(/\(.*\)/, '').replace('[]', '')]
  if (!scalar) throw new Error(`no TypeScript type is known for ${table}.${name}: ${type}`)
  const whole = type.endsWith('[]') ? `${scalar}[]` : scalar
  return nullable ? `${whole} | null` : whole
}

const columnType = (column: ColumnRow): string => {
  if (column.computed) return `GeneratedAlways<${valueType(column)}>`
  return column.hasDefault ? `Generated<${valueType(column)}>` : valueType(column)
}

const readColumns = async (pool: pg.Pool): Promise<ColumnRow[]> => {
  const { rows } = await pool.query<ColumnRow>(`
    select c.relname as "table", a.attname as name, format_type(a.atttypid, a.atttypmod) as type, not a.attnotnull as nullable,
      a.atthasdef or a.attidentity <> '' as "hasDefault", a.attidentity = 'a' or a.attgenerated <> '' as computed
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
      and c.relname <> 'schema_migration'
    order by c.relname collate "C", a.attnum`)
  return rows
}

const declare = (columns: readonly ColumnRow[]): string => {
  const tables = new Map<string, string[]>()
  for (const column of columns) {
    const lines = tables.get(column.table) ?? []
    lines.push(`    ${camelOf(column.name)}: ${columnType(column)}`)
    tables.set(column.table, lines)
  }
  const parts = [...tables].map(([table, lines]) => `  ${camelOf(table)}: {\n${lines.join('\n')}\n  }\n`)
  return `/** The tables, with the names that code uses. */\nexport type DB = {\n${parts.join('')}}\n`
}

/** The text of the types for the migrations of a directory. */
export const databaseTypes = async (directory?: string): Promise<string> => {
  const { pool, close } = await openEngine({ memory: true }, [])
  try {
    await migrate(pool, readMigrations(directory))
    const declaration = declare(await readColumns(pool))
    const used = ['ColumnType', 'Generated', 'GeneratedAlways'].filter(
      name => name === 'ColumnType' || declaration.includes(`${name}<`),
    )
    return `${head.replace('ColumnType, Generated, GeneratedAlways', used.join(', '))}\n${declaration}`
  } finally {
    await close()
  }
}

const main = async (): Promise<void> => {
  const file = fileURLToPath(new URL('../server/db/types.gen.ts', import.meta.url))
  const text = await databaseTypes()
  if (!process.argv.includes('--check')) {
    fs.writeFileSync(file, text)
    return
  }
  if (fs.existsSync(file) && fs.readFileSync(file, 'utf8') === text) return
  process.stderr.write('server/db/types.gen.ts differs from the migrations: run `tsx build/db-types.ts`\n')
  process.exitCode = 1
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
