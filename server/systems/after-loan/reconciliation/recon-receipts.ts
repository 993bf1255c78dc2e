import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { account } from '../../../money/ledger.ts'
import { type Actor, system } from '../../../rights/actor.ts'
import { receiveFlows } from '../flow/flow-store.ts'
import { receivingAccount, takePayment } from '../flow/pay-in.ts'
import { lockLine, matchMany, matchUp, openLines, receiptBooking } from './recon-booking.ts'
import { openLineItem } from './recon-items.ts'
import { alikeOf, type Open, type Own } from './recon-match.ts'
import type { Line } from './statement-store.ts'

/** Receipts of one transaction: those that are booked together, and beside them those that lock orders one after the other. */
const [togetherRows, apartRows] = [500, 20]

/** The next payments of customers that only the statement knows, or that staff have typed and wait for proof of. What looks like something that is booked waits for people. */
const nextReceipts = (tx: Tx, own: Own, open: Open): Promise<Line[]> => {
  const { fundAccountNo, channel } = own
  return tx.rows(sql<Line>`
    ${openLines(fundAccountNo)} and line_status = 'new' and line_kind = 'payment' and direction = 'in'
      and (payer_account is not null and line_no not in (select line_no from (${alikeOf(own, open)}) a)
        or exists (select 1 from repay_flow f where f.channel = ${channel} and f.serial_no = statement_line.serial_no and f.flow_status = 'unproven'))
      and not exists (select 1 from recon_item i where i.line_no = statement_line.line_no)
      and exists (select 1 from fund_account a where a.fund_account_no = ${fundAccountNo} and a.enabled = 'enabled' and a.account_role in ('collection', 'both'))
    order by entry_time, line_no limit ${togetherRows}`)
}

/** Who books a line of a statement. */
const receiver = (lineNo: string): Actor => system(`statement ${lineNo}`)

/**
 * Books a payment that only the statement knows, and writes it off where nothing is in doubt (M31 `import.row`); `by` is who asked for it.
 * Answers the receipt, or null where its number has one already.
 */
export const receive = async (
  tx: Tx,
  own: Own,
  { lineNo }: Pick<Line, 'lineNo'>,
  by?: Actor,
): Promise<string | null> => {
  const actor = by ?? receiver(lineNo)
  const said = await tx.one(sql<Line>`select * from statement_line where line_no = ${lineNo}`)
  const { serialNo, amount, payerAccount, entryTime, reference } = said
  const paid = { kind: 'success' as const, serialNo, amount, payer: payerAccount ?? '', time: entryTime }
  const { flow, known } = await takePayment(
    tx,
    { event: 'import.row', ...own },
    { ...paid, externalId: reference ?? '' },
    actor,
  )
  const line = await lockLine(tx, lineNo)
  if (known) {
    await openLineItem(tx, own, line, actor)
    return null
  }
  const { fundAccountNo } = own
  const bookingNos = [await receiptBooking(tx, flow.flowNo, fundAccountNo)]
  await matchUp(tx, { fundAccountNo, lines: [line], bookingNos, as: by ? 'person' : 'system' }, actor)
  return flow.flowNo
}

/**
 * Lines that mean nothing which we know: no order, no customer who would be meant by a phone in the reference, no link, no
 * receipt of their number. What they bring waits as a receipt, whatever happens to the others.
 */
const strange = async (tx: Tx, { channel }: Own, lines: readonly Line[]): Promise<Line[]> => {
  const lineNos = lines.map(({ lineNo }) => lineNo)
  const found = await tx.rows(sql<{ lineNo: string }>`
    select l.line_no from statement_line l where l.line_no = any(${lineNos})
      and not exists (select 1 from loan_order o where o.pay_code = l.reference)
      and not exists (select 1 from loan_order o where o.order_no = l.reference)
      and not exists (select 1 from merchant_customer c where c.phone = l.reference)
      and not exists (select 1 from pay_link_ask a where a.pay_ref = l.reference)
      and not exists (select 1 from repay_flow f where f.channel = ${channel} and f.serial_no = l.serial_no)`)
  const apart = new Set(found.map(({ lineNo }) => lineNo))
  return lines.filter(({ lineNo }) => apart.has(lineNo))
}

/** The one customer behind each phone. */
const customersOf = async (tx: Tx, phones: string[]): Promise<Map<string, string>> => {
  const found = await tx.rows(sql<{ phone: string; customerNo: string }>`
    select phone, min(customer_no) as customer_no from merchant_customer where phone = any(${phones})
    group by phone having count(distinct customer_no) = 1`)
  return new Map(found.map(({ phone, customerNo }) => [phone, customerNo]))
}

/** Books lines that mean nothing which we know, as {@link receive} would one by one. */
const receiveMany = async (tx: Tx, own: Own, lines: readonly Line[]): Promise<void> => {
  if (lines.length === 0) return
  const { channel, fundAccountNo } = own
  const { merchantNo } = await receivingAccount(tx, own)
  const customers = await customersOf(
    tx,
    lines.flatMap(({ payerAccount }) => payerAccount ?? []),
  )
  const all = lines.map(({ lineNo, serialNo, amount, entryTime, reference, payerAccount }) => {
    const payer = payerAccount ?? ''
    const customerNo = customers.get(payer) ?? null
    const known = { fundAccountNo, payerAccount: payer, merchantNo, customerNo, paymentCode: reference ?? '' }
    const said = { channel, serialNo, amount, entryTime: [entryTime, tx.now.toISOString()].sort()[0] as string }
    const entered = { ...known, ...said, waitReason: 'no_match', source: 'import', isrecord: true }
    return { entered, by: receiver(lineNo) }
  })
  const booked = await receiveFlows(tx, 'import.row', all)
  await tx.flush()
  const journalNos = booked.map(({ journalNo }) => journalNo)
  const bookings = await tx.rows(sql<{ journalNo: number; bookingNo: number }>`
    select journal_no, line_no as booking_no from journal_line where journal_no = any(${journalNos}) and account_code = ${account.bank(fundAccountNo)}`)
  const bookingOf = new Map(bookings.map(({ journalNo, bookingNo }) => [journalNo, bookingNo]))
  const matches = lines.map(({ lineNo }, at) => ({
    lineNo,
    bookingNos: [bookingOf.get(journalNos[at] as number) as number],
    by: receiver(lineNo),
  }))
  await matchMany(tx, fundAccountNo, matches, system(`statement ${fundAccountNo}`))
}

/** Books the next payments that only the statement knows; answers how many. The account is locked for matching. */
export const receiveNext = async (tx: Tx, own: Own, open: Open): Promise<number> => {
  const next = await nextReceipts(tx, own, open)
  const alone = await strange(tx, own, next)
  await receiveMany(tx, own, alone)
  const apart = next.filter(line => !alone.includes(line)).slice(0, apartRows)
  for (const line of apart) await receive(tx, own, line)
  return alone.length + apart.length
}
