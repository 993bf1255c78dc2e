import { type RawBuilder, sql } from 'kysely'
import { eq, type Money, neg } from '../../../../core/rules/money.ts'
import type { Tx } from '../../../db/database.ts'
import { account, post } from '../../../money/ledger.ts'
import type { Actor } from '../../../rights/actor.ts'
import { type Moved, transitionMany } from '../../../states/transition.ts'
import { bookingOf, lockLine, matchMany, matchUp, openBookings, openLines, wroteBooking } from './recon-booking.ts'
import type { Line } from './statement-store.ts'

type Frag = RawBuilder<unknown>
type Pair = { lineNo: string; bookingNo: number }
export type Own = { fundAccountNo: string; channel: string }

/** Matches of one kind that are made in one transaction. */
const chunk = 4_000
const signed = sql`case l.direction when 'in' then l.amount else -l.amount end`

/** Money that was taken out and put back is not on a statement: its two bookings explain each other. */
const failedSends = (fundAccountNo: string): Frag => sql`
  with b as (${openBookings(fundAccountNo)}),
  nth as (
    select *, coalesce(loan_code, cause) as about, row_number() over (partition by coalesce(loan_code, cause), posting_code, abs(amount) order by booking_no) as n
    from b where posting_code in ('P1a', 'P1c', 'P7b', 'P7d', 'P11a', 'P11c', 'P14a', 'P14c'))
  select sent.booking_no as one, back.booking_no as other
  from nth sent join nth back on back.about = sent.about and back.amount = -sent.amount and back.n = sent.n
  where (sent.posting_code, back.posting_code) in (('P1a', 'P1c'), ('P7b', 'P7d'), ('P11a', 'P11c'), ('P14a', 'P14c')) limit ${chunk}`

/** A booking that was taken back before any statement showed it. */
const takenBack = (fundAccountNo: string): Frag => sql`
  with b as (${openBookings(fundAccountNo)})
  select b.booking_no as one, r.booking_no as other
  from b r join journal j on j.journal_no = r.journal_no join b on b.journal_no = j.reverses_journal_no where r.posting_code = 'P-REV' limit ${chunk}`

/** Lines out with the send that they name: by the number that the network gave it, or by our reference in reference or narrative. */
const namedSends: Frag = sql`
  select l.line_no, a.external_id, true as by_serial from l join gateway_attempt a on a.serial_no = l.serial_no and a.fund_account_no = l.fund_account_no
  union all
  select w.line_no, a.external_id, false from words w join gateway_attempt a on a.external_id = w.word and a.fund_account_no = w.fund_account_no
  union all
  select w.line_no, a.external_id, false from words w join gateway_attempt a on a.gateway_ref = w.word and a.fund_account_no = w.fund_account_no`

/** Lines of payments out, and all the words in which our reference may stand. */
export const paymentsOut = (fundAccountNo: string): Frag => sql`
  l as (select * from (${openLines(fundAccountNo)}) open where line_kind = 'payment' and direction = 'out'),
  words as (select line_no, fund_account_no, unnest(array_append(regexp_split_to_array(coalesce(narrative, ''), '\\s+'), reference)) as word from l),
  named as (${namedSends})`

const paidOut = (fundAccountNo: string): Frag => sql`
  with b as (${openBookings(fundAccountNo)}), ${paymentsOut(fundAccountNo)}
  select l.line_no, b.booking_no from named join l using (line_no) join gateway_attempt a using (external_id)
    join b on b.amount = -l.amount and (
      (a.parent_kind = 'loanCode' and b.loan_code = a.parent_no and b.posting_code in ('P1a', 'P1e'))
      or (b.cause = case a.parent_kind when 'transfer' then 'transfer_apply:' when 'withdrawal' then 'wallet_withdrawal:' when 'phoneBill' then 'phone_recharge:' else 'refund:' end || a.parent_no and b.posting_code in ('P7b', 'P11a', 'P12b', 'P14a'))
      or (b.cause = 'payout_attempt:' || a.external_id and b.posting_code = 'P18'))
  where ${wroteBooking} order by named.by_serial desc, l.entry_time, l.line_no, b.booking_no desc limit ${chunk}`

