import { type RawBuilder, sql } from 'kysely'
import { fundAccounts } from '../../../../core/contract/after-loan/fund-account.ts'
import { startOfEatDay } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import type { Reader } from '../../../lists/listed.ts'
import { limitFor, scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'

type Frag = RawBuilder<unknown>
const { page } = fundAccounts.codes

/**
 * Accounts are seen by people who may see every merchant that they serve: their money belongs to all of those. Nobody who sees only what
 * they hold themselves sees any.
 */
export const accountScope = (session: Session, fundAccountNo: Frag, perm: string = page): Frag => {
  if (limitFor(session, perm) === 'all' && !session.onlyMerchants) return sql`true`
  const served = scope(session, { merchant: 'fm.merchant_no', holder: () => sql`false`, perm })
  return sql`coalesce((select bool_and(${served}) from fund_account_merchant fm where fm.fund_account_no = ${fundAccountNo}), false)`
}

/** What left an account today, or is leaving it: sends that failed did not. */
const usedToday = (tx: Tx, fundAccountNo: Frag): Frag => sql`(
  select coalesce(sum(g.amount), 0)::numeric(18,2) from gateway_attempt g
  where g.fund_account_no = ${fundAccountNo} and g.created_time >= ${startOfEatDay(tx.today)} and g.attempt_status <> 'failed')`

/** What an account may still send today; none for an account without a cap. `fa` is the account. */
export const leftToday = (tx: Tx): Frag =>
  sql`case when fa.daily_cap > 0 then fa.daily_cap - ${usedToday(tx, sql`fa.fund_account_no`)} end`

const of = sql`x.fund_account_no`
const codes = (...statuses: string[]): Frag =>
  sql`from loan_code lc where lc.fund_account_no = ${of} and lc.loan_code_status = any(${statuses})`
const received = sql`from repay_flow f where f.fund_account_no = ${of}`

const uses: Readonly<Record<string, Frag>> = {
  payout: sql`x.account_role in ('payout', 'both')`,
  collection: sql`x.account_role in ('collection', 'both')`,
}

/** How the accounts are read: their balances in the books, at the channel and under way. */
export const accountSource = ({ tx, session }: Reader) => ({
  where: accountScope(session, of),
  joins: { b: sql`left join ledger_balance b on b.account_code = 'bank:' || x.fund_account_no` },
  columns: {
    merchantNos: sql`array(select m.merchant_no from fund_account_merchant m where m.fund_account_no = ${of} order by 1)`,
    merchantNames: sql`array(select m.merchant_name from fund_account_merchant fm join merchant m using (merchant_no) where fm.fund_account_no = ${of} order by 1)`,
    ledgerBalance: sql`coalesce(b.balance, 0)::numeric(18,2)`,
    inFlight: sql`(select coalesce(sum(lc.actual_loan_amount), 0)::numeric(18,2) ${codes('remitting', 'unknown')})`,
    usedToday: usedToday(tx, of),
    unappliedTotal: sql`(
      select coalesce(sum(f.amount - f.applied - f.refunded), 0)::numeric(18,2) ${received} and f.flow_status in ('available', 'partly_used'))`,
    lastReceiptTime: sql`(select max(f.entry_time) ${received} and f.flow_status <> 'void')`,
    waitingCodes: sql`(select count(*)::int ${codes('created')})`,
    runningCodes: sql`(select count(*)::int ${codes('remitting', 'unknown')})`,
  },
  filters: {
    accountUse: (use: string) => uses[use] ?? null,
    merchantNo: (nos: readonly string[]) =>
      nos.length
        ? sql`exists (select 1 from fund_account_merchant fm where fm.fund_account_no = ${of} and fm.merchant_no = any(${[...nos]}))`
        : null,
    lenderName: (text: string) =>
      sql`lower(x.lender_name) like ${`%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`}`,
    bankName: (text: string) => sql`lower(x.bank_name) like ${`%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`}`,
    belowMinimum: (below: boolean) => sql`(coalesce(b.balance, 0) < x.min_balance) = ${below}`,
  } as never,
})
