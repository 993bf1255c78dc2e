import { sql } from 'kysely'
import type { Money } from '../../core/rules/money.ts'
import type { Database } from '../db/database.ts'

/** One of two halves of the demo, each made in a database of its own. */
export type Part = { index: 0 | 1 }
/** Rows of a table as a JSON text; the last message tells the balances and how far the numbers have come. */
export type Parcel = { table: string; rows: string } | { balances: string; numbers: Record<string, number> }
/** What there was in a half before its first application. */
export type Start = { numbers: Record<string, number>; balances: Map<string, Money> }

/** Tables that applications fill, in the order of their references, with the number by which their rows were made. */
const filled: readonly (readonly [table: string, number?: string])[] = [
  ['customer'],
  ['credit'],
  ['merchant_customer'],
  ['loan_order'],
  ['coupon'],
  ['order_contact'],
  ['order_consent'],
  ['order_collected'],
  ['order_bvn'],
  ['order_payout_history'],
  ['consumption_event', 'event_no'],
  ['audit_task'],
  ['audit_record'],
  ['follow_record'],
  ['journal', 'journal_no'],
  ['journal_line', 'line_no'],
  ['loan_code'],
  ['gateway_attempt'],
  ['loan_code_confirm'],
  ['recon_item'],
  ['repay_plan'],
  ['penalty_tick'],
  ['repay_flow'],
  ['repay_record'],
  ['repay_record_flow'],
  ['repay_record_line'],
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

export const startOf = async (db: Database): Promise<Start> => {
  const numbers: Record<string, number> = {}
  for (const [table, number] of filled) if (number) numbers[table] = (await highest(db, table, number)).top
  return { numbers, balances: new Map((await balancesOf(db)).map(one => [one.accountCode, one.balance])) }
}

/** Hands everything over that was made since the start. */
export const sendPart = async (db: Database, start: Start, send: (parcel: Parcel) => Promise<void>): Promise<void> => {
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
          sql`insert into ${table} select * from json_populate_recordset(null::${table}, ${parcel.rows}::json)`,
        )
      } else {
        others = parcel.numbers
        await tx.exec(sql`
          insert into ledger_balance (account_code, balance)
          select account_code, balance - opening from json_to_recordset(${parcel.balances}::json) as x(account_code text, balance numeric(18,2), opening numeric(18,2))
          on conflict (account_code) do update set balance = ledger_balance.balance + excluded.balance`)
      }
  })
  await restoreNumbers(db, others)
}
