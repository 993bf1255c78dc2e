import { type RawBuilder, sql } from 'kysely'
import { balance as calls } from '../../../../core/contract/after-loan/balance.ts'
import { startOfEatDay } from '../../../../core/rules/time.ts'
import { blocks } from '../../../approval/blocks.ts'
import { waitingMaker } from '../../../configs/checked.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault } from '../../../http/fault.ts'
import { listed } from '../../../lists/listed.ts'
import { leaving } from '../../../money/spendable.ts'
import { accountScope } from '../fund-account/index.ts'
import { type OwnAccount, objectType } from './entry.ts'

type Frag = RawBuilder<unknown>
export const perm = calls.page.perm as string

const accounts = async (tx: Tx, keys: readonly string[]): Promise<ReadonlyMap<string, OwnAccount>> => {
  const rows = await tx.rows(sql<OwnAccount>`
    select fund_account_no, account_name, channel, account_role, enabled from fund_account where fund_account_no = any(${[...keys]})`)
  return new Map(rows.map(row => [row.fundAccountNo, row]))
}

/** Why an account takes no balance, or its channel is not asked. */
export const balanceBlocks = blocks<OwnAccount>({
  read: accounts,
  states: () => ({}),
  commands: [
    {
      command: calls.enter,
      refuses: ({ enabled }) => (enabled === 'enabled' ? null : new Fault('stateConflict', 'errors.balanceAccountOff')),
    },
    {
      command: calls.fetch,
      refuses: ({ channel, accountRole }) =>
        accountRole === 'collection' || channel === 'bank_file'
          ? new Fault('stateConflict', 'errors.channelTellsNothing')
          : null,
    },
  ],
})

type Entry = { balanceEntryNo: string; balanceEntryStatus: string; waits: boolean }
/** Why an entry is not corrected. */
export const entryBlocks = blocks<Entry>({
  async read(tx, keys) {
    const rows = await tx.rows(sql<Entry>`
      select e.balance_entry_no, e.balance_entry_status, ${waitingMaker(objectType, sql`e.balance_entry_no`)} is not null as waits
      from balance_entry e where e.balance_entry_no = any(${[...keys]})`)
    return new Map(rows.map(row => [row.balanceEntryNo, row]))
  },
  states: ({ balanceEntryStatus }) => ({ balanceEntry: balanceEntryStatus }),
  waits: ({ waits }) => waits,
  commands: [{ command: calls.correct }],
})

const of = sql`x.fund_account_no`
/** What payouts that wait for an account need of it. */
const needed: Frag = sql`coalesce((
  select sum(lc.actual_loan_amount) from loan_code lc where lc.fund_account_no = ${of} and lc.loan_code_status = 'created'), 0)::numeric(18,2)`
const booked: Frag = sql`coalesce(b.balance, 0)::numeric(18,2)`

/** The balance read last of each account, and its books. */
export const joins = {
  e: sql`left join lateral (
    select * from balance_entry n where n.fund_account_no = x.fund_account_no and n.balance_entry_status = 'entered' order by n.entry_date desc limit 1) e on true`,
  b: sql`left join ledger_balance b on b.account_code = 'bank:' || x.fund_account_no`,
}
export const columnsOf = (tx: Tx): Record<string, Frag> => ({
  merchantNos: sql`array(select m.merchant_no from fund_account_merchant m where m.fund_account_no = ${of} order by 1)`,
  lastBalance: sql`e.last_balance`,
  entryDate: sql`e.entry_date`,
  balanceSource: sql`e.balance_source`,
  enteredName: sql`e.entered_name`,
  ledgerThen: sql`e.ledger_then`,
  inFlightThen: sql`e.in_flight_then`,
  difference: sql`e.difference`,
  ledgerBalance: booked,
  neededToday: needed,
  shortBy: sql`greatest(${needed} - (${booked} - ${leaving(of)}), 0)::numeric(18,2)`,
  enteredToday: sql`coalesce(e.entry_date >= ${startOfEatDay(tx.today)}, false)`,
})

const within = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** Own accounts with what was read last that they hold. */
export const balances = listed({
  list: calls.page,
  source: ({ tx, session }) => ({
    from: sql`fund_account x`,
    alias: 'x',
    key: of,
    where: sql`(x.deleted_time is null and ${accountScope(session, of, perm)})`,
    joins,
    columns: columnsOf(tx),
    filters: {
      accountName: (text: string) => sql`x.account_name ilike ${within(text)}`,
      bankName: (text: string) => sql`x.bank_name ilike ${within(text)}`,
      merchantNo: (nos: readonly string[]) =>
        nos.length
          ? sql`exists (select 1 from fund_account_merchant fm where fm.fund_account_no = ${of} and fm.merchant_no = any(${[...nos]}))`
          : null,
      differing: (differs: boolean) => sql`(coalesce(e.difference, 0) <> 0) = ${differs}`,
      enteredToday: (today: boolean) => sql`coalesce(e.entry_date >= ${startOfEatDay(tx.today)}, false) = ${today}`,
    },
  }),
  blocked: balanceBlocks,
})
