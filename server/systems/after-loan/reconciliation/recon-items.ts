import { sql } from 'kysely'
import { eq, type Money, neg, zeroMoney } from '../../../../core/rules/money.ts'
import type { EatDate } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import type { Actor } from '../../../rights/actor.ts'
import { askNow } from '../payout/payout-send.ts'
import { openBookings, openLines } from './recon-booking.ts'
import { type Difference, openDifference, openDifferences } from './recon-item.ts'
import { aboutSend, type Own, paymentsOut } from './recon-match.ts'
import { type Line, signedOf } from './statement-store.ts'

type Read = Pick<Difference, 'kind' | 'objectType' | 'objectNo' | 'remark'>

/** What a line without a booking would be of: a send that it names, and a receipt with its number. */
type Found = Line & {
  externalId: string | null
  loanCode: string | null
  sentAmount: Money | null
  paidBefore: boolean
  feeStated: Money | null
  flowNo: string | null
  flowAmount: Money | null
}

const ofCode = ({ loanCode }: Found) => (loanCode ? { objectType: 'loanCode', objectNo: loanCode } : {})
const ofFlow = ({ flowNo }: Found) => (flowNo ? { objectType: 'flow', objectNo: flowNo } : {})

const readOut = (line: Found): Read => {
  if (line.sentAmount !== null && !eq(line.sentAmount, line.amount))
    return { kind: 'amount_differs', ...ofCode(line), remark: `${line.sentAmount} / ${line.amount}` }
  return { kind: line.paidBefore ? 'duplicate_line' : 'statement_only_out', ...ofCode(line) }
}

/** Which difference a line is that no booking explains. */
const readLine = (line: Found): Read => {
  const { lineKind, direction } = line
  if (lineKind === 'fee') {
    const differs = line.feeStated !== null && !eq(line.feeStated, line.amount)
    if (differs) return { kind: 'amount_differs', ...ofCode(line), remark: `fee ${line.feeStated} / ${line.amount}` }
    return { kind: 'statement_only_out', ...ofCode(line), remark: 'fee' }
  }
  if (lineKind === 'reversal')
    return direction === 'in'
      ? { kind: 'payout_returned', ...ofCode(line) }
      : { kind: 'statement_only_out', ...ofFlow(line), remark: 'reversal' }
  if (direction === 'out') return readOut(line)
  const differs = line.flowAmount !== null && !eq(line.flowAmount, line.amount)
  if (differs) return { kind: 'amount_differs', ...ofFlow(line), remark: `${line.flowAmount} / ${line.amount}` }
  return { kind: 'statement_only_in', ...ofFlow(line) }
}

/** Lines up to a day that nothing explains and that are no difference yet. */
const unexplained = (tx: Tx, { fundAccountNo, channel }: Own, date: EatDate): Promise<Found[]> =>
  tx.rows(sql<Found>`
    with ${paymentsOut(fundAccountNo)},
    open as (select * from (${openLines(fundAccountNo)}) o where statement_date <= ${date} and not exists (select 1 from recon_item i where i.line_no = o.line_no))
    select distinct on (l.line_no) l.*, a.external_id, a.parent_no as loan_code, a.fee as fee_stated, f.flow_no, f.amount as flow_amount,
      case when l.line_kind = 'payment' then a.amount end as sent_amount,
      exists (
        select 1 from statement_line paid where paid.fund_account_no = l.fund_account_no and paid.line_status = 'matched' and paid.line_kind = 'payment'
          and paid.direction = 'out' and (paid.reference = l.reference or paid.serial_no = a.serial_no)) as paid_before
    from open l
      left join named on named.line_no = l.line_no
      left join gateway_attempt a on a.external_id = named.external_id
        or l.line_kind <> 'payment' and ${aboutSend}
      left join repay_flow f on f.channel = ${channel} and f.serial_no = coalesce(l.relates_to, l.serial_no) and (l.direction = 'in' or l.line_kind = 'reversal')
    order by l.line_no, named.by_serial desc nulls last`)

/** The difference that a line is. */
const differenceOf = (own: Own, line: Found): Difference => {
  const amount = signedOf(line)
  const gap = { amount, date: line.statementDate }
  const item = { ...own, ...readLine(line), reference: line.serialNo, amount: line.amount, difference: amount, gap }
  return { ...item, lineNo: line.lineNo }
}

