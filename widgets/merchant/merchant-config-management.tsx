import { lazy, type ReactNode, Suspense } from 'react'
import type { ConfigRow } from '../../core/contract/config.ts'
import { contractDays, merchantConfig, merchantConfigs } from '../../core/contract/merchant/merchant-config.ts'
import { paymentDisplay, paymentDisplays } from '../../core/contract/merchant/payment-display.ts'
import { configScreen } from '../../core/engine/config/config-screen.tsx'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import { tabbed } from '../../core/engine/list/tabbed.tsx'
import type { Action, DialogProps } from '../../core/engine/screen.ts'
import { formatMoney } from '../../core/rules/amount.ts'
import { Text } from '../../core/ui/basics.ts'
import { CopyIcon } from '../../core/ui/copy-icon.tsx'
import { Loading } from '../../core/ui/states.tsx'

const tabs = () => import('./merchant-config/config-tabs.tsx')
const Integration = lazy(async () => ({ default: (await tabs()).IntegrationTab }))
const Cards = lazy(async () => ({ default: (await tabs()).CardsTab }))
const Wallet = lazy(async () => ({ default: (await tabs()).WalletTab }))
const Preview = lazy(async () => ({ default: (await import('./merchant-config/phone-preview.tsx')).PhonePreview }))
const Key = lazy(async () => ({ default: (await import('./merchant-config/key-dialog.tsx')).KeyDialog }))
const Test = lazy(async () => ({ default: (await import('./merchant-config/test-dialog.tsx')).TestDialog }))

type Row = ConfigRow<typeof merchantConfigs>

const Soon = ({ children }: { children: ReactNode }) => <Suspense fallback={<Loading rows={4} />}>{children}</Suspense>

const Available = ({ row }: { row: Row }) => (
  <Text size="2" color={row.balanceState === 'at_floor' ? 'red' : row.balanceState === 'low' ? 'amber' : undefined}>
    {formatMoney(row.availableBalance)}
  </Text>
)
const Ends = ({ row }: { row: Row }) => (
  <Text size="2" color={row.contractLeft <= contractDays ? 'red' : undefined}>
    {row.contractEnd}
  </Text>
)
const No = ({ no }: { no: string }) => (
  <span className="mk-key">
    {no}
    <CopyIcon value={no} />
  </span>
)

const actions: Action<Row>[] = [
  {
    label: 'merchantConfig.newKey',
    needs: merchantConfig.credentialCreate,
    when: row => row.liveKeys < 2 || 'errors.twoKeys',
    dialog: (props: DialogProps<Row>) => (
      <Soon>
        <Key {...props} />
      </Soon>
    ),
  },
  {
    run: merchantConfig.callbackSave,
    label: 'merchantConfig.editCallback',
    ask: ['ipAllowList', 'callbackUrl', 'callbackEvents'],
    from: 'row',
    confirm: 'merchantConfig.callbackHint',
    done: answer => ((answer as { approvalNo: string | null }).approvalNo ? 'config.sentForApproval' : 'config.saved'),
  },
  {
    label: 'merchantConfig.testCallback',
    needs: merchantConfig.callbackTest,
    when: row => row.callbackUrl !== null || 'merchantConfig.needsUrl',
    dialog: (props: DialogProps<Row>) => (
      <Soon>
        <Test {...props} />
      </Soon>
    ),
  },
  {
    run: merchantConfig.cardSave,
    label: 'merchantConfig.editCards',
    ask: ['cardTypes', 'maxCardsPerCustomer', 'cardVerifyMode', 'changeCoolingHours'],
    from: 'row',
    done: 'config.saved',
  },
]