/** Lines in with the receipt of their number, and lines by which the network takes a payment back with the receipt that was voided. */
const receipts = ({ fundAccountNo, channel }: Own): Frag => sql`
  with b as (${openBookings(fundAccountNo)}), l as (${openLines(fundAccountNo)})
  select l.line_no, b.booking_no from l join repay_flow f on f.channel = ${channel} and f.serial_no = case l.line_kind when 'reversal' then l.relates_to else l.serial_no end
    join b on b.flow_no = f.flow_no and b.amount = ${signed}
  where (l.line_kind, l.direction, b.posting_code) in (('payment', 'in', 'P3'), ('reversal', 'out', 'P-REV'))
  order by l.entry_time, l.line_no, b.booking_no limit ${chunk}`

/** Lines in of transfers between own accounts, by the number that the sending channel gave or by ours. */
const arrivals = (fundAccountNo: string): Frag => sql`
  with b as (${openBookings(fundAccountNo)}),
  l as (select * from (${openLines(fundAccountNo)}) open where line_kind = 'payment' and direction = 'in'),
  words as (select line_no, unnest(array_append(regexp_split_to_array(coalesce(narrative, ''), '\\s+'), reference)) as word from l),
  named as (
    select l.line_no, t.transfer_no from l join transfer_apply t on t.to_account_no = l.fund_account_no and t.serial_no = l.serial_no
    union
    select w.line_no, t.transfer_no from words w join transfer_apply t on w.word = t.transfer_no or w.word = t.transfer_no || '-' || t.attempt_no)
  select l.line_no, b.booking_no from named join l using (line_no)
    join b on b.cause = 'transfer_apply:' || named.transfer_no and b.posting_code = 'P11b' and b.amount = l.amount
  order by l.entry_time, l.line_no, b.booking_no limit ${chunk}`

/** Lines in of what merchants paid in for services, by the number that was booked. */
const topUps = (fundAccountNo: string): Frag => sql`
  with b as (${openBookings(fundAccountNo)}), l as (${openLines(fundAccountNo)})
  select l.line_no, b.booking_no from l join merchant_recharge c on c.fund_account_no = l.fund_account_no and c.serial_no = l.serial_no
    join b on b.cause = 'merchant_recharge:' || c.recharge_no and b.posting_code = 'P13' and b.amount = l.amount
  where l.line_kind = 'payment' and l.direction = 'in' order by l.entry_time, l.line_no limit ${chunk}`

/** The statement of the receiving account proves when a transfer arrived; what was open about it is explained. */
const noteArrivals = (tx: Tx, fundAccountNo: string) =>
  tx.exec(sql`
    update transfer_apply t set arrive_time = x.entry_time, version = t.version + 1 from (
      select substr(j.cause, 16) as transfer_no, min(s.entry_time) as entry_time from matched_booking m
        join journal_line l on l.line_no = m.booking_no join journal j using (journal_no) join statement_line s on s.match_no = m.match_no and s.direction = 'in'
      where m.fund_account_no = ${fundAccountNo} and j.posting_code = 'P11b' group by 1) x
    where t.transfer_no = x.transfer_no and t.arrive_time is null and t.transfer_status = 'paid'`)

/** Pairs of which no line and no booking is in two. */
const apart = (pairs: readonly Pair[]): Pair[] => {
  const [lines, bookings] = [new Set<string>(), new Set<number>()]
  return pairs.filter(({ lineNo, bookingNo }) => {
    if (lines.has(lineNo) || bookings.has(bookingNo)) return false
    lines.add(lineNo)
    bookings.add(bookingNo)
    return true
  })
}

const matchPairs = async (tx: Tx, { fundAccountNo }: Own, pairs: Frag, actor: Actor): Promise<number> => {
  const found = apart(await tx.rows(sql<Pair>`${pairs}`))
  const matches = found.map(({ lineNo, bookingNo }) => ({ lineNo, bookingNos: [bookingNo] }))
  await matchMany(tx, fundAccountNo, matches, actor)
  return found.length
}

