import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { ledger, maxPeriodAccounts, type PeriodRow } from '../../../../core/contract/after-loan/ledger.ts'
import type { Journal } from '../../../../core/contract/after-loan/loan.ts'
import { type Money, sum } from '../../../../core/rules/money.ts'
import { type DateRange, daysOf } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { invalid, notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { dayRange } from '../../../lists/list.ts'
import { listed, type Reader, serveListed } from '../../../lists/listed.ts'
import type { Module } from '../../../module.ts'
import { limitFor, scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import { journalRows } from '../payout/index.ts'

type Frag = RawBuilder<unknown>
const perm = ledger.accounts.perm

const seesAll = (session: Session) => limitFor(session, perm) === 'all' && !session.onlyMerchants

/** Journals `j` of which the caller sees every line: those of merchants in reach. What names no merchant is the company's. */
const journalScope = (session: Session): Frag => {
  if (seesAll(session)) return sql`true`
  const served = scope(session, { merchant: 'l.merchant_no', holder: () => sql`false`, perm })
  return sql`coalesce((select bool_and(coalesce(${served}, false)) from journal_line l where l.journal_no = j.journal_no), false)`
}

const kindOf = (code: Frag): Frag => sql`split_part(${code}, ':', 1)`

/** What an account had on one side since the beginning of today. */
const today = (tx: Tx, amount: Frag): Frag => sql`coalesce((
  select sum(${amount}) from journal_line l join journal j using (journal_no) where l.account_code = x.account_code and j.business_date = ${tx.today}), 0)::numeric(18,2)`

/** Accounts whose balance is kept; they are the company's whatever the merchant. */
const accounts = listed({
  list: ledger.accounts,
  source: ({ tx, session }) => ({
    from: sql`ledger_balance x`,
    alias: 'x',
    key: sql`x.account_code`,
    where: seesAll(session) ? sql`true` : sql`false`,
    columns: {
      accountKind: kindOf(sql`x.account_code`),
      opening: sql`x.balance - ${today(tx, sql`l.amount`)}`,
      debit: today(tx, sql`greatest(l.amount, 0)`),
      credit: today(tx, sql`greatest(-l.amount, 0)`),
      closing: sql`x.balance`,
    },
  }),
})

const withLine = (condition: Frag): Frag =>
  sql`exists (select 1 from journal_line l where l.journal_no = j.journal_no and ${condition})`

const journals = listed({
  list: ledger.journals,
  source: ({ session }) => ({
    from: sql`journal j`,
    joins: { u: sql`left join app_user u on u.user_no = j.actor` },
    alias: 'j',
    key: sql`j.journal_no`,
    where: journalScope(session),
    columns: {
      journalNo: sql`j.journal_no::text`,
      amount: sql`(select coalesce(sum(l.amount) filter (where l.amount > 0), 0)::numeric(18,2) from journal_line l where l.journal_no = j.journal_no)`,
      accountCodes: sql`array(select distinct l.account_code from journal_line l where l.journal_no = j.journal_no order by 1)`,
      actorName: sql`coalesce(u.real_name, j.actor)`,
      reversesJournalNo: sql`j.reverses_journal_no::text`,
      reversedBy: sql`(select r.journal_no::text from journal r where r.reverses_journal_no = j.journal_no)`,
    },
    order: { journalNo: sql`j.journal_no` },
    filters: {
      businessDate: range => dayRange(sql`j.business_date`, range),
      valueDate: range => dayRange(sql`j.value_date`, range),
      journalNo: (no: string) => (/^\d{1,18}$/.test(no) ? sql`j.journal_no = ${no}::bigint` : sql`false`),
      accountKind: (kind: string) => withLine(sql`${kindOf(sql`l.account_code`)} = ${kind}`),
      accountCode: (code: string) => withLine(sql`l.account_code = ${code}`),
      flowNo: (no: string) => withLine(sql`l.flow_no = ${no}`),
      loanCode: (no: string) => withLine(sql`l.loan_code = ${no}`),
      refundNo: (no: string) => sql`j.cause = ${`refund:${no}`}`,
      reversed: (is: boolean) =>
        sql`exists (select 1 from journal r where r.reverses_journal_no = j.journal_no) = ${is}`,
    },
  }),
})

type Row = z.output<typeof Journal>

const journal = serve(ledger.journal, async ({ tx, session, input: { journalNo } }) => {
  if (!/^\d{1,18}$/.test(journalNo)) throw notFound()
  const [found] = await journalRows(tx, sql`j.journal_no = ${journalNo}::bigint and ${journalScope(session)}`)
  if (!found) throw notFound()
  const [reversal] = await journalRows(tx, sql`j.reverses_journal_no = ${journalNo}::bigint`)
  return { journal: found, reversal: (reversal ?? null) as Row | null }
})

type Group = PeriodRow & { moved: Money }

/**
 * What every kind of account held before and after a period and what moved it, or every account of one kind. Debits and credits
 * add up to the same, and so do the balances, or the books are broken.
 */
const trialBalance = serve(ledger.trialBalance, async ({ tx, session, input }) => {
  const { fromDate, toDate, basis, accountKind } = input
  if (toDate < fromDate) throw invalid('toDate', 'validation.endBeforeBegin')
  const day = basis === 'as_was' ? sql`j.business_date` : sql`j.value_date`
  const kind = kindOf(sql`l.account_code`)
  const within = sql`${day} between ${fromDate} and ${toDate}`
  const side = (amount: Frag) => sql`coalesce(sum(${amount}) filter (where ${within}), 0)::numeric(18,2)`
  const groups = await tx.rows(sql<Group>`
    select ${kind} as account_kind, ${accountKind ? sql`l.account_code` : sql`null::text`} as account_code,
      coalesce(sum(l.amount) filter (where ${day} < ${fromDate}), 0)::numeric(18,2) as opening,
      ${side(sql`greatest(l.amount, 0)`)} as debit, ${side(sql`greatest(-l.amount, 0)`)} as credit, sum(l.amount)::numeric(18,2) as closing,
      ${side(sql`abs(l.amount)`)} as moved
    from journal_line l join journal j using (journal_no)
    where ${day} <= ${toDate} and ${accountKind ? sql`${kind} = ${accountKind}` : sql`true`} and ${journalScope(session)} group by 1, 2
    order by ${accountKind ? sql`moved desc, abs(sum(l.amount)) desc, 2` : sql`1`}`)
  const list = groups.slice(0, maxPeriodAccounts).map(({ moved: _, ...row }) => row)
  const [debit, credit] = [sum(groups.map(one => one.debit)), sum(groups.map(one => one.credit))]
  return { list, count: groups.length, debit, credit, difference: sum(groups.map(one => one.closing)) }
})

/** Accounts that anything moved by the end of a period, with what they held before and after. */
const periodAccounts = ({ tx, session, filters }: Reader): Frag => {
  const [from, to] = filters?.period ? daysOf(filters.period as DateRange, tx.now) : [null, null]
  const day = filters?.basis === 'recalculated' ? sql`j.value_date` : sql`j.business_date`
  const before = from ? sql`${day} < ${from}` : sql`false`
  const within = (amount: Frag) => sql`coalesce(sum(${amount}) filter (where not (${before})), 0)::numeric(18,2)`
  return sql`(
    select l.account_code, ${kindOf(sql`l.account_code`)} as account_kind,
      coalesce(sum(l.amount) filter (where ${before}), 0)::numeric(18,2) as opening,
      ${within(sql`greatest(l.amount, 0)`)} as debit, ${within(sql`greatest(-l.amount, 0)`)} as credit, sum(l.amount)::numeric(18,2) as closing
    from journal_line l join journal j using (journal_no)
    where ${to ? sql`${day} <= ${to}` : sql`true`} and ${journalScope(session)} group by 1) x`
}

const trialAccounts = listed({
  list: ledger.trialAccounts,
  source: at => ({
    from: periodAccounts(at),
    alias: 'x',
    key: sql`x.account_code`,
    where: sql`true`,
    filters: { period: () => null, basis: () => null },
  }),
})

/** The ledger as it stands: accounts, journals, and the proof that they add up. */
export const ledgerModule = (): Module => ({
  served: [serveListed(accounts), serveListed(journals), serveListed(trialAccounts), journal, trialBalance],
  lists: [accounts, journals, trialAccounts],
})
