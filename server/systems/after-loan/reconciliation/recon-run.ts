import { sql } from 'kysely'
import { eq, isZero, type Money, sub } from '../../../../core/rules/money.ts'
import { type EatDate, eatDate } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { newRequestId } from '../../../http/request.ts'
import type { StepHandler } from '../../../module.ts'
import { account } from '../../../money/ledger.ts'
import { newNo } from '../../../money/numbers.ts'
import { type Actor, system } from '../../../rights/actor.ts'
import { openItems } from './recon-items.ts'
import { matchSome, type Own, suggest, whatIsOpen } from './recon-match.ts'
import { reconQueueName } from './recon-queue.ts'
import { receiveNext } from './recon-receipts.ts'
import { takeReturn } from './recon-return.ts'
import { lockRecon } from './statement-store.ts'

type Stated = { statementNo: string; opening: Money; closing: Money; lineSum: Money; before: Money | null }
type Sums = {
  first: EatDate | null
  firstOpening: Money | null
  openingFirst: Money
  openingLedger: Money
  closingLedger: Money
}

/** The newest statement of a day, and the balance with which the one before it ended. */
const statementFor = (tx: Tx, { fundAccountNo }: Own, date: EatDate) =>
  tx.maybe(sql<Stated>`
    select s.statement_no, s.opening, s.closing, s.line_sum, (
      select b.closing from statement b where b.fund_account_no = s.fund_account_no and b.statement_date < ${date}
      order by b.statement_date desc, b.created_time desc, b.statement_no desc limit 1) as before
    from statement s where s.fund_account_no = ${fundAccountNo} and s.statement_date = ${date} order by s.created_time desc, s.statement_no desc limit 1`)

const booksOf = (tx: Tx, { fundAccountNo }: Own, date: EatDate) =>
  tx.one(sql<Sums>`
    with first as (select statement_date, opening from statement where fund_account_no = ${fundAccountNo} order by statement_date, created_time, statement_no limit 1)
    select (select statement_date from first) as first, (select opening from first) as first_opening,
      coalesce(sum(l.amount) filter (where j.business_date < (select statement_date from first)), 0)::numeric(18,2) as opening_first,
      coalesce(sum(l.amount) filter (where j.business_date < ${date}), 0)::numeric(18,2) as opening_ledger,
      coalesce(sum(l.amount) filter (where j.business_date <= ${date}), 0)::numeric(18,2) as closing_ledger
    from journal_line l join journal j using (journal_no) where l.account_code = ${account.bank(fundAccountNo)}`)

type Counted = { inFlight: Money; matchedCount: number; matchedSum: Money; openCount: number; openSum: Money }

/**
 * What lies between statement and books at the end of a day: money on its way, which is lines that were booked later less
 * bookings that a later statement shows or none does yet, and the differences that stand open.
 */
const between = (tx: Tx, { fundAccountNo }: Own, first: EatDate, date: EatDate) =>
  tx.one(sql<Counted>`
    with lines as (
      select statement_date, case direction when 'in' then amount else -amount end as amount, amount as plain from statement_line
      where fund_account_no = ${fundAccountNo} and line_status = 'matched' and statement_date <= ${date}),
    bookings as (
      select l.amount from journal_line l join journal j using (journal_no) left join matched_booking m on m.booking_no = l.line_no
        left join recon_item i on i.booking_no = l.line_no and i.gap <> 0
      where l.account_code = ${account.bank(fundAccountNo)} and j.business_date between ${first} and ${date}
        and (m.booking_no is null or m.match_no is not null) and i.recon_item_no is null),
    items as (
      select gap from recon_item where fund_account_no = ${fundAccountNo} and gap <> 0 and gap_date <= ${date} and (gap_until is null or gap_until > ${date}))
    select (coalesce((select sum(amount) from lines), 0) - coalesce((select sum(amount) from bookings), 0))::numeric(18,2) as in_flight,
      (select count(*)::int from lines where statement_date = ${date}) as matched_count,
      (select coalesce(sum(plain), 0)::numeric(18,2) from lines where statement_date = ${date}) as matched_sum,
      (select count(*)::int from items) as open_count, (select coalesce(sum(gap), 0)::numeric(18,2) from items) as open_sum`)

const resultOf = ({ opening, closing, lineSum, before }: Stated, { openCount }: Counted, unexplained: Money) => {
  if (!eq(sub(closing, opening), lineSum) || (before !== null && !eq(before, opening))) return 'incomplete_file'
  return openCount === 0 && isZero(unexplained) ? 'balanced' : 'differences'
}

/** Writes how statement and books of a day agree; a later run of the same day takes its place. */
const note = async (tx: Tx, { fundAccountNo }: Own, date: EatDate, run: Record<string, unknown>) => {
  const row = { reconNo: newNo('RR', tx.now), fundAccountNo, reconDate: date, runTime: tx.now, ...run }
  const columns = Object.keys(row).map(name => sql.ref(name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)))
  const changed = columns.slice(3).map(column => sql`${column} = excluded.${column}`)
  await tx.exec(sql`
    insert into recon_run (${sql.join(columns)}) values (${sql.join(Object.values(row))})
    on conflict (fund_account_no, recon_date) do update set ${sql.join(changed)}, version = recon_run.version + 1`)
}

/** Opens what is left over, and writes the run. */
const conclude = async (tx: Tx, own: Own, date: EatDate, actor: Actor): Promise<void> => {
  await tx.flush()
  const stated = await statementFor(tx, own, date)
  const { first, firstOpening, openingFirst, openingLedger, closingLedger } = await booksOf(tx, own, date)
  const books = { openingLedger, closingLedger }
  if (!stated || first === null || firstOpening === null) {
    await note(tx, own, date, { ...books, reconResult: 'no_statement' })
    return
  }
  await suggest(tx, own, await whatIsOpen(tx, own), actor)
  const beginning = { date: first, opening: firstOpening, openingLedger: openingFirst }
  await openItems(tx, own, { date, first: beginning }, actor)
  const counted = await between(tx, own, first, date)
  const unexplained = [closingLedger, counted.inFlight, counted.openSum].reduce(sub, stated.closing)
  await note(tx, own, date, {
    statementNo: stated.statementNo,
    openingStatement: stated.opening,
    closingStatement: stated.closing,
    ...books,
    ...counted,
    unexplained,
    reconResult: resultOf(stated, counted, unexplained),
  })
}

/** Compares an account with a statement of it: matches, books what only the statement knows, opens what is left. */
export const reconQueue: StepHandler = {
  queue: reconQueueName,
  async step(tx, { payload }) {
    const date = String(payload.date)
    const own = await tx.maybe(sql<Own>`
      select fund_account_no, channel from fund_account where fund_account_no = ${String(payload.fundAccountNo)}`)
    if (!own || date >= eatDate(tx.now)) return false
    const actor = system(newRequestId())
    await lockRecon(tx, own.fundAccountNo)
    const open = await whatIsOpen(tx, own)
    if ((await matchSome(tx, own, open, actor)) > 0) return true
    if (await takeReturn(tx, own, actor)) return true
    await suggest(tx, own, open, actor)
    if ((await receiveNext(tx, own, open)) > 0) return true
    await conclude(tx, own, date, actor)
    return false
  },
}