const cancelOut = async (tx: Tx, { fundAccountNo }: Own, pairs: Frag, actor: Actor): Promise<number> => {
  const found = await tx.rows(sql<{ one: number; other: number }>`${pairs}`)
  const matches = found.map(({ one, other }) => ({ bookingNos: [one, other] }))
  await matchMany(tx, fundAccountNo, matches, actor)
  return found.length
}

/** The send `a` that a line `l` beside a payment is about: by the number of the payment, or by ours. */
export const aboutSend: Frag = sql`
  a.fund_account_no = l.fund_account_no and (a.serial_no = l.relates_to or a.external_id = l.reference or a.gateway_ref = l.reference)`

type Fee = Pair & { amount: Money; stated: Money | null; bookingNo: number | null; loanCode: string | null }

/** Fees of matched payments, with the fee that the answer stated and its booking. */
const fees = (fundAccountNo: string): Frag => sql`
  with b as (${openBookings(fundAccountNo)}), l as (select * from (${openLines(fundAccountNo)}) open where line_kind = 'fee')
  select distinct on (l.line_no) l.line_no, l.amount, a.fee as stated, -b.amount as booked, b.booking_no
  from l join statement_line p on p.fund_account_no = l.fund_account_no and p.serial_no = l.relates_to and p.line_kind = 'payment' and p.line_status = 'matched'
    left join gateway_attempt a on a.fee is not null and ${aboutSend}
    left join b on b.posting_code = 'P16' and b.cause = 'payout_attempt:' || a.external_id
  order by l.line_no, b.booking_no nulls last limit ${chunk}`

const chargeFee = async (tx: Tx, { fundAccountNo, channel }: Own, line: Line, actor: Actor): Promise<number> => {
  const lines = [
    { account: account.channelCost(channel), amount: line.amount },
    { account: account.bank(fundAccountNo), amount: neg(line.amount) },
  ]
  const journalNo = await post(tx, { code: 'P16', cause: `statement_line:${line.lineNo}`, keys: {}, lines }, actor)
  return (await bookingOf(tx, Number(journalNo), fundAccountNo)) as number
}

/** Books what a matched payment cost (P16), or finds it booked because the answer stated it. A fee stated differently is left for people. */
const matchFees = async (tx: Tx, own: Own, actor: Actor): Promise<number> => {
  const { fundAccountNo } = own
  let matched = 0
  for (const { lineNo, amount, stated, bookingNo } of await tx.rows(sql<Fee>`${fees(fundAccountNo)}`)) {
    if (stated !== null && (bookingNo === null || !eq(stated, amount))) continue
    const line = await lockLine(tx, lineNo)
    const bookings = [bookingNo ?? (await chargeFee(tx, own, line, actor))]
    await matchUp(tx, { fundAccountNo, lines: [line], bookingNos: bookings, as: 'system' }, actor)
    matched += 1
  }
  return matched
}

/** What of an account is open: kinds of lines with their direction, and codes of bookings. */
export type Open = { lines: ReadonlySet<string>; bookings: ReadonlySet<string> }

/** Looked at once, so that no question is put whose answer can only be nothing. */
export const whatIsOpen = async (tx: Tx, { fundAccountNo }: Own): Promise<Open> => {
  await tx.flush()
  const found = await tx.rows(sql<{ line: string | null; booking: string | null }>`
    select distinct line_kind || ' ' || direction as line, null as booking from (${openLines(fundAccountNo)}) l
    union all
    select distinct null, posting_code from (${openBookings(fundAccountNo)}) b`)
  return {
    lines: new Set(found.flatMap(({ line }) => line ?? [])),
    bookings: new Set(found.flatMap(({ booking }) => booking ?? [])),
  }
}

