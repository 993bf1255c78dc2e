import { common } from '../../../core/contract/common/common.ts'
import type { Endpoint, RowOf } from '../../../core/contract/endpoint.ts'
import {
  type RoutePurpose,
  routers,
  smsNetwork,
  type verifyRoutes,
} from '../../../core/contract/operation/sms-router.ts'
import { useText } from '../../../core/element/i18n.ts'
import { configScreen } from '../../../core/engine/config/config-screen.tsx'
import type { Action, DialogProps, Screen } from '../../../core/engine/screen.ts'
import { dictText } from '../../../core/i18n/plain.ts'
import { StatusBadge } from '../../../core/ui/status-badge.tsx'
import { CoverageDialog, ResolveDialog } from './resolve-dialog.tsx'
import { WeightsDialog } from './weights-dialog.tsx'

type Row = RowOf<(typeof verifyRoutes)['calls']['page']>

const ForAll = ({ name }: { name: string | null }) => name ?? useText()('config.forAll')

const tones = { good: 'good', probe: 'attention', skipped: 'bad' } as const
const Standing = ({ row }: { row: Row }) => {
  const t = useText()
  return <StatusBadge tone={tones[row.routeStanding]} label={dictText(t, 'ROUTE_STANDING', row.routeStanding)} />
}

const named = ([row]: readonly Row[]) => ({
  account: row ? row.accountNo : '',
  senderId: row?.senderId ?? '',
})

const rowActions = (purpose: RoutePurpose): readonly Action<Row>[] => {
  const { calls } = routers[purpose]
  return [
    {
      label: 'actions.setWeights',
      needs: { perm: calls.weights.perm, audit: calls.weights.audit },
      when: row => row.enabled === 'enabled' || 'errors.routeOff',
      dialog: ({ rows: [row], close }: DialogProps<Row>) => (
        <WeightsDialog purpose={purpose} routeNo={row.routeNo} close={close} />
      ),
    },
    {
      run: calls.skip as Endpoint,
      label: 'actions.skipRoute',
      when: row => row.enabled === 'enabled' || 'errors.routeOff',
      ask: ['reason'],
      confirm: 'smsRouter.confirmSkip',
    },
    {
      run: calls.sendTest as Endpoint,
      label: 'actions.testRouteSend',
      input: ([row]) => ({ routeNo: row?.routeNo }),
      confirm: 'smsRouter.confirmTest',
      done: 'smsRouter.tested',
    },
  ]
}

/** The screen of the routes of a purpose. */
export const routerScreen = (purpose: RoutePurpose): Screen => {
  const { calls, config } = routers[purpose]
  return configScreen({
    config: config as never as typeof verifyRoutes,
    filters: ['merchantNo', 'network', 'accountNo', 'scene', 'appCode'],
    columns: [
      { id: 'merchantName', cell: (row: Row) => <ForAll name={row.merchantName} /> },
      { id: 'appCode', cell: (row: Row) => <ForAll name={row.appCode} /> },
      'network',
      { id: 'scenes', width: 170 },
      'accountNo',
      'senderId',
      'routeWeight',
      'failoverOrder',
      { id: 'routeStanding', cell: (row: Row) => <Standing row={row} /> },
      'sentToday',
      'textsADay',
      'deliveredRate',
      'medianSeconds',
      'unitCost',
    ],
    more: ['routeNo', 'windowStart', 'windowEnd', 'skippedUntil', 'whySkipped'],
    confirm: {
      enable: rows => ({ key: 'smsRouter.confirmEnable', params: named(rows) }),
      disable: rows => ({ key: 'smsRouter.confirmDisable', params: named(rows) }),
      delete: rows => ({ key: 'smsRouter.confirmDelete', params: named(rows) }),
    },
    toolbar: [
      {
        label: 'actions.routeCoverage',
        needs: { perm: calls.coverage.perm },
        dialog: ({ close }: DialogProps<never>) => <CoverageDialog purpose={purpose} close={() => close()} />,
      },
      {
        label: 'actions.testRoute',
        needs: { perm: calls.resolve.perm },
        dialog: ({ close }: DialogProps<never>) => <ResolveDialog purpose={purpose} close={() => close()} />,
      },
      ...(purpose === 'verify'
        ? [
            {
              run: smsNetwork.correct as Endpoint,
              label: 'actions.correctNetwork' as const,
              ask: ['phone', 'network', 'reason'],
              input: () => ({}),
            },
          ]
        : []),
    ],
    row: rowActions(purpose),
    also: [
      common.merchants,
      common.apps,
      calls.group,
      calls.coverage,
      calls.resolve,
      calls.weights,
    ] as readonly Endpoint[],
  })
}
