import { wallet } from '../../../core/contract/after-loan/wallet.ts'
import { listScreen } from '../../../core/engine/list/list-screen.ts'
import { WalletStatement } from './wallet-detail.tsx'

/** Every reward with the order or task that earned it, and the wallet after it. */
export default listScreen({
  list: wallet.rewards,
  rowKey: 'rewardNo',
  start: { rewardTime: 'last30' },
  filters: [
    'customerNo',
    'phone',
    'rewardType',
    'rewardTime',
    'rewardNo',
    'merchantNo',
    'activityType',
    'rewardAmount',
  ],
  columns: [
    'rewardNo',
    'customerName',
    'phone',
    'merchantName',
    'rewardType',
    'activityType',
    'rewardAmount',
    'rewardTime',
    'walletBalance',
    'sourceNo',
  ],
  more: ['customerNo'],
  detail: row => <WalletStatement customerNo={row.customerNo} />,
  also: [wallet.statement],
})
