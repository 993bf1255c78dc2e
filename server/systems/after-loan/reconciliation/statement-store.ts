import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { machines } from '../../../../core/rules/machines/machines.ts'
import { add, eq, type Money, neg, sub, sum } from '../../../../core/rules/money.ts'
import type { EatDate } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import type { Statement, StatementLine } from '../../../gateways/gateway.ts'
import { newNo } from '../../../money/numbers.ts'
import type { Actor } from '../../../rights/actor.ts'
import { createMany } from '../../../states/transition.ts'
import { openDifference, type ReconKind } from './recon-item.ts'

/** One stored line of a statement. */
export type Line = Omit<StatementLine, 'time'> & {
  lineNo: string
  statementNo: string
  fundAccountNo: string
  statementDate: EatDate
  entryTime: string
  payerName: string | null
  lineStatus: keyof typeof machines.statementLine.states
  matchNo: string | null
  suggestedBookingNo: number | null
  version: number
}

/** What a line does to the account: in plus, out minus. */
export const signedOf = ({ direction, amount }: Pick<StatementLine, 'direction' | 'amount'>): Money =>
  direction === 'in' ? amount : neg(amount)

/**
 * Everything that matches an account happens one after the other. Take it before any row: a transaction that holds a row of an order
 * never waits for it.
 */
export const lockRecon = (tx: Tx, fundAccountNo: string) =>
  tx.exec(sql`select pg_advisory_xact_lock(hashtextextended(${`recon ${fundAccountNo}`}, 0))`)

type Taken = {
  fundAccountNo: string
  channel: string
  date: EatDate
  statement: Statement
  source: 'channel' | 'import'
}
type Key = Pick<StatementLine, 'serialNo' | 'direction' | 'lineKind'>
type Known = Key & { amount: Money; statementDate: EatDate | null }

const keyOf = ({ serialNo, direction, lineKind }: Key) => `${serialNo} ${direction} ${lineKind}`

const hashOf = ({ opening, closing, lines }: Statement) =>
  createHash('sha256')
    .update(JSON.stringify([opening, closing, lines]))
    .digest('hex')

type Refused = { line: StatementLine; known: Known; nth: number }

/** What a line that is kept out says beyond the books belongs to the difference that is known of its number, also when people have explained that one before the statement came. */
const addGap = async (
  tx: Tx,
  kind: ReconKind,
  reference: string,
  o: { fundAccountNo: string; beyond: Money; date: EatDate },
) =>
  (await tx.exec(sql`
    update recon_item set gap = ${o.beyond}, gap_date = ${o.date}, fund_account_no = ${o.fundAccountNo}
    where recon_kind = ${kind} and reference = ${reference} and line_no is null and booking_no is null and gap_date is null and recon_status in ('open', 'explained')`)) >
  0

/** What a difference of a number is found by: the number, and its place in the file or the day where it has come before. */
const referenceOf = async (tx: Tx, kind: ReconKind, { line, nth }: Refused, date: EatDate): Promise<string> => {
  const reference = nth > 2 ? `${line.serialNo} ${nth}` : line.serialNo
  const before = await tx.maybe(sql<{ gapDate: EatDate | null }>`
    select gap_date from recon_item where recon_kind = ${kind} and reference = ${reference} and line_no is null and booking_no is null`)
  return before && before.gapDate !== date ? `${reference} ${date}` : reference
}

/**
 * A line whose number another line has already is kept out. What it says beyond that line is a difference: all of it, or
 * where a later statement of the day tells another amount, what it tells more. `nth` counts the lines of the number in the file.
 */
const refuse = async (tx: Tx, { fundAccountNo, channel, date }: Taken, refused: Refused, actor: Actor) => {
  const { line, known, nth } = refused
  const again = nth === 1 && known.statementDate !== null
  if (again && eq(line.amount, known.amount)) return
  const restated = again && known.statementDate === date
  const beyond = restated ? sub(signedOf(line), signedOf({ ...line, amount: known.amount })) : signedOf(line)
  const kind = eq(line.amount, known.amount) ? 'duplicate_line' : 'amount_differs'
  if (await addGap(tx, kind, line.serialNo, { fundAccountNo, beyond, date })) return
  const reference = await referenceOf(tx, kind, refused, date)
  const gap = { amount: beyond, date }
  const item = { kind, fundAccountNo, channel, reference, amount: line.amount, difference: beyond, gap } as const
  await openDifference(tx, { ...item, remark: `${known.amount} / ${line.amount}` }, actor)
}

const manyLines = 1_000

/** New lines of a statement, written together. */
const storeAll = async (
  tx: Tx,
  { fundAccountNo, date }: Taken,
  statementNo: string,
  lines: readonly StatementLine[],
  actor: Actor,
) => {
  const rows = lines.map(({ time, ...said }) => ({
    values: {
      payerName: null,
      lineNo: newNo('SL', tx.now),
      statementNo,
      fundAccountNo,
      statementDate: date,
      entryTime: time,
      ...said,
    },
  }))
  createMany(tx, 'statementLine', rows, { event: 'line.import' }, actor)
  await tx.flush()
  // So many open lines are news to the database: without knowing of them it would look for the bookings of one after the other.
  if (lines.length >= manyLines) await tx.exec(sql`analyze statement_line`)
}

/** Keeps a statement with the lines that are new. The same one once more changes nothing. The account is locked for matching. */
export const takeStatement = async (
  tx: Tx,
  taken: Taken,
  actor: Actor,
): Promise<{ statementNo: string | null; added: number; known: number }> => {
  const { fundAccountNo, date, statement, source } = taken
  const { opening, closing, lines } = statement
  const fileHash = hashOf(statement)
  const before = await tx.maybe(sql`
    select 1 from statement where fund_account_no = ${fundAccountNo} and statement_date = ${date} and file_hash = ${fileHash}`)
  if (before) return { statementNo: null, added: 0, known: lines.length }
  const statementNo = newNo('ST', tx.now)
  const lineSum = sum(lines.map(signedOf))
  await tx.exec(sql`
    insert into statement (statement_no, fund_account_no, statement_date, opening, closing, line_sum, line_count, source, file_hash, created_by, created_time)
    values (${statementNo}, ${fundAccountNo}, ${date}, ${opening}, ${closing}, ${lineSum}, ${lines.length}, ${source}, ${fileHash}, ${actor.no}, ${tx.now})`)
  const stored = await tx.rows(sql<Known>`
    select serial_no, direction, line_kind, amount, statement_date from statement_line
    where fund_account_no = ${fundAccountNo} and serial_no = any(${lines.map(line => line.serialNo)})`)
  const known = new Map<string, Known>(stored.map(line => [keyOf(line), line]))
  const seen = new Map<string, number>()
  const fresh: StatementLine[] = []
  for (const line of lines) {
    const nth = (seen.get(keyOf(line)) ?? 0) + 1
    seen.set(keyOf(line), nth)
    const same = known.get(keyOf(line))
    if (same) await refuse(tx, taken, { line, known: same, nth }, actor)
    else {
      fresh.push(line)
      known.set(keyOf(line), { ...line, statementDate: null })
    }
  }
  await storeAll(tx, taken, statementNo, fresh, actor)
  return { statementNo, added: fresh.length, known: lines.length - fresh.length }
}

/** Statements of two accounts that are one in our books. */
export const joined = (statements: readonly Statement[]): Statement => ({
  opening: statements.reduce((total, { opening }) => add(total, opening), '0.00'),
  closing: statements.reduce((total, { closing }) => add(total, closing), '0.00'),
  lines: statements.flatMap(({ lines }) => lines),
})
