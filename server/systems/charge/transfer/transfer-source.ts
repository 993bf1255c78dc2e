import { type RawBuilder, sql } from 'kysely'
import { transfer as calls, type OwnAccount } from '../../../../core/contract/charge/transfer.ts'
import type { Tx } from '../../../db/database.ts'
import { numbersOf, oneOf } from '../../../lists/list.ts'
import { listed } from '../../../lists/listed.ts'
import { leaving } from '../../../money/spendable.ts'
import type { Session } from '../../../session/session.ts'
import { minutesSince } from '../../order/order/index.ts'
import { transferBlocks } from './transfer-blocks.ts'
import { accountScope, transferScope } from './transfer-store.ts'

type Frag = RawBuilder<unknown>

const joins = {
  f: sql`join fund_account f on f.fund_account_no = t.from_account_no`,
  g: sql`join fund_account g on g.fund_account_no = t.to_account_no`,
}

const balanceOf = (no: Frag): Frag =>
  sql`coalesce((select b.balance from ledger_balance b where b.account_code = 'bank:' || ${no}), 0)::numeric(18,2)`
/** What approved loans wait to be paid from an account. */
const neededOf = (no: Frag): Frag => sql`coalesce((
  select sum(lc.actual_loan_amount) from loan_code lc where lc.loan_code_status = 'created' and lc.fund_account_no = ${no}), 0)::numeric(18,2)`
/** What transfers that are not paid yet will take from an account. */
export const promisedOf = (no: Frag, but: string | null = null): Frag => sql`coalesce((
  select sum(p.transfer_amount) from transfer_apply p
  where p.from_account_no = ${no} and p.transfer_status in ('pending', 'approved') and p.transfer_no is distinct from ${but}), 0)::numeric(18,2)`
const inFlightOf = (no: Frag): Frag => sql`coalesce((
  select sum(ga.amount) from gateway_attempt ga where ga.fund_account_no = ${no} and ga.attempt_status in ('prepared', 'sent', 'unknown')), 0)::numeric(18,2)`

const sentTime = sql`(
  select ga.sent_time from gateway_attempt ga where ga.parent_kind = 'transfer' and ga.parent_no = t.transfer_no and ga.attempt_no = t.attempt_no)`

const columns = (tx: Tx): Record<string, Frag> => ({
  fromAccountName: sql`f.account_name`,
  toAccountName: sql`g.account_name`,
  lenderName: sql`f.lender_name`,
  approvalCount: sql`(select count(*)::int from transfer_approval a where a.transfer_no = t.transfer_no and a.round = t.round)`,
  runningMinutes: sql`case when t.transfer_status = 'paying' then ${minutesSince(tx, sql`coalesce(${sentTime}, ${tx.now}::timestamptz)`)} end`,
  notArrivedDays: sql`case when t.transfer_status = 'paid' and t.arrive_time is null then greatest(${tx.today}::date - (t.pay_time at time zone 'Africa/Kampala')::date, 0) end`,
  confirmStatus: sql`(
    select cf.confirm_status from loan_code_confirm cf where cf.parent_kind = 'transfer' and cf.parent_no = t.transfer_no
    order by cf.confirm_status in ('unconfirmed', 'first_confirmed') desc, cf.second_time desc nulls last limit 1)`,
  fromBalance: balanceOf(sql`t.from_account_no`),
  fromNeeded: neededOf(sql`t.from_account_no`),
  toBalance: balanceOf(sql`t.to_account_no`),
  toNeeded: neededOf(sql`t.to_account_no`),
  waitingMinutes: sql`case when t.transfer_status in ('pending', 'approved') then ${minutesSince(tx, sql`t.submit_time`)} end`,
})

const within = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`

const filters = (session: Session) => ({
  transferNo: (text: string) => oneOf(sql`t.transfer_no`, numbersOf(text)),
  serialNo: (text: string) => oneOf(sql`t.serial_no`, numbersOf(text)),
  lenderName: (text: string) => sql`f.lender_name ilike ${within(text)}`,
  makerName: (text: string) => sql`t.maker_name ilike ${within(text)}`,
  mine: (mine: boolean) => sql`(t.maker_no = ${session.userNo}) = ${mine}`,
  notArrived: (open: boolean) => sql`(t.transfer_status = 'paid' and t.arrive_time is null) = ${open}`,
})

const transferList = <E extends typeof calls.page | typeof calls.auditPage>(list: E) =>
  listed({
    list: list as typeof calls.page,
    source: ({ tx, session }) => ({
      from: sql`transfer_apply t`,
      joins,
      where: transferScope(session, list.perm),
      columns: columns(tx),
      alias: 't',
      key: sql`t.transfer_no`,
      filters: filters(session),
    }),
    blocked: (at, rows) =>
      transferBlocks.of(
        at,
        rows.map(row => row.transferNo),
      ),
  })

/** Transfers for who asks for them. */
export const transfers = transferList(calls.page)
/** The same for their checkers and payers. */
export const reviews = transferList(calls.auditPage)

/** Own accounts within reach with what they have, what is promised of it, and what they need. */
export const ownAccounts = (
  tx: Tx,
  session: Session,
  where: Frag = sql`fa.enabled = 'enabled'`,
): Promise<OwnAccount[]> =>
  tx.rows(sql<OwnAccount>`
    select x.*, (x.balance - x.promised)::numeric(18,2)::text as available from (
      select fa.fund_account_no, fa.account_name, fa.channel, fa.lender_name, fa.min_balance, ${balanceOf(sql`fa.fund_account_no`)} as balance,
        ${promisedOf(sql`fa.fund_account_no`)} + ${leaving(sql`fa.fund_account_no`)} as promised, ${neededOf(sql`fa.fund_account_no`)} as needed, ${inFlightOf(sql`fa.fund_account_no`)} as in_flight
      from fund_account fa where ${where} and ${accountScope(session, sql`fa.fund_account_no`)}) x order by x.fund_account_no`)
