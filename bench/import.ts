import { parseArgs } from 'node:util'
import { CompiledQuery, sql } from 'kysely'
import pg from 'pg'
import { loan } from '../core/contract/after-loan/loan.ts'
import { imports } from '../core/contract/common/imports.ts'
import { eatDateTime } from '../core/rules/time.ts'
import { openFixture } from '../tests/contract/fixture.ts'
import { newPostgresDatabase } from '../tests/postgres.ts'
import { seconds, watched } from './measured.ts'
import { fill } from './million-fill.ts'

/**
 * A file of released orders, as long as one may be: rows a second while it is checked and while it is taken in, memory, and how
 * many times as long as the rows that it leaves take when they are inserted bare, some thousand a statement.
 */
const { values: given } = parseArgs({
  options: { rows: { type: 'string', default: '50000' }, pglite: { type: 'boolean', default: false } },
})
const count = Number(given.rows)
const chunkRows = 1_000
/** Every payout was sent a day before, so that it may be confirmed by hand. */
const [sent, now] = ['2026-03-01T07:00:00Z', '2026-03-02T07:00:00Z']

const url = given.pglite ? null : await newPostgresDatabase()
if (!url && !given.pglite) throw new Error('PostgreSQL is not installed')
const fixture = await openFixture({ ...(url ? { url } : {}), now, handmade: true })
const plain = url ? new pg.Client(url) : undefined
await plain?.connect()
/** Statements beside the server's; the embedded engine has one connection, which is the server's own. */
const client = {
  query: async (text: string, values: unknown[] = []): Promise<{ rows: { row: unknown }[] }> =>
    plain
      ? plain.query(text, values)
      : fixture.db.withTx(tx => tx.k.executeQuery(CompiledQuery.raw(text.replace('vacuum ', ''), values) as never)),
}
await fill(client, count, sent, `'remitting'`)

type Payout = { loanCode: string; orderNo: string }
const payouts = await fixture.rows(sql<Payout>`select loan_code, order_no from loan_code order by loan_code`)
const payoutTime = eatDateTime(fixture.clock.now())
const lines = payouts.map(({ loanCode, orderNo }) => `${loanCode},${orderNo},success,SN-${loanCode},${payoutTime}`)
const bytes = Buffer.from(['loanCode,orderNo,result,serialNo,payoutTime', ...lines, ''].join('\n'))
const uploadNo = await fixture.uploaded(fixture.boss, { purpose: 'import', fileName: 'released.csv', bytes })
const as = fixture.boss

/** The rows that an import leaves, by the table and what tells them from those that were there before. */
const kept = [
  ['import_row', 'true'],
  ['loan_code_confirm', 'import_no is not null'],
  ['state_transition', `machine = 'M23'`],
  ['audit_log', `object_type = 'loanCode'`],
] as const

/** Inserts what the import left into tables of the same shape and indexes, where no rule and no trigger stands; in seconds. */
const inserted = async (): Promise<{ took: number; rows: number }> => {
  let [took, rows] = [0, 0]
  for (const [table, which] of kept) {
    await client.query(`drop table if exists bare_${table}`)
    await client.query(`create table bare_${table} (like ${table} including all)`)
    const { rows: found } = await client.query(`select to_jsonb(t) as row from ${table} t where ${which}`)
    rows += found.length
    const chunks = Array.from({ length: Math.ceil(found.length / chunkRows) }, (_, at) =>
      JSON.stringify(found.slice(at * chunkRows, (at + 1) * chunkRows).map(({ row }) => row)),
    )
    took += await seconds(async () => {
      for (const chunk of chunks)
        await client.query(
          `insert into bare_${table} select * from jsonb_populate_recordset(null::${table}, $1::jsonb)`,
          [chunk],
        )
    })
  }
  return { took, rows }
}

const status = async (importNo: string) => {
  const { job } = fixture.must(await fixture.call(imports.detail, { importNo }, { as }))
  return job
}

const rate = (took: number) => `${took.toFixed(1)} s, ${(count / took).toFixed(0)} rows/s`
console.log(`${count} rows, ${(bytes.length / 2 ** 20).toFixed(1)} MB`)
let [checked, taken] = [0, 0]
const rss = await watched(async () => {
  let importNo = ''
  checked = await seconds(async () => {
    const answer = await fixture.call(loan.page.importing!.command, { uploadNo }, { as })
    importNo = (fixture.must(answer) as { importNo: string }).importNo
    await fixture.worker.drain()
  })
  console.log(`checked: ${rate(checked)}`)
  const { version, validCount, ...seen } = await status(importNo)
  if (validCount !== count) throw new Error(JSON.stringify(seen))
  taken = await seconds(async () => {
    fixture.must(await fixture.call(imports.confirm, { importNo, version }, { as }))
    await fixture.worker.drain()
  })
  console.log(`taken in, with its result: ${rate(taken)}`)
  const ended = await status(importNo)
  if (ended.okCount !== count || ended.fileSize === null) throw new Error(JSON.stringify(ended))
})
const bare = await inserted()
console.log(`the ${bare.rows} rows that it left, inserted bare: ${bare.took.toFixed(1)} s`)
console.log(
  `together ${rate(checked + taken)}, ${((checked + taken) / bare.took).toFixed(1)} × bare, +${rss.toFixed(0)} MB RSS`,
)
await plain?.end()
await fixture.close()
