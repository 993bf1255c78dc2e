import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import type { Money } from '../../core/rules/money.ts'
import type { Database } from '../db/database.ts'

/** One of two halves of the demo, each made in a database of its own. */
export type Part = { index: 0 | 1 }
/** Rows of a table as a JSON text; the last message tells the balances and how far the numbers have come. */
export type Parcel = { table: string; rows: string } | { balances: string; numbers: Record<string, number> }
/** What there was in a half before its first application; `elsewhere` counts the rows of tables that stay as they are. */
export type Start = { numbers: Record<string, number>; balances: Map<string, Money>; elsewhere: Map<string, number> }

/** Tables that applications fill, in the order of their references, with the number by which their rows were made. */
const filled: readonly (readonly [table: string, number?: string])[] = [
  ['customer'],
  ['credit'],
  ['merchant_customer'],
  ['merchant_credential_use', 'use_no'],
  ['loan_order'],
  ['acquire_log'],
  ['risk_fact_snapshot'],
  ['risk_decision'],
  ['risk_decision_hit'],
  ['risk_model_score', 'score_no'],
  ['coupon'],
  ['order_list_value'],
  ['order_contact'],
  ['order_consent'],
  ['order_collected'],
  ['order_bvn'],
  ['order_payout_history'],
  ['consumption_event', 'event_no'],
  ['audit_task'],
  ['audit_record'],
  ['audit_answer'],
  ['follow_record'],
  ['journal', 'journal_no'],
  ['journal_line', 'line_no'],
  ['loan_code'],
  ['gateway_attempt'],
  ['merchant_loan_take', 'take_no'],
  ['loan_code_confirm'],
  ['recon_item'],
  ['repay_plan'],
  ['penalty_tick'],
  ['repay_flow'],
  ['repay_record'],
  ['repay_record_flow'],
  ['repay_record_line'],
  ['extension'],
  ['overpayment'],
  ['approval'],
  ['staff_message'],
  ['state_transition', 'transition_no'],
  ['audit_log', 'audit_no'],
  ['access_log', 'access_no'],
  ['outbox', 'outbox_no'],
  ['job', 'id'],
  ['inbound_event', 'event_no'],
  ['idempotency'],
]
const chunkRows = 2_000

/** Every second number is for this half, so that numbers of both are in the order of time. */
export const takeNumbers = (db: Database, { index }: Part): Promise<number> =>
  db.withTx(tx =>
    tx.exec(
      sql`do ${sql.lit(`
      declare one record;
      begin
        for one in select sequencename, increment_by from pg_sequences where schemaname = current_schema() loop
          execute format('alter sequence %I increment by %s restart with %s', one.sequencename, one.increment_by * 2, 1 + ${index} * one.increment_by);
        end loop;
      end`)}`,
    ),
  )

/** Numbers go on by one, behind those of both halves. */
const restoreNumbers = (db: Database, others: Record<string, number>): Promise<number> =>
  db.withTx(tx =>
    tx.exec(
      sql`do ${sql.lit(`
      declare one record;
      begin
        for one in select sequencename, increment_by, greatest(coalesce(last_value, 0), coalesce(('${JSON.stringify(others)}'::json ->> sequencename)::bigint, 0)) as reached
          from pg_sequences where schemaname = current_schema() loop
          execute format('alter sequence %I increment by %s restart with %s', one.sequencename, one.increment_by / 2, one.reached + one.increment_by);
        end loop;
      end`)}`,
    ),
  )

const numbersOf = async (db: Database): Promise<Record<string, number>> => {
  const rows = await db.read(tx =>
    tx.rows(
      sql<{
        name: string
        reached: number
      }>`select sequencename as name, coalesce(last_value, 0) as reached from pg_sequences where schemaname = current_schema()`,
    ),
  )
  return Object.fromEntries(rows.map(({ name, reached }) => [name, reached]))
}

type Kept = { accountCode: string; balance: Money }
const balancesOf = (db: Database) =>
  db.read(tx => tx.rows(sql<Kept>`select account_code, balance from ledger_balance order by account_code`))

const highest = (db: Database, table: string, column: string) =>
  db.read(tx =>
    tx.one(sql<{ top: number }>`select coalesce(max(${sql.ref(column)}), 0) as top from ${sql.table(table)}`),
  )

/** How many rows each table has that no application fills. */
const elsewhereOf = (db: Database): Promise<Map<string, number>> =>
  db.read(async tx => {
    const tables = await tx.rows(
      sql<{ name: string }>`select tablename as name from pg_tables where schemaname = current_schema()`,
    )
    const counts = tables
      .filter(({ name }) => !filled.some(([table]) => table === name))
      .map(({ name }) => sql`select ${name}::text as name, count(*)::int as rows from ${sql.table(name)}`)
    const rows = await tx.rows(sql<{ name: string; rows: number }>`${sql.join(counts, sql` union all `)}`)
    return new Map(rows.map(({ name, rows }) => [name, rows]))
  })

