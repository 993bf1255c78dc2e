import { fundAccount, fundAccounts } from '../../../core/contract/after-loan/fund-account.ts'
import { common } from '../../../core/contract/common/common.ts'
import type { ConfigRow } from '../../../core/contract/config.ts'
import { configScreen } from '../../../core/engine/config/config-screen.tsx'
import type { CallAction } from '../../../core/engine/screen.ts'
import { formatMoney } from '../../../core/rules/amount.ts'
import { AccountMoves, MerchantNames } from './account-parts.tsx'

export type AccountRow = ConfigRow<typeof fundAccounts>

type Name = Extract<keyof AccountRow, string>
type Of = { use: 'payout' | 'collection'; columns: readonly Name[]; more: readonly Name[]; settings: readonly Name[] }

const checkConnection: CallAction<AccountRow> = {
  run: fundAccount.check,
  label: 'fundAccount.check',
  when: ({ channel, accountRole }) =>
    (channel !== 'bank_file' && accountRole !== 'collection') || 'errors.channelTellsNothing',
  input: ([row]) => ({ fundAccountNo: row?.fundAccountNo }),
  confirm: 'fundAccount.confirmCheck',
  done: answer => {
    const { channelBalance, holderName } = answer as { channelBalance: string; holderName: string | null }
    return { key: 'fundAccount.checked', params: { balance: formatMoney(channelBalance), name: holderName ?? '–' } }
  },
}

/** The accounts that pay out, or those that receive: one list with the columns of each. */
export const accountScreen = ({ use, columns, more, settings }: Of) =>
  configScreen({
    config: fundAccounts,
    start: { accountUse: use },
    filters: ['lenderName', 'merchantNo', 'channel', 'bankName', 'accountNumber', 'belowMinimum', 'accountUse'],
    presets: [{ label: 'fundAccount.belowMinimum', filters: { belowMinimum: true } }],
    columns: columns.map(name =>
      name === 'merchantNames'
        ? { id: name, cell: (row: AccountRow) => <MerchantNames names={row.merchantNames} /> }
        : name,
    ),
    more,
    settings,
    confirm: {
      enable: 'fundAccount.confirmEnable',
      disable: 'fundAccount.confirmDisable',
      delete: 'fundAccount.confirmDelete',
    },
    row: [checkConnection],
    tabs: [{ name: 'moves', label: 'fundAccount.moves', body: row => <AccountMoves row={row} /> }],
    also: [common.merchants, fundAccount.movements, fundAccount.balanceLine],
  })
