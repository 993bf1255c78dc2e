import { sql } from 'kysely'
import {
  type BookingRow,
  type ReconItemRow,
  type ReconRunRow,
  recon,
  type StatementLineRow,
} from '../../../../core/contract/after-loan/reconciliation.ts'
import type { Tx } from '../../../db/database.ts'
import { notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { type Reader, shownRow, shownRows } from '../../../lists/listed.ts'
import { openBookings, openLines } from './recon-booking.ts'
import type { ReconItem } from './recon-item.ts'
import { itemList, lineList, runList } from './recon-source.ts'

const most = 50

const bookingColumns = sql`journal_no::text as journal_no, posting_code, business_date, posted_time, amount, loan_code, flow_no, cause`

/** The booking that a difference is about. */
const bookingOf = (tx: Tx, { bookingNo }: ReconItem) =>
  bookingNo === null
    ? undefined
    : tx.maybe(sql<BookingRow>`
        select ${bookingColumns} from (select l.*, j.posting_code, j.business_date, j.posted_time, j.cause from journal_line l join journal j using (journal_no)) b
        where b.line_no = ${bookingNo}`)

/** Bookings that nothing explains yet, those of the amount and the hours of a line first. */
const bookingsFor = (tx: Tx, fundAccountNo: string, line: StatementLineRow): Promise<BookingRow[]> => {
  const signed = line.lineDirection === 'in' ? sql`${line.amount}::numeric` : sql`-${line.amount}::numeric`
  return tx.rows(sql<BookingRow>`
    select ${bookingColumns} from (${openBookings(fundAccountNo)}) b where sign(amount) = sign(${signed})
    order by amount <> ${signed}, abs(extract(epoch from posted_time - ${line.entryTime}::timestamptz)) limit ${most}`)
}

const itemOf = (tx: Tx, reconItemNo: string) =>
  tx.one(sql<ReconItem>`select * from recon_item where recon_item_no = ${reconItemNo}`)

const linesFor = (reader: Reader, fundAccountNo: string, booking: BookingRow): Promise<StatementLineRow[]> => {
  const open = sql`x.line_no in (select line_no from (${openLines(fundAccountNo)}) o)`
  const signed = sql`case x.direction when 'in' then x.amount else -x.amount end`
  const near = sql`abs(extract(epoch from x.entry_time - ${booking.postedTime}::timestamptz))`
  return shownRows<StatementLineRow>(
    lineList,
    reader,
    sql`${open} and sign(${signed}) = sign(${booking.amount}::numeric)`,
    {
      order: sql`${signed} <> ${booking.amount}::numeric, ${near}`,
      most,
    },
  )
}

/** A difference with the line or the booking that it is about, and what stands open on the other side. */
const item = serve(recon.item, async ({ tx, session, input: { reconItemNo } }) => {
  const reader = { tx, session }
  const row = await shownRow<ReconItemRow>(itemList, reader, reconItemNo)
  if (!row) throw notFound()
  const stored = await itemOf(tx, reconItemNo)
  const { fundAccountNo, lineNo } = stored
  const line = lineNo ? await shownRow<StatementLineRow>(lineList, reader, lineNo) : undefined
  const booking = await bookingOf(tx, stored)
  const open = row.reconStatus === 'open' && fundAccountNo !== null
  return {
    item: row,
    line: line ?? null,
    booking: booking ?? null,
    bookings: open && line ? await bookingsFor(tx, fundAccountNo, line) : [],
    lines: open && booking ? await linesFor(reader, fundAccountNo, booking) : [],
  }
})

/** One run with the lines of its day that are matched, and the differences that stood open at its end. */
const runDetail = serve(recon.runDetail, async ({ tx, session, input: { reconNo } }) => {
  const reader = { tx, session }
  const run = await shownRow<ReconRunRow>(runList, reader, reconNo)
  if (!run) throw notFound()
  const { fundAccountNo, reconDate } = run
  const lines = sql`x.fund_account_no = ${fundAccountNo} and x.statement_date = ${reconDate} and x.line_status = 'matched'`
  const items = sql`x.fund_account_no = ${fundAccountNo} and x.gap <> 0 and x.gap_date <= ${reconDate} and (x.gap_until is null or x.gap_until > ${reconDate})`
  return {
    run,
    lines: await shownRows<StatementLineRow>(lineList, reader, lines, { order: sql`x.entry_time, x.line_no` }),
    items: await shownRows<ReconItemRow>(itemList, reader, items, { order: sql`x.gap_date, x.recon_item_no` }),
  }
})

/** Reads of one difference and of one run. */
export const detailServed = [item, runDetail]