export const startOf = async (db: Database): Promise<Start> => {
  const numbers: Record<string, number> = {}
  for (const [table, number] of filled) if (number) numbers[table] = (await highest(db, table, number)).top
  const balances = new Map((await balancesOf(db)).map(one => [one.accountCode, one.balance]))
  return { numbers, balances, elsewhere: await elsewhereOf(db) }
}

/** Sums are added up again, each half runs the same daily jobs, and the news of screens is forgotten. */
const left: readonly string[] = ['ledger_balance', 'merchant_loan_usage', 'job_run', 'user_event']

/** Hands everything over that was made since the start. Throws where that would leave rows behind. */
export const sendPart = async (db: Database, start: Start, send: (parcel: Parcel) => Promise<void>): Promise<void> => {
  const grown = [...(await elsewhereOf(db))].filter(
    ([table, rows]) => rows !== start.elsewhere.get(table) && !left.includes(table),
  )
  if (grown.length) throw new Error(`not handed over: ${grown.map(([table]) => table).join(', ')}`)
  for (const [table, number] of filled) {
    const order = number ? sql`order by ${sql.ref(number)}` : sql``
    const after = number ? sql`where ${sql.ref(number)} > ${start.numbers[table] ?? 0}` : sql``
    await db.withTx(async tx => {
      await tx.exec(
        sql`create temp table parcel on commit drop as select row_number() over (${order}) as at, t as row from ${sql.table(table)} t ${after}`,
      )
      for (let at = 0; ; at += chunkRows) {
        const { rows } = await tx.one(sql<{ rows: string | null }>`
          select json_agg(row order by at)::text as rows from parcel where at > ${at} and at <= ${at + chunkRows}`)
        if (!rows) return
        await send({ table, rows })
      }
    })
  }
  const balances = (await balancesOf(db)).map(({ accountCode, balance }) => ({
    account_code: accountCode,
    balance,
    opening: start.balances.get(accountCode) ?? '0.00',
  }))
  await send({ balances: JSON.stringify(balances), numbers: await numbersOf(db) })
}

/** Writes what another half made. */
export const takePart = async (db: Database, parcels: readonly Parcel[]): Promise<void> => {
  let others: Record<string, number> = {}
  await db.withTx(async tx => {
    for (const parcel of parcels)
      if ('table' in parcel) {
        const table = sql.table(parcel.table)
        await tx.exec(
          sql`insert into ${table} overriding system value select * from json_populate_recordset(null::${table}, ${parcel.rows}::json)`,
        )
      } else {
        others = parcel.numbers
        await tx.exec(sql`
          insert into ledger_balance (account_code, balance)
          select account_code, balance - opening from json_to_recordset(${parcel.balances}::json) as x(account_code text, balance numeric(18,2), opening numeric(18,2))
          on conflict (account_code) do update set balance = ledger_balance.balance + excluded.balance`)
      }
    await tx.exec(sql`
      insert into merchant_loan_usage (limit_no, business_date, used_amount, used_count)
      select limit_no, business_date, sum(amount), count(*) from merchant_loan_take where returned_time is null group by limit_no, business_date
      on conflict (limit_no, business_date) do update set used_amount = excluded.used_amount, used_count = excluded.used_count`)
  })
  await restoreNumbers(db, others)
}

const here = fileURLToPath(import.meta.url)
const isBuilt = path.basename(path.dirname(path.dirname(here))) === 'dist'

/** The second half is made by a process of its own; answers what it hands over. */
export const otherHalf = async (now: Date, orders: number): Promise<Parcel[]> => {
  const directory = mkdtempSync(path.join(tmpdir(), 'mkopo-demo-'))
  const parcels: Parcel[] = []
  try {
    await new Promise<void>((resolve, reject) => {
      const program = path.join(path.dirname(here), isBuilt ? 'demo-part.js' : 'demo-part.ts')
      const child = fork(program, [now.toISOString(), String(orders), path.join(directory, 'data')], {
        serialization: 'advanced',
        execArgv: isBuilt ? [] : ['--import', 'tsx'],
      })
      child.on('message', (parcel: Parcel) => void parcels.push(parcel))
      child.once('error', reject)
      child.once('close', code => (code === 0 ? resolve() : reject(new Error('half of the demo could not be made'))))
    })
    return parcels
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
