import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import pg from 'pg'
import { recon } from '../core/contract/after-loan/reconciliation.ts'
import { type Money, sum } from '../core/rules/money.ts'
import { addDays, eatDate } from '../core/rules/time.ts'
import { reconInvariants } from '../server/invariants/recon.ts'
import { system } from '../server/rights/actor.ts'
import { receiveFlows } from '../server/systems/after-loan/flow/flow-store.ts'
import { openFixture } from '../tests/contract/fixture.ts'
import { newPostgresDatabase } from '../tests/postgres.ts'
import { cpuOf, seconds, watched } from './measured.ts'
import { fill } from './million-fill.ts'

/**
 * Statements of a wallet account brought as files, as long as they may be, and matched with the books: rows a second until the
 * day is compared. Of the rows, most were announced by callbacks before; some nobody knows; a few mean an order and are written off.
 */
const { values: given } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000' },
    unknown: { type: 'string', default: '9' },
    orders: { type: 'string', default: '1' },
    pglite: { type: 'boolean', default: false },
  },
})
const count = Number(given.rows)
const [unknownShare, orderShare] = [Number(given.unknown) / 100, given.pglite ? 0 : Number(given.orders) / 100]
const mostRows = 50_000
const now = '2026-03-12T07:00:00Z'

const url = given.pglite ? null : await newPostgresDatabase()
if (!url && !given.pglite) throw new Error('PostgreSQL is not installed')
const fixture = await openFixture({ ...(url ? { url } : {}), now, handmade: true })
const { db, boss } = fixture

type Paid = {
  serialNo: string
  amount: Money
  entryTime: string
  payer: string
  code: string
  kind: 'booked' | 'unknown' | 'order'
}

/** Numbers that customers pay by; none without PostgreSQL. */
const payCodes = async (): Promise<string[]> => {
  if (!url || orderShare === 0) return []
  const client = new pg.Client(url)
  await client.connect()
  await fill(client, Math.ceil(count * orderShare), '2026-03-02T07:00:00Z', `'funds_disbursed'`)
  await client.end()
  const found = await db.read(tx =>
    tx.rows(sql<{ payCode: string }>`select pay_code from loan_order where pay_code is not null`),
  )
  return found.map(({ payCode }) => payCode)
}

const kindOf = (n: number): Paid['kind'] => {
  const at = (n * 7919) % 10_000
  if (at < orderShare * 10_000) return 'order'
  return at < (orderShare + unknownShare) * 10_000 ? 'unknown' : 'booked'
}
const drawn = (codes: readonly string[]): Paid[] => {
  let used = 0
  return Array.from({ length: count }, (_, n) => {
    const back = 1 + Math.floor((count - 1 - n) / mostRows)
    const minute = Math.floor(((n % mostRows) * 1440) / mostRows)
    const clock = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
    const kind = kindOf(n)
    const code = kind === 'order' ? (codes[used++ % codes.length] ?? '') : ''
    const amount = `${5_000 + (n % 977) * 10}.00`
    return {
      serialNo: `MP${n}`,
      amount,
      entryTime: `${addDays(eatDate(new Date(now)), -back)} ${clock}`,
      payer: `25677${String(1_000_000 + n)}`,
      code,
      kind,
    }
  })
}

const announce = async (rows: readonly Paid[]) => {
  for (let at = 0; at < rows.length; at += 2_000)
    await db.withTx(async tx => {
      const all = rows.slice(at, at + 2_000).map(({ serialNo, amount, entryTime, payer }) => ({
        entered: {
          channel: 'mtn_momo',
          serialNo,
          amount,
          entryTime: `${entryTime.replace(' ', 'T')}:00+03:00`,
          source: 'callback',
          isrecord: true,
          fundAccountNo: 'FA1',
          payerAccount: payer,
        },
        by: system(`payin ${serialNo}`),
      }))
      await receiveFlows(tx, 'channel.callback', all)
    })
}

/** The rows by the day of their statement. */
const byDay = (rows: readonly Paid[]) => {
  const days = new Map<string, Paid[]>()
  for (const row of rows) {
    const date = row.entryTime.slice(0, 10)
    const own = days.get(date)
    if (own) own.push(row)
    else days.set(date, [row])
  }
  return days
}

const rows = drawn(await payCodes())
await announce(rows.filter(({ kind }) => kind === 'booked'))
// A database that has been at work for a while knows its tables.
await db.withTx(tx => tx.exec(sql`analyze`))
const kinds = (kind: Paid['kind']) => rows.filter(row => row.kind === kind).length
console.log(
  `${count} rows: ${kinds('booked')} announced before, ${kinds('unknown')} unknown, ${kinds('order')} of orders`,
)

let opening: Money = '0.00'
let [brought, compared] = [0, 0]
const { pid } = await db.read(tx => tx.one(sql<{ pid: number }>`select pg_backend_pid() as pid`))
let rss = 0
const work = async () => {
  for (const [date, own] of byDay(rows)) {
    const lines = own.map(({ serialNo, entryTime, amount, code, payer }) =>
      [serialNo, entryTime, amount, code, payer].join(','),
    )
    const bytes = Buffer.from(['serialNo,entryTime,amount,paymentCode,payerAccount', ...lines].join('\n'))
    const uploadNo = await fixture.uploaded(boss, { purpose: 'statement', fileName: `${date}.csv`, bytes })
    const closing = sum([opening, ...own.map(({ amount }) => amount)])
    const took = await seconds(async () => {
      const input = {
        fundAccountNo: 'FA1',
        uploadNo,
        fromDate: date,
        toDate: date,
        openingStatement: opening,
        closingStatement: closing,
      }
      const { addedCount } = fixture.must(await fixture.call(recon.import, input, { as: boss })) as {
        addedCount: number
      }
      if (addedCount !== own.length) throw new Error(`${addedCount} of ${own.length} lines were added`)
    })
    const matching = await seconds(() => fixture.worker.drain())
    console.log(`${date}: ${own.length} rows brought in ${took.toFixed(1)} s, compared in ${matching.toFixed(1)} s`)
    brought += took
    compared += matching
    opening = closing
  }
}
const cpu = await cpuOf(given.pglite ? 0 : pid, async () => {
  rss = await watched(work)
})
const [left] = await db.read(tx =>
  tx.rows(sql<{ open: number; flows: number; twice: number }>`
    select (select count(*)::int from statement_line where line_status <> 'matched') as open, (select count(*)::int from repay_flow where serial_no like 'MP%') as flows,
      (select count(*)::int from (select serial_no from repay_flow group by channel, serial_no having count(*) > 1) x) as twice`),
)
const all = brought + compared
console.log(
  `together ${all.toFixed(1)} s, ${(count / all).toFixed(0)} rows/s, +${rss.toFixed(0)} MB RSS; ${left?.open} lines left over, ${left?.flows} receipts, ${left?.twice} twice; processor: server ${cpu.own.toFixed(0)} s, database ${cpu.database.toFixed(0)} s`,
)
for (const { name, broken } of reconInvariants) {
  const found = await db.read(tx => tx.rows(sql`select * from (${broken}) broken limit 3`))
  if (found.length > 0) console.log(`${name}: ${JSON.stringify(found)}`)
}
await fixture.close()
