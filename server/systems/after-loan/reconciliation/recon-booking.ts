import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { account } from '../../../money/ledger.ts'
import { newNo } from '../../../money/numbers.ts'
import type { Actor } from '../../../rights/actor.ts'
import { transition, transitionMany } from '../../../states/transition.ts'
import { closeExplained } from './recon-item.ts'
import type { Line } from './statement-store.ts'

type Frag = RawBuilder<unknown>

/** Bookings of an own account, lines of the ledger, that nothing explains yet. */
export const openBookings = (fundAccountNo: string): Frag => sql`
  select l.line_no as booking_no, l.amount, l.loan_code, l.flow_no, j.journal_no, j.posting_code, j.cause, j.request_id, j.business_date, j.posted_time
  from journal_line l join journal j using (journal_no)
  where l.account_code = ${account.bank(fundAccountNo)} and not exists (select 1 from matched_booking m where m.booking_no = l.line_no)`

/** Lines of an account that nothing explains yet. */
export const openLines = (fundAccountNo: string): Frag => sql`
  select * from statement_line where fund_account_no = ${fundAccountNo} and line_status in ('new', 'suggested')`

/** The sends of a payout that wrote a booking `b`: they share the request in which both happened. */
export const wroteBooking: Frag = sql`exists (
  select 1 from state_transition t where t.machine = 'M21' and t.object_no = a.external_id and t.request_id = b.request_id)`

export const lockLine = (tx: Tx, lineNo: string): Promise<Line> =>
  tx.one(sql<Line>`select * from statement_line where line_no = ${lineNo} for update`)

/** Says that lines and bookings of an account are the same money; the differences that were open about them end. They add up to the same. */
export const matchUp = async (
  tx: Tx,
  o: { fundAccountNo: string; lines: readonly Line[]; bookingNos: readonly number[]; as: 'system' | 'person' },
  actor: Actor,
): Promise<string> => {
  const { fundAccountNo, lines, bookingNos, as } = o
  const matchNo = newNo('MT', tx.now)
  for (const line of lines)
    await transition(
      tx,
      'statementLine',
      line,
      { event: 'line.match', as, set: { matchNo, suggestedBookingNo: null }, payload: { matchNo } },
      actor,
    )
  await explainBookings(tx, { fundAccountNo, bookingNos, matchNo })
  await closeExplained(tx, { lineNos: lines.map(({ lineNo }) => lineNo), bookingNos }, actor)
  return matchNo
}

/** Lines and bookings that are the same money, of which no other match is made. */
export type SameMoney = { lineNo?: string; bookingNos: readonly number[]; by?: Actor }

/** {@link matchUp} of many by the system, in a few statements. */
export const matchMany = async (
  tx: Tx,
  fundAccountNo: string,
  matches: readonly SameMoney[],
  actor: Actor,
): Promise<void> => {
  if (matches.length === 0) return
  const made = matches.map(match => ({ ...match, matchNo: newNo('MT', tx.now) }))
  const lineNos = made.flatMap(({ lineNo }) => lineNo ?? [])
  const lines = await tx.rows(sql<Line>`
    select * from statement_line where line_no = any(${lineNos}) order by line_no for update`)
  const lineOf = new Map(lines.map(line => [line.lineNo, line]))
  const moved = made.flatMap(({ lineNo, matchNo, by }) => {
    const row = lineNo && lineOf.get(lineNo)
    return row ? [{ row, set: { matchNo, suggestedBookingNo: null }, payload: { matchNo }, ...(by ? { by } : {}) }] : []
  })
  await transitionMany(tx, 'statementLine', moved, { event: 'line.match', as: 'system' }, actor)
  const explained = made.flatMap(({ bookingNos, matchNo }) => bookingNos.map(bookingNo => ({ bookingNo, matchNo })))
  await tx.exec(sql`
    insert into matched_booking (booking_no, fund_account_no, match_no)
    select booking_no, ${fundAccountNo}, match_no
    from unnest(${explained.map(({ bookingNo }) => bookingNo)}::bigint[], ${explained.map(({ matchNo }) => matchNo)}::text[]) as given (booking_no, match_no)`)
  await closeExplained(tx, { lineNos, bookingNos: explained.map(({ bookingNo }) => bookingNo) }, actor)
}

/** Notes bookings as explained: by the others of their match, or without one by the item that they settle. */
export const explainBookings = (
  tx: Tx,
  o: { fundAccountNo: string; bookingNos: readonly number[]; matchNo: string | null },
) =>
  tx.exec(sql`
    insert into matched_booking (booking_no, fund_account_no, match_no)
    select booking_no, ${o.fundAccountNo}, ${o.matchNo} from unnest(${o.bookingNos as number[]}::bigint[]) as given (booking_no)`)

/** The booking that a journal made on an own account. */
export const bookingOf = async (tx: Tx, journalNo: number, fundAccountNo: string): Promise<number | null> => {
  await tx.flush()
  const found = await tx.maybe(sql<{ bookingNo: number }>`
    select line_no as booking_no from journal_line where journal_no = ${journalNo} and account_code = ${account.bank(fundAccountNo)}`)
  return found?.bookingNo ?? null
}

/** The booking by which a receipt reached an own account. */
export const receiptBooking = async (tx: Tx, flowNo: string, fundAccountNo: string): Promise<number> => {
  await tx.flush()
  const { journalNo } = await tx.one(sql<{ journalNo: number }>`
    select l.journal_no from journal_line l join journal j using (journal_no) where l.account_code = ${account.suspense(flowNo)} and j.posting_code = 'P3'`)
  return (await bookingOf(tx, journalNo, fundAccountNo)) as number
}
