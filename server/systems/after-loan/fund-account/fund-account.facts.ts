import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { done } from '../../../testing/acts.ts'
import { copied, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts, type Input } from '../../../testing/facts.ts'

const { fundAccount } = contract
let made = 0

const form = () => ({
  lenderName: 'Nile Credit',
  accountName: `Wallet ${made}`,
  accountRole: 'collection',
  merchantNos: ['M1'],
  minBalance: '0.00',
  dailyCap: '0.00',
})
/** An account of M1; each call another number. */
const input = () => ({ ...form(), channel: 'airtel_money', accountNumber: `25675${String(++made).padStart(7, '0')}` })

const added = async (fixture: Fixture): Promise<string> =>
  String((await done(fixture, fundAccount.save, input() as Input)).key)

const has = (value: unknown, text: string) =>
  String(value ?? '')
    .toLowerCase()
    .includes(text.trim().toLowerCase())

export default facts({
  approvals: [
    {
      action: 'fundAccount.save',
      ask: async fixture => {
        const fundAccountNo = await added(fixture)
        const change = { ...form(), fundAccountNo, version: 0, dailyCap: '5000000.00' }
        return String((await done(fixture, fundAccount.save, change as Input)).approvalNo)
      },
    },
    {
      action: 'fundAccount.state',
      ask: async fixture => {
        const fundAccountNo = await added(fixture)
        return String((await done(fixture, fundAccount.state, { fundAccountNo, enabled: true, version: 0 })).approvalNo)
      },
    },
  ],
  lists: [
    {
      list: fundAccount.page,
      key: 'fundAccountNo',
      of: 'company',
      fill: async fixture => {
        const no = await added(fixture)
        await copied(
          fixture,
          'fund_account',
          `fund_account_no = '${no}'`,
          `jsonb_build_object(${prefixed('fund_account_no', 'account_number')}, 'updated_time', x.updated_time - n % 5 * interval '1 hour', 'account_name', 'Wallet ' || n % 4, 'lender_name', (array['Nile', 'Lake'])[1 + n % 2], 'account_role', (array['payout', 'collection', 'both'])[1 + n % 3], 'min_balance', n % 3 * 1000, 'bank_name', case when n % 3 > 0 then 'Bank ' || n % 3 end)`,
        )
      },
      means: {
        accountUse: (row, use: string) => row.accountRole === 'both' || row.accountRole === use,
        merchantNo: (row, nos: string[]) => !nos.length || (row.merchantNos as string[]).some(no => nos.includes(no)),
        lenderName: (row, text: string) => has(row.lenderName, text),
        bankName: (row, text: string) => has(row.bankName, text),
        waiting: (row, mine: boolean) => !mine || row.pendingApproval !== null,
        belowMinimum: (row, below: boolean) => Number(row.ledgerBalance) < Number(row.minBalance) === below,
      },
      holds: { key: 'fundAccountNo', query: sql`select fund_account_no, account_number from fund_account` },
    },
  ],
  calls: Object.values(fundAccount)
    .filter(call => !('row' in call))
    .map(call => ({ call: call as Endpoint, about: 'own accounts are for those who see every merchant they serve' })),
})
