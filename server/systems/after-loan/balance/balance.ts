import { sql } from 'kysely'
import {
  type BalanceCompany,
  type BalanceDay,
  type BalanceEntryRow,
  balance as calls,
} from '../../../../core/contract/after-loan/balance.ts'
import { formatMoney, type Money, money } from '../../../../core/rules/money.ts'
import { addDays, eatDateTime } from '../../../../core/rules/time.ts'
import { requestApproval } from '../../../approval/approval.ts'
import { waitingMaker } from '../../../configs/checked.ts'
import type { Tx } from '../../../db/database.ts'
import { GatewayUnavailable, type PayoutGateway } from '../../../gateways/gateway.ts'
import { checkVersion, Fault, invalid, notFound } from '../../../http/fault.ts'
import { serve, serveWork } from '../../../http/serve.ts'
import { serveListed } from '../../../lists/listed.ts'
import type { ApprovalAction, Deps, Module } from '../../../module.ts'
import { account } from '../../../money/ledger.ts'
import type { Session } from '../../../session/session.ts'
import { transition } from '../../../states/transition.ts'
import { accountScope } from '../fund-account/index.ts'
import { explainDifference } from '../reconciliation/index.ts'
import { balanceBlocks, balances, columnsOf, entryBlocks, joins, perm } from './balance-source.ts'
import { lockAccount, noteBalance, objectType } from './entry.ts'

const shownDays = 30
const shownEntries = 100
const save = calls.enter.perm as string

const companies = serve(calls.companies, async ({ tx, session }) => {
  const { lastBalance, ledgerBalance, difference, neededToday, enteredToday } = columnsOf(tx)
  return {
    list: await tx.rows(sql<BalanceCompany>`
      select x.channel, count(*)::int as accounts, count(*) filter (where ${enteredToday})::int as entered, coalesce(sum(${lastBalance}), 0)::numeric(18,2) as last_balance,
        sum(${ledgerBalance})::numeric(18,2) as ledger_balance, coalesce(sum(${difference}), 0)::numeric(18,2) as difference, sum(${neededToday})::numeric(18,2) as needed_today
      from fund_account x ${joins.e} ${joins.b}
      where x.deleted_time is null and x.enabled = 'enabled' and ${accountScope(session, sql`x.fund_account_no`, perm)} group by 1 order by 1`),
  }
})

/** What was read last on each of the last days, beside the books. */
const daysOf = (tx: Tx, fundAccountNo: string) => {
  const lastOn = (source: string) => sql`(
    select e.last_balance from balance_entry e where e.fund_account_no = ${fundAccountNo} and e.balance_entry_status = 'entered' and e.balance_source = ${source}
      and (e.entry_date at time zone 'Africa/Kampala')::date = d::date order by e.entry_date desc limit 1)`
  return tx.rows(sql<BalanceDay>`
    with moved as (
      select j.business_date as day, sum(l.amount) as amount from journal_line l join journal j using (journal_no)
      where l.account_code = ${account.bank(fundAccountNo)} group by 1)
    select d::date as date, coalesce((select sum(amount) from moved where day <= d::date), 0)::numeric(18,2) as ledger_balance, ${lastOn('typed')} as typed, ${lastOn('fetched')} as fetched
    from generate_series(${addDays(tx.today, 1 - shownDays)}::date, ${tx.today}::date, interval '1 day') d order by d`)
}

const history = serve(calls.history, async ({ tx, session, input: { fundAccountNo } }) => {
  const seen = await tx.maybe(sql`
    select 1 from fund_account x where x.fund_account_no = ${fundAccountNo} and x.deleted_time is null and ${accountScope(session, sql`x.fund_account_no`, perm)}`)
  if (!seen) throw notFound()
  const rows = await tx.rows(sql<BalanceEntryRow>`
    select e.balance_entry_no, e.last_balance, e.entry_date, e.balance_source, e.entered_name, e.created_time, e.ledger_then, e.in_flight_then, e.difference, e.backfilled, e.remark,
      e.corrects_no, e.correct_reason, e.balance_entry_status, ${waitingMaker(objectType, sql`e.balance_entry_no`)} as pending_approval, e.version
    from balance_entry e where e.fund_account_no = ${fundAccountNo} order by e.entry_date desc, e.created_time desc, e.balance_entry_no desc limit ${shownEntries}`)
  const blocked = await entryBlocks.of(
    { tx, session },
    rows.map(row => row.balanceEntryNo),
  )
  return {
    list: rows.map((row, at) => ({ ...row, blockedBy: blocked[at] ?? {} })),
    days: await daysOf(tx, fundAccountNo),
  }
})

const enter = serve(calls.enter, async call => {
  const { tx, session, actor, input } = call
  const own = await lockAccount(tx, session, input.fundAccountNo, save)
  await balanceBlocks.check(call, calls.enter, own.fundAccountNo)
  const entryDate = new Date(input.entryDate)
  if (entryDate > tx.now) throw invalid('entryDate', 'validation.notFuture')
  const lastBalance = money(input.lastBalance)
  const said = { account: own, lastBalance, entryDate, balanceSource: 'typed', remark: input.remark ?? null } as const
  const entered = await noteBalance(tx, said, actor)
  const after = { fundAccountNo: own.fundAccountNo, lastBalance, entryDate, difference: entered.difference }
  call.audit({ objectType, objectNo: entered.balanceEntryNo, after })
  return entered
})

