import { accountScreen } from './fund-account/account-screen.tsx'

/** The finance lead keeps the accounts that pay loans out, for which merchants, down to which balance and up to which sum a day. */
export default accountScreen({
  use: 'payout',
  columns: [
    'accountName',
    'lenderName',
    'channel',
    'merchantNames',
    'accountNumber',
    'ledgerBalance',
    'inFlight',
    'channelBalance',
    'minBalance',
    'dailyCap',
    'usedToday',
  ],
  more: ['fundAccountNo', 'bankName', 'branch', 'accountRole', 'channelBalanceTime', 'sendingTimes'],
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
    'sendingTimes',
    'minBalance',
    'dailyCap',
    'usedToday',
    'ledgerBalance',
    'inFlight',
    'channelBalance',
    'channelBalanceTime',
  ],
})
