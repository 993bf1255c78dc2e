import { accountScreen } from './fund-account/account-screen.tsx'

/** Finance keeps the accounts to which customers repay, and sees what has come in on them and is not written off yet. */
export default accountScreen({
  use: 'collection',
  columns: [
    'accountName',
    'lenderName',
    'channel',
    'merchantNames',
    'accountNumber',
    'ledgerBalance',
    'unappliedTotal',
    'lastReceiptTime',
    'channelBalance',
  ],
  more: ['fundAccountNo', 'bankName', 'branch', 'accountRole', 'channelBalanceTime', 'minBalance'],
  settings: [
    'fundAccountNo',
    'lenderName',
    'accountName',
    'channel',
    'accountNumber',
    'accountRole',
    'merchantNames',
    'bankName',
    'branch',
    'minBalance',
    'ledgerBalance',
    'unappliedTotal',
    'lastReceiptTime',
    'channelBalance',
    'channelBalanceTime',
  ],
})