const openLineItems = async (tx: Tx, own: Own, date: EatDate, actor: Actor) => {
  const found = (await unexplained(tx, own, date)).map(line => ({ line, item: differenceOf(own, line) }))
  await openDifferences(
    tx,
    found.map(({ item }) => item),
    actor,
  )
  for (const { line, item } of found)
    if (item.kind === 'statement_only_out' && line.lineKind === 'payment' && line.externalId)
      await askNow(tx, line.externalId, line.lineNo)
}

/** Opens the difference of one line at once, as when it cannot be booked. */
export const openLineItem = async (tx: Tx, own: Own, line: Line, actor: Actor): Promise<void> => {
  const [found] = (await unexplained(tx, own, line.statementDate)).filter(({ lineNo }) => lineNo === line.lineNo)
  if (!found) return
  await openDifference(tx, differenceOf(own, found), actor)
}

type Waiting = {
  bookingNo: number
  amount: Money
  businessDate: EatDate
  journalNo: number
  loanCode: string | null
  externalId: string | null
  flowNo: string | null
  serialNo: string | null
}

/** Bookings of the days before, since statements began, that no statement shows and that are no difference yet. */
const overdue = (tx: Tx, { fundAccountNo }: Own, days: { first: EatDate; date: EatDate }): Promise<Waiting[]> =>
  tx.rows(sql<Waiting>`
    select b.booking_no, b.amount, b.business_date, b.journal_no, b.loan_code, b.flow_no, f.serial_no,
      (select a.external_id from gateway_attempt a where a.parent_kind = 'loanCode' and a.parent_no = b.loan_code
        and exists (select 1 from state_transition t where t.machine = 'M21' and t.object_no = a.external_id and t.request_id = b.request_id) limit 1) as external_id
    from (${openBookings(fundAccountNo)}) b left join repay_flow f on f.flow_no = b.flow_no
    where b.business_date >= ${days.first} and b.business_date < ${days.date} and not exists (select 1 from recon_item i where i.booking_no = b.booking_no)
    order by b.booking_no`)

/** The difference that a booking is. */
const missingOf = (own: Own, booking: Waiting): Difference => {
  const { bookingNo, amount, businessDate, journalNo, loanCode, externalId, flowNo, serialNo } = booking
  const missing = neg(amount)
  const object = loanCode ? { objectType: 'loanCode', objectNo: loanCode } : { objectType: 'flow', objectNo: flowNo }
  return {
    ...own,
    ...(object.objectNo ? { objectType: object.objectType, objectNo: object.objectNo } : {}),
    kind: amount.startsWith('-') ? 'ledger_only_out' : 'ledger_only_in',
    reference: externalId ?? serialNo ?? String(journalNo),
    amount: amount.replace('-', ''),
    difference: missing,
    gap: { amount: missing, date: businessDate },
    bookingNo,
  }
}

const openBookingItems = async (tx: Tx, own: Own, days: { first: EatDate; date: EatDate }, actor: Actor) => {
  const waiting = await overdue(tx, own, days)
  await openDifferences(
    tx,
    waiting.map(booking => missingOf(own, booking)),
    actor,
  )
}

/** Where statements begin with another balance than the books, the difference stands open from there on. */
const openBeginning = async (
  tx: Tx,
  own: Own,
  first: { date: EatDate; opening: Money; openingLedger: Money },
  actor: Actor,
) => {
  const { fundAccountNo } = own
  const { gap } = await tx.one(
    sql<{ gap: Money }>`select (${first.opening}::numeric - ${first.openingLedger}::numeric)::numeric(18,2) as gap`,
  )
  if (eq(gap, zeroMoney)) return
  const reference = `${fundAccountNo} ${first.date}`
  const item = { kind: 'balance_differs', reference, amount: first.opening, difference: gap } as const
  await openDifference(tx, { ...own, ...item, gap: { amount: gap, date: first.date } }, actor)
}

/** Opens every difference of an account as a day's statement shows it. */
export const openItems = async (
  tx: Tx,
  own: Own,
  o: { date: EatDate; first: { date: EatDate; opening: Money; openingLedger: Money } },
  actor: Actor,
): Promise<void> => {
  await openBeginning(tx, own, o.first, actor)
  await openLineItems(tx, own, o.date, actor)
  await openBookingItems(tx, own, { first: o.first.date, date: o.date }, actor)
}
