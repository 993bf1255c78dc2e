import { lazy, Suspense } from 'react'
import { approvalCalls } from '../../core/contract/common/approval.ts'
import type { ConfigRow } from '../../core/contract/config.ts'
import type { RowOf } from '../../core/contract/endpoint.ts'
import {
  messageAccount,
  messageAccounts,
  messageApp,
  messageApps,
  sentMessage,
  vendorsWithSecret,
} from '../../core/contract/operation/message-center.ts'
import { configScreen } from '../../core/engine/config/config-screen.tsx'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import { tabbed } from '../../core/engine/list/tabbed.tsx'
import type { Act, Action } from '../../core/engine/screen.ts'
import { formatMoney } from '../../core/rules/amount.ts'
import { Text } from '../../core/ui/basics.ts'
import { Loading } from '../../core/ui/states.tsx'

type App = ConfigRow<typeof messageApps>
type Account = ConfigRow<typeof messageAccounts>
type Message = RowOf<typeof sentMessage.page>

const Steps = lazy(async () => ({ default: (await import('./message-center/message-steps.tsx')).MessageSteps }))
const part = (rate: number | null) => (rate === null ? '–' : `${rate} %`)

const apps = configScreen({
  config: messageApps,
  filters: ['appName', 'merchantNo'],
  columns: [
    'appCode',
    'appName',
    'merchantNames',
    'appChannels',
    'defaultLanguage',
    { id: 'quietFrom', cell: ({ quietFrom, quietUntil }: App) => `${quietFrom}–${quietUntil}` },
    'messagesToday',
    { id: 'deliveredRate', cell: ({ deliveredRate }: App) => part(deliveredRate) },
  ],
  more: ['messageAppNo'],
  settings: ['appCode', 'appName', 'merchantNames', 'appChannels', 'defaultLanguage', 'quietFrom', 'quietUntil'],
  confirm: {
    enable: 'messageCenter.confirmEnableApp',
    disable: 'messageCenter.confirmDisableApp',
    delete: 'messageCenter.confirmDelete',
  },
  also: [messageApp.page],
})

const onAccount: Act<Account> = (run, action) => ({ run, ...action }) as never
const accountActions: Action<Account>[] = [
  onAccount(messageAccount.rotate, {
    label: 'messageCenter.rotate',
    ask: ['vendorUser', 'credential', 'reason'],
    confirm: 'messageCenter.confirmRotate',
    when: row => vendorsWithSecret.includes(row.messageVendor) || 'errors.secretOfServer',
    done: 'config.sentForApproval',
  }),
  onAccount(messageAccount.sendTest, {
    label: 'messageCenter.test',
    confirm: 'messageCenter.confirmTest',
    when: row => row.enabled === 'enabled' || 'errors.accountOff',
  }),
  onAccount(messageAccount.askBalance, {
    label: 'messageCenter.askBalance',
    confirm: 'messageCenter.confirmBalance',
    when: row => row.channelType === 'sms' || 'errors.noBalance',
  }),
]

/** What is left, red where it is little. */
const Balance = ({ balance, balanceLow, lastsDays }: Account) => (
  <Text size="2" color={balanceLow ? 'red' : undefined}>
    {balance === null ? '–' : formatMoney(balance)}
    {lastsDays !== null && ` · ${lastsDays}d`}
  </Text>
)

const accounts = configScreen({
  config: messageAccounts,
  filters: ['channelType', 'messageVendor', 'accountHealth'],
  columns: [
    'accountName',
    'channelType',
    'messageVendor',
    'senderId',
    'accountHealth',
    'credentialTime',
    'textsADay',
    'sentToday',
    'unitCost',
    { id: 'balance', cell: (row: Account) => <Balance {...row} /> },
    'spentToday',
    'spentMonth',
  ],
  more: ['accountNo', 'vendorEndpoint', 'fromServer', 'balanceTime', 'balanceLow', 'lowBalance', 'usedCount'],
  settings: [
    'accountNo',
    'accountName',
    'channelType',
    'messageVendor',
    'vendorEndpoint',
    'overTls',
    'httpAuth',
    'requestTemplate',
    'vendorPaths',
    'vendorWords',
    'senderId',
    'textsADay',
    'unitCost',
    'lowBalance',
    'fromServer',
    'credentialTime',
    'balance',
    'balanceTime',
    'lastsDays',
    'spentToday',
    'spentMonth',
    'accountHealth',
  ],
  confirm: {
    enable: 'messageCenter.confirmEnable',
    disable: 'messageCenter.confirmDisable',
    delete: 'messageCenter.confirmDelete',
  },
  row: accountActions,
  also: [messageAccount.rotate, messageAccount.sendTest, messageAccount.askBalance, ...approvalCalls],
})

const messages = listScreen({
  list: sentMessage.page,
  rowKey: 'messageNo',
  start: { createdTime: 'last7' },
  filters: [
    'messageStatus',
    'channelType',
    'createdTime',
    'appCode',
    'pointCode',
    'accountNo',
    'orderNo',
    'customerNo',
    'messageNo',
  ],
  columns: [
    'createdTime',
    'nodeName',
    'channelType',
    'appCode',
    'receiver',
    'messageText',
    'segments',
    'cost',
    'messageStatus',
    'whyBlocked',
    'failReason',
    'deliverTime',
  ],
  more: ['messageNo', 'sendTime', 'accountNo', 'orderNo', 'customerNo'],
  row: act => [act(sentMessage.resend, { label: 'messageCenter.resend', confirm: 'messageCenter.confirmResend' })],
  detail: (row: Message) => (
    <Suspense fallback={<Loading rows={4} />}>
      <Steps row={row} />
    </Suspense>
  ),
  also: [sentMessage.detail],
})

/** The operations engineer registers apps in the message center, keeps the accounts behind them, and sees what was sent. */
export default tabbed([
  { name: 'apps', label: 'messageCenter.apps', screen: apps },
  { name: 'accounts', label: 'messageCenter.accounts', screen: accounts },
  { name: 'messages', label: 'messageCenter.messages', screen: messages },
])
