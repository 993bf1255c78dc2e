import { lazy, Suspense } from 'react'
import { type BalanceRow, balance } from '../../core/contract/after-loan/balance.ts'
import { common } from '../../core/contract/common/common.ts'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import { formatMoney } from '../../core/rules/amount.ts'
import { Loading } from '../../core/ui/states.tsx'
import { Companies } from './balance/companies.tsx'
import { Difference } from './balance/difference.tsx'
import { EnterAll } from './balance/enter-all.tsx'

const Detail = lazy(async () => ({ default: (await import('./balance/balance-detail.tsx')).BalanceDetail }))
const now = () => new Date().toISOString()

/** The cashier notes each morning what payment companies and banks say that our accounts hold, and sees whether the books agree. */
export default listScreen({
  list: balance.page,
  rowKey: 'fundAccountNo',
  filters: ['channel', 'accountName', 'bankName', 'merchantNo', 'entryDate', 'differing', 'enteredToday'],
  presets: [
    { label: 'balance.notToday', filters: { enteredToday: false }, counted: true },
    { label: 'balance.differing', filters: { differing: true }, counted: true },
  ],
  columns: [
    'channel',
    'accountName',
    'bankName',
    'accountRole',
    'lastBalance',
    'entryDate',
    'enteredName',
    'ledgerThen',
    'inFlightThen',
    { id: 'difference', cell: (row: BalanceRow) => <Difference amount={row.difference} /> },
    'neededToday',
  ],
  more: [
    'fundAccountNo',
    'accountNumber',
    'merchantNos',
    'balanceSource',
    'ledgerBalance',
    'channelBalance',
    'channelBalanceTime',
    'shortBy',
    'minBalance',
    'enteredToday',
  ],
  above: () => <Companies />,
  toolbar: () => [
    {
      label: 'actions.enterAllBalances',
      needs: { perm: balance.enter.perm, audit: balance.enter.audit },
      dialog: EnterAll,
    },
  ],
  row: act => [
    act(balance.enter, {
      label: 'actions.enterBalance',
      ask: ['lastBalance', 'entryDate', 'remark'],
      from: () => ({ entryDate: now() }),
      input: ([row]) => ({ fundAccountNo: row?.fundAccountNo }),
      confirm: 'balance.confirmEnter',
      done: answer => ({
        key: 'balance.entered',
        params: { difference: formatMoney((answer as { difference: string }).difference) },
      }),
    }),
    act(balance.fetch, {
      label: 'actions.fetchBalance',
      confirm: 'balance.confirmFetch',
      done: answer => {
        const { lastBalance, difference } = answer as { lastBalance: string; difference: string }
        return {
          key: 'balance.fetched',
          params: { balance: formatMoney(lastBalance), difference: formatMoney(difference) },
        }
      },
    }),
  ],
  detail: (row, reload) => (
    <Suspense fallback={<Loading rows={6} />}>
      <Detail key={row.fundAccountNo} row={row} reload={reload} />
    </Suspense>
  ),
  also: [
    balance.companies,
    balance.history,
    balance.correct,
    common.merchants,
    common.approvals,
    common.approve,
    common.reject,
    common.withdraw,
  ],
})