type Entry = {
  balanceEntryNo: string
  fundAccountNo: string
  balanceEntryStatus: string
  lastBalance: Money
  entryDate: string
  version: number
}
const lockEntry = async (tx: Tx, session: Session | null, balanceEntryNo: string): Promise<Entry> => {
  const found = await tx.maybe(sql<Entry>`
    select e.* from balance_entry e where e.balance_entry_no = ${balanceEntryNo} and ${session ? accountScope(session, sql`e.fund_account_no`, save) : sql`true`} for update`)
  if (!found) throw notFound()
  return found
}

const action = 'balance.correct'

/** Asks for another balance in the place of what was entered. */
const correct = serve(calls.correct, async call => {
  const { tx, session, input } = call
  const entry = await lockEntry(tx, session, input.balanceEntryNo)
  checkVersion(entry, input.version)
  await entryBlocks.check(call, calls.correct, entry.balanceEntryNo)
  const { accountName } = await lockAccount(tx, null, entry.fundAccountNo)
  const lastBalance = money(input.lastBalance)
  if (lastBalance === entry.lastBalance) throw invalid('lastBalance', 'errors.balanceSame')
  const approvalNo = await requestApproval(call, {
    action,
    perm: save,
    objectType,
    objectNo: entry.balanceEntryNo,
    version: entry.version,
    payload: { lastBalance, reason: input.reason },
    summary: [
      { label: 'fields.accountName', before: accountName, after: null },
      { label: 'fields.entryDate', before: eatDateTime(entry.entryDate), after: null },
      { label: 'fields.lastBalance', before: formatMoney(entry.lastBalance), after: formatMoney(lastBalance) },
      { label: 'fields.reason', before: null, after: input.reason },
    ],
  })
  call.audit({ objectType, objectNo: entry.balanceEntryNo, after: { approvalNo, lastBalance, reason: input.reason } })
  return { approvalNo }
})

/** The old line stays and is marked; another one of the same time refers to it, and the old difference is explained by it. */
const correction: ApprovalAction = {
  action,
  perm: save,
  money: false,
  async execute(tx, { objectNo, payload, checker }) {
    const entry = await lockEntry(tx, null, objectNo)
    const own = await lockAccount(tx, null, entry.fundAccountNo)
    await transition(
      tx,
      'balanceEntry',
      entry,
      { event: 'balance.correct', payload: { reason: payload.reason } },
      checker,
    )
    await tx.flush()
    await explainDifference(tx, { reference: objectNo, remark: String(payload.reason) }, checker)
    const said = {
      account: own,
      lastBalance: payload.lastBalance as Money,
      entryDate: new Date(entry.entryDate),
      balanceSource: 'typed',
      correctsNo: objectNo,
      correctReason: String(payload.reason),
    } as const
    await noteBalance(tx, said, checker)
  },
}

const ask = async (gateway: PayoutGateway): Promise<Money | null> => {
  try {
    return await gateway.balance()
  } catch (error) {
    if (error instanceof GatewayUnavailable) return null
    throw error
  }
}

/** The channel says what it holds for us now: kept with the account and as a line of its history. */
const fetch = (payout: Deps['payout']) =>
  serveWork(calls.fetch, {
    async before(call) {
      const own = await lockAccount(call.tx, call.session, call.input.fundAccountNo, perm)
      await balanceBlocks.check(call, calls.fetch, own.fundAccountNo)
      const gateway = Object.hasOwn(payout, own.channel) && payout[own.channel as PayoutGateway['channel']]
      if (!gateway) throw new Fault('stateConflict', 'errors.channelNotSetUp')
      return { own, gateway }
    },
    work: async ({ own, gateway }) => ({ fundAccountNo: own.fundAccountNo, lastBalance: await ask(gateway) }),
    async after({ tx, actor, audit }, { fundAccountNo, lastBalance }) {
      if (lastBalance === null) throw new Fault('stateConflict', 'errors.channelSilent')
      const own = await lockAccount(tx, null, fundAccountNo)
      await tx.exec(sql`
        update fund_account set channel_balance = ${lastBalance}, channel_balance_time = ${tx.now} where fund_account_no = ${fundAccountNo}`)
      const said = { account: own, lastBalance, entryDate: tx.now, balanceSource: 'fetched' } as const
      const { balanceEntryNo, difference } = await noteBalance(tx, said, actor)
      audit({ objectType, objectNo: balanceEntryNo, after: { fundAccountNo, lastBalance, difference } })
      return { lastBalance, difference }
    },
  })

/** Balances that are read at payment companies and banks, beside the books. */
export const balanceModule = ({ payout }: Pick<Deps, 'payout'>): Module => ({
  served: [serveListed(balances), companies, history, enter, correct, fetch(payout)],
  lists: [balances],
  approvals: [correction],
})