const configs = configScreen({
  config: merchantConfigs,
  filters: [
    'merchantName',
    'balanceState',
    'environment',
    'settlementMode',
    'orgNo',
    'callbackState',
    'contractWithin',
  ],
  presets: [
    { label: 'merchantConfig.live', filters: { environment: ['live'], enabled: ['enabled'] } },
    { label: 'merchantConfig.lowOnes', filters: { balanceState: 'low' } },
  ],
  columns: [
    'merchantName',
    { id: 'number', label: 'merchantConfig.number', cell: (row: Row) => <No no={row.merchantNo} /> },
    'orgName',
    'settlementMode',
    'walletBalance',
    'accruedToday',
    { id: 'availableBalance', cell: (row: Row) => <Available row={row} /> },
    'daysLeft',
    { id: 'contractEnd', cell: (row: Row) => <Ends row={row} /> },
    'apiKeySetTime',
    {
      id: 'callbackHealth',
      cell: ({ callbackHealth }: Row) => (callbackHealth === null ? '–' : `${callbackHealth} %`),
    },
    'ordersToday',
    'environment',
  ],
  more: ['balanceState', 'deadCallbacks', 'liveKeys', 'openLoans', 'contractNo'],
  settings: [
    'merchantNo',
    'merchantName',
    'orgName',
    'contractNo',
    'contractStart',
    'contractEnd',
    'contractLeft',
    'settlementMode',
    'creditFloor',
    'lowBalance',
    'contactEmail',
    'contactPhone',
    'environment',
    'ordersToday',
    'openLoans',
  ],
  tabs: [
    {
      name: 'integration',
      label: 'merchantConfig.integration',
      body: row => (
        <Soon>
          <Integration row={row} />
        </Soon>
      ),
    },
    {
      name: 'displays',
      label: 'merchantConfig.displays',
      body: row => (
        <Soon>
          <Preview merchantNo={row.merchantNo} />
        </Soon>
      ),
    },
    {
      name: 'cards',
      label: 'merchantConfig.cards',
      body: row => (
        <Soon>
          <Cards row={row} />
        </Soon>
      ),
    },
    {
      name: 'wallet',
      label: 'merchantConfig.wallet',
      body: row => (
        <Soon>
          <Wallet row={row} />
        </Soon>
      ),
    },
  ],
  confirm: {
    enable: 'merchantConfig.confirmEnable',
    disable: 'merchantConfig.confirmDisable',
    delete: 'merchantConfig.confirmDelete',
  },
  row: actions,
  also: [
    merchantConfig.integration,
    merchantConfig.wallet,
    merchantConfig.callbacks,
    merchantConfig.credentialCreate,
    merchantConfig.credentialEnd,
    merchantConfig.callbackSave,
    merchantConfig.callbackTest,
    merchantConfig.cardSave,
    paymentDisplay.page,
  ],
})

const callbacks = listScreen({
  list: merchantConfig.callbacks,
  rowKey: 'callbackNo',
  start: { createdTime: 'last7' },
  filters: ['merchantNo', 'delivery', 'callbackEvent', 'createdTime', 'orderNo'],
  presets: [
    { label: 'config.all', filters: { createdTime: 'last7' } },
    { label: 'merchantConfig.deadOnes', filters: { delivery: ['dead'] }, counted: true },
  ],
  columns: [
    'callbackNo',
    'createdTime',
    'merchantName',
    'callbackEvent',
    'orderNo',
    'thirdOrderNo',
    'delivery',
    'tryCount',
    'answerCode',
    'answerText',
    'latencyMs',
    'lastTryTime',
  ],
  more: ['deliveredTime', 'payloadHash'],
  rowAndBulk: act => [
    act(merchantConfig.resend, {
      label: 'merchantConfig.resend',
      when: row => row.delivery === 'dead' || 'merchantConfig.onlyDead',
      input: rows => ({ callbackNos: rows.map(row => row.callbackNo) }),
      confirm: 'merchantConfig.confirmResend',
    }),
  ],
})

const displays = configScreen({
  config: paymentDisplays,
  filters: ['merchantNo', 'direction', 'channel'],
  columns: [
    'displayNo',
    'merchantName',
    'direction',
    'channel',
    'displayName',
    'sort',
    'minAmount',
    'maxAmount',
    'fundAccountNo',
  ],
  more: ['hint'],
  tabs: [
    {
      name: 'preview',
      label: 'paymentDisplay.preview',
      body: row => (
        <Soon>
          <Preview merchantNo={row.merchantNo} />
        </Soon>
      ),
    },
  ],
  confirm: {
    enable: 'paymentDisplay.confirmEnable',
    disable: 'paymentDisplay.confirmDisable',
    delete: 'paymentDisplay.confirmDelete',
  },
})

/** Merchant operations and integration support connect merchants, keep keys and callbacks alive, and see which can pay for what they use. */
export default tabbed([
  { name: 'configs', label: 'merchantConfig.configs', screen: configs },
  { name: 'callbacks', label: 'merchantConfig.callbacks', screen: callbacks },
  { name: 'displays', label: 'merchantConfig.displays', screen: displays },
])
