import { lazy, type ReactNode, Suspense } from 'react'
import { approvalCalls } from '../../core/contract/common/approval.ts'
import { businessConfig } from '../../core/contract/common/business-config.ts'
import type { ConfigRow } from '../../core/contract/config.ts'
import { launch, launches } from '../../core/contract/operation/launch.ts'
import { configScreen } from '../../core/engine/config/config-screen.tsx'
import type { Action, DialogProps } from '../../core/engine/screen.ts'
import { formatMoney } from '../../core/rules/amount.ts'
import { Text } from '../../core/ui/basics.ts'
import { CopyIcon } from '../../core/ui/copy-icon.tsx'
import { Loading } from '../../core/ui/states.tsx'

const parts = () => import('./launch/parts.tsx')
const Funnel = lazy(async () => ({ default: (await parts()).FunnelTab }))
const Costs = lazy(async () => ({ default: (await parts()).CostsTab }))
const Postbacks = lazy(async () => ({ default: (await parts()).PostbacksTab }))
const Link = lazy(async () => ({ default: (await parts()).LinkOf }))
const LinkDialog = lazy(async () => ({ default: (await parts()).LinkDialog }))
const dialogs = () => import('./launch/test-dialog.tsx')
const Test = lazy(async () => ({ default: (await dialogs()).TestDialog }))
const Rules = lazy(async () => ({ default: (await dialogs()).RulesDialog }))

type Row = ConfigRow<typeof launches>

const Soon = ({ children }: { children: ReactNode }) => <Suspense fallback={<Loading rows={4} />}>{children}</Suspense>
const tab = (name: string, label: `launch.${'link' | 'funnel' | 'costs' | 'postbacks'}`, Body: typeof Funnel) => ({
  name,
  label,
  body: (row: Row) => (
    <Soon>
      <Body row={row} />
    </Soon>
  ),
})

const Code = ({ code }: { code: string }) => (
  <span className="mk-key">
    {code}
    <CopyIcon value={code} />
  </span>
)
const red = (is: boolean) => (is ? ('red' as const) : undefined)

const actions: Action<Row>[] = [
  {
    label: 'launch.copyLink',
    needs: { perm: launch.page.perm as string },
    dialog: (props: DialogProps<Row>) => (
      <Soon>
        <LinkDialog {...props} />
      </Soon>
    ),
  },
  {
    run: launch.costSave,
    label: 'launch.enterCost',
    ask: ['costDate', 'amount', 'remark'],
    input: ([row]: readonly Row[]) => ({ channelNo: row?.channelNo }),
    done: 'config.saved',
  } as Action<Row>,
  {
    label: 'launch.testPostback',
    needs: launch.postbackTest,
    when: row => (row.postbackUrl === null ? 'errors.noPostbackUrl' : row.hostAgreed || 'errors.postbackNotAgreed'),
    dialog: (props: DialogProps<Row>) => (
      <Soon>
        <Test {...props} />
      </Soon>
    ),
  },
]

/** Media buyers open promotion channels, cap and pause them, enter what they cost, and see what each shilling brought. */
export default configScreen({
  config: launches,
  start: { statTime: 'last7' },
  filters: ['channelName', 'statTime', 'media', 'merchantNo', 'promotionChannel', 'appCode', 'ownerUserNo', 'costMode'],
  columns: [
    'channelName',
    { id: 'promotionChannel', cell: (row: Row) => <Code code={row.promotionChannel} /> },
    'media',
    'appCode',
    'ownerName',
    'linkStanding',
    'costMode',
    'unitPrice',
    'clickCount',
    'registerCount',
    'incomingCount',
    'passCount',
    'paidOutCount',
    'payoutAmount',
    'costAmount',
    {
      id: 'costPerPayout',
      cell: (row: Row) => (
        <Text size="2" color={red(row.costDoubled)}>
          {row.costPerPayout === null ? '–' : formatMoney(row.costPerPayout)}
        </Text>
      ),
    },
    { id: 'firstDueBadRate', cell: ({ firstDueBadRate: rate }: Row) => (rate === null ? '–' : `${rate} %`) },
    {
      id: 'todayRegister',
      cell: ({ todayRegister, dailyRegisterCap }: Row) =>
        `${todayRegister} / ${dailyRegisterCap === 0 ? '–' : dailyRegisterCap}`,
    },
    {
      id: 'usedToday',
      cell: ({ usedToday, dailyBudget }: Row) =>
        `${formatMoney(usedToday)} / ${Number(dailyBudget) === 0 ? '–' : formatMoney(dailyBudget)}`,
    },
  ],
  more: ['channelNo', 'merchantName', 'firstPaidCount', 'costDoubled', 'deadPostbacks', 'startDate', 'endDate'],
  settings: [
    'channelNo',
    'channelName',
    'promotionChannel',
    'media',
    'merchantName',
    'appCode',
    'ownerName',
    'costMode',
    'unitPrice',
    'dailyBudget',
    'dailyRegisterCap',
    'landingUrl',
    'startDate',
    'endDate',
    'postbackUrl',
    'postbackEvents',
    'linkStanding',
  ],
  tabs: [
    tab('link', 'launch.link', Link),
    tab('funnel', 'launch.funnel', Funnel),
    tab('costs', 'launch.costs', Costs),
    tab('postbacks', 'launch.postbacks', Postbacks),
  ],
  confirm: {
    enable: 'launch.confirmEnable',
    disable: ([row]) => ({
      key: 'launch.confirmDisable',
      params: {
        promotionChannel: row?.promotionChannel ?? '',
        n: row?.weekRegister ?? 0,
        cost: formatMoney(row?.weekCost ?? '0'),
      },
    }),
    delete: 'launch.confirmDelete',
  },
  toolbar: [
    {
      label: 'launch.rules',
      needs: { perm: 'operation:launch:save', audit: businessConfig.update.audit },
      dialog: (props: DialogProps<never>) => (
        <Soon>
          <Rules {...props} />
        </Soon>
      ),
    },
  ],
  row: actions,
  also: [
    launch.stat,
    launch.costs,
    launch.costSave,
    launch.postbacks,
    launch.postbackTest,
    businessConfig.get,
    businessConfig.update,
    ...approvalCalls,
  ],
})
