import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { done, waits } from '../../../testing/acts.ts'
import { copied, maybe, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts, way } from '../../../testing/facts.ts'

const { balance } = contract
const about = 'own accounts are for those who see every merchant they serve'
let made = 0

/** A balance of the account that pays for M1; each call a second earlier. */
const input = (fixture: Fixture) => ({
  fundAccountNo: 'FA1',
  lastBalance: '1000.00',
  entryDate: new Date(fixture.clock.now().getTime() - ++made * 1_000).toISOString(),
})

/** An entry of that account; its number. */
export const entered = async (fixture: Fixture): Promise<string> =>
  String((await done(fixture, balance.enter, input(fixture))).balanceEntryNo)

const corrected = (balanceEntryNo: string) => ({
  balanceEntryNo,
  version: 0,
  lastBalance: '1200.00',
  reason: 'two digits were swapped',
})

const has = (value: unknown, text: string) =>
  String(value ?? '')
    .toLowerCase()
    .includes(text.trim().toLowerCase())

export default facts({
  machines: {
    balanceEntry: {
      row: {
        balanceEntryNo: 'BE1',
        fundAccountNo: 'FA1',
        lastBalance: 1000,
        entryDate: '2026-03-02T07:00:00Z',
        balanceSource: 'typed',
        enteredBy: 'U1',
        enteredName: 'U1',
        createdTime: '2026-03-02T07:00:00Z',
        ledgerThen: 1000,
        inFlightThen: 0,
        difference: 0,
        backfilled: false,
      },
    },
  },
  commands: [
    {
      call: balance.correct,
      make: async fixture => {
        const no = await entered(fixture)
        return { no, input: corrected(no) }
      },
      fires: waits,
      race: { drop: ['drop index if exists approval_pending'] },
    },
  ],
  beginnings: [{ call: balance.enter, input: async fixture => input(fixture) }],
  approvals: [
    {
      action: 'balance.correct',
      ask: async fixture =>
        String((await done(fixture, balance.correct, corrected(await entered(fixture)))).approvalNo),
    },
  ],
  lists: [
    {
      list: balance.page,
      key: 'fundAccountNo',
      of: 'company',
      fill: async fixture => {
        await copied(
          fixture,
          'fund_account',
          `fund_account_no = 'FA1'`,
          `jsonb_build_object(${prefixed('fund_account_no', 'account_number')}, 'account_name', 'Balance ' || n % 4, 'merchant_nos', jsonb_build_array('M1'), ${maybe('bank_name', "'Bank ' || n % 3")})`,
        )
        await fixture.exec(sql`
          insert into balance_entry (balance_entry_no, fund_account_no, balance_entry_status, last_balance, entry_date, balance_source, entered_by, entered_name, created_time, ledger_then, in_flight_then, difference, backfilled)
          select 'BF' || n, x.fund_account_no, 'entered', 1000 + n % 3 * 200, ${fixture.clock.now()}::timestamptz - n % 5 * interval '7 hours', case when n % 3 = 0 then 'typed' else 'fetched' end, 'U1', 'U1',
            ${fixture.clock.now()}, 1000, 0, n % 3 * 200, false
          from (select fund_account_no, row_number() over (order by fund_account_no) as n from fund_account where account_name like 'Balance %') x where n % 4 > 0`)
      },
      means: {
        accountName: (row, text: string) => has(row.accountName, text),
        bankName: (row, text: string) => has(row.bankName, text),
        differing: (row, differs: boolean) => (row.difference !== null && Number(row.difference) !== 0) === differs,
        merchantNo: (row, nos: string[]) => !nos.length || (row.merchantNos as string[]).some(no => nos.includes(no)),
      },
    },
  ],
  records: [
    {
      fields: ['balanceEntryNo'],
      table: 'balance_entry',
      key: 'balance_entry_no',
      make: entered,
      owners: sql`
        select e.balance_entry_no as no, (select min(fm.merchant_no) from fund_account_merchant fm where fm.fund_account_no = e.fund_account_no) as merchant_no, '{}'::text[] as holders
        from balance_entry e`,
      unheld: true,
    },
  ],
  ways: [
    way('a second person agrees to another balance', async fixture => {
      const asked = await done(fixture, balance.correct, corrected(await entered(fixture)))
      await fixture.agree(String(asked.approvalNo))
    }),
  ],
  calls: [balance.companies, balance.history, balance.enter, balance.fetch].map(call => ({ call, about })),
})