/** Matches what is beyond doubt, some of it at a time; answers how much. The account is locked for matching. */
export const matchSome = async (tx: Tx, own: Own, { lines, bookings }: Open, actor: Actor): Promise<number> => {
  const { fundAccountNo } = own
  const booked = (...codes: string[]) => codes.some(code => bookings.has(code))
  const [paidIn, sentOut] = [lines.has('payment in'), lines.has('payment out')]
  let matched = 0
  const pairs = async (may: boolean, frag: Frag) => {
    if (may) matched += await matchPairs(tx, own, frag, actor)
  }
  const cancelled = async (may: boolean, frag: Frag) => {
    if (may) matched += await cancelOut(tx, own, frag, actor)
  }
  await pairs(paidIn && booked('P11b'), arrivals(fundAccountNo))
  if (matched > 0) await noteArrivals(tx, fundAccountNo)
  await cancelled(booked('P1c', 'P7d', 'P11c', 'P14c'), failedSends(fundAccountNo))
  await pairs(sentOut && bookings.size > 0, paidOut(fundAccountNo))
  await pairs((paidIn && booked('P3')) || (lines.has('reversal out') && booked('P-REV')), receipts(own))
  await pairs(paidIn && booked('P13'), topUps(fundAccountNo))
  if (lines.has('fee in') || lines.has('fee out')) matched += await matchFees(tx, own, actor)
  await cancelled(booked('P-REV'), takenBack(fundAccountNo))
  return matched
}

/** Codes of bookings that a line may look like. */
const likable = ['P3', 'P1a', 'P1e'] as const
const nothingAlike: Frag = sql`select null::text as line_no, null::bigint as booking_no, 0 as bookings, 0 as lines where false`

/** {@link alike}, where anything open can be. */
export const alikeOf = ({ fundAccountNo }: Own, { bookings }: Open): Frag =>
  likable.some(code => bookings.has(code)) ? alike(fundAccountNo) : nothingAlike

/** Pairs of the same amount, direction and person within two days, with how many others each side is in. */
const alike = (fundAccountNo: string): Frag => sql`
  with b as (
    select b.*, coalesce(f.entry_time, b.posted_time) as moment, f.payer_account from (${openBookings(fundAccountNo)}) b left join repay_flow f on f.flow_no = b.flow_no
    where b.posting_code in (${sql.join(likable)})),
  pairs as (
    select l.line_no, b.booking_no, count(*) over (partition by l.line_no) as bookings, count(*) over (partition by b.booking_no) as lines
    from (${openLines(fundAccountNo)}) l join b on b.amount = ${signed} and abs(extract(epoch from l.entry_time - b.moment)) <= 48 * 3600
    where l.line_kind = 'payment' and (b.payer_account = l.payer_account
      or exists (select 1 from gateway_attempt a where a.parent_kind = 'loanCode' and a.parent_no = b.loan_code and a.payee = l.payer_account)))
  select line_no, booking_no, bookings, lines from pairs`

/** Suggests what is alike on both sides alone and nothing proves; takes back what is no longer alone. */
export const suggest = async (tx: Tx, own: Own, open: Open, actor: Actor): Promise<void> => {
  const { fundAccountNo } = own
  const found = new Map(
    (await tx.rows(sql<Pair>`select * from (${alikeOf(own, open)}) a where bookings = 1 and lines = 1`)).map(
      ({ lineNo, bookingNo }) => [lineNo, bookingNo],
    ),
  )
  const lines = await tx.rows(sql<Line>`
    ${openLines(fundAccountNo)} and (line_status = 'suggested' or line_no = any(${[...found.keys()]})) order by line_no for update`)
  const changed = lines.filter(line => (found.get(line.lineNo) ?? null) !== line.suggestedBookingNo)
  const stale = changed.filter(({ lineStatus }) => lineStatus === 'suggested')
  const free = await transitionMany(
    tx,
    'statementLine',
    stale.map(row => ({ row, set: { suggestedBookingNo: null } })),
    { event: 'line.unsuggest' },
    actor,
  )
  const suggested = [...changed.filter(({ lineStatus }) => lineStatus !== 'suggested'), ...free].flatMap(
    (row): Moved<Line>[] => {
      const bookingNo = found.get(row.lineNo)
      return bookingNo === undefined ? [] : [{ row, set: { suggestedBookingNo: bookingNo }, payload: { bookingNo } }]
    },
  )
  await transitionMany(tx, 'statementLine', suggested, { event: 'line.suggest' }, actor)
}
