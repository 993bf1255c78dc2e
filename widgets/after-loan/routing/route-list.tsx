import { loanRoute, loanRoutes } from '../../../core/contract/after-loan/loan-route.ts'
import { common } from '../../../core/contract/common/common.ts'
import type { ConfigRow } from '../../../core/contract/config.ts'
import { configScreen } from '../../../core/engine/config/config-screen.tsx'
import type { CallAction } from '../../../core/engine/screen.ts'
import { DryRun, FromTo, Names, Simulated } from './route-parts.tsx'

type RouteRow = ConfigRow<typeof loanRoutes>

const dryRun: CallAction<never> = {
  run: loanRoute.test,
  label: 'loanRoute.test',
  ask: ['merchantNo', 'productNo', 'payoutSubtype', 'amount', 'loanKind'],
  preview: values => <DryRun {...values} />,
  done: 'common.done',
}

/** Routes in the order in which they are asked; what waits for a second person changes nothing yet. */
export default configScreen({
  config: loanRoutes,
  filters: ['merchantNo', 'payoutType'],
  columns: [
    'priority',
    'routeName',
    { id: 'merchantNames', cell: (row: RouteRow) => <Names names={row.merchantNames} /> },
    'payoutType',
    'network',
    {
      id: 'amounts',
      label: 'loanRoute.amounts',
      cell: (row: RouteRow) => <FromTo from={row.amountMin} to={row.amountMax} />,
    },
    { id: 'targetNames', cell: (row: RouteRow) => row.targetNames.join(' · ') },
    'fallback',
    'sentLately',
  ],
  more: ['routeNo', 'productNames', 'loanKind', 'effectiveDate'],
  settings: [
    'routeNo',
    'routeName',
    'priority',
    'merchantNames',
    'productNames',
    'payoutType',
    'network',
    'amountMin',
    'amountMax',
    'loanKind',
    'targetNames',
    'fallback',
    'effectiveDate',
    'sentLately',
  ],
  confirm: {
    enable: 'loanRoute.confirmEnable',
    disable: 'loanRoute.confirmDisable',
    delete: 'loanRoute.confirmDelete',
  },
  preview: values => <Simulated {...values} />,
  toolbar: [dryRun],
  also: [common.merchants, common.products, common.fundAccounts, loanRoute.test, loanRoute.simulate],
})
