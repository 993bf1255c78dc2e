import { useMay } from '../../core/client/providers.tsx'
import { auditManage } from '../../core/contract/audit/order-list.ts'
import { auditQueue } from '../../core/contract/audit/queue.ts'
import { approvalCalls } from '../../core/contract/common/approval.ts'
import { blacklist } from '../../core/contract/merchant/blacklist.ts'
import { orderContract } from '../../core/contract/operation/app-contract.ts'
import type { OrderSummary } from '../../core/contract/order/order-brief.ts'
import { useHost } from '../../core/element/context.ts'
import { useText } from '../../core/element/i18n.ts'
import { refusal } from '../../core/engine/form/refusal.ts'
import { screen } from '../../core/engine/screen.ts'
import { Button, Flex } from '../../core/ui/basics.ts'
import { ApprovalCard } from '../shared/approval-card.tsx'
import { auditPath } from './audit-path.ts'
import { Beside } from './detail/head/beside.tsx'
import { ContractButton } from './detail/head/contract-button.tsx'
import { BarCustomer, CancelOrder } from './detail/head/order-action.tsx'
import { PrintOrder } from './detail/head/print-order.tsx'
import { OrderSkeleton } from './detail/order-skeleton.tsx'
import { OrderView, orderCalls } from './detail/order-view.tsx'
import { useOrderTab } from './detail/use-order-tab.ts'
import { OrderScreen } from './order-screen.tsx'
import { useReloadOrder } from './reload-order.ts'

const AuditButton = ({ summary }: { summary: OrderSummary }) => {
  const t = useText()
  const host = useHost()
  const may = useMay()
  if (!may.call(auditQueue.open)) return null
  const { orderNo } = summary
  const reason = refusal(t, { label: 'actions.audit', needs: auditQueue.open, press: () => undefined }, summary)
  const { from } = host.props
  const query = { orderNo, ...(from ? { from } : {}) }
  return (
    <Button
      disabled={reason !== null}
      title={reason ?? undefined}
      onClick={() => void host.emit('mkopo-navigate', { to: auditPath, query, target: 'same' })}
    >
      {t('actions.audit')}
    </Button>
  )
}

const OrderDetail = ({ summary }: { summary: OrderSummary }) => {
  const { orderNo, pendingApproval } = summary
  const [tab, choose] = useOrderTab()
  const reload = useReloadOrder(orderNo)
  return (
    <OrderView
      summary={summary}
      tab={tab}
      choose={choose}
      action={
        <Flex gap="2">
          <Beside orderNo={orderNo} />
          <ContractButton orderNo={orderNo} />
          <PrintOrder summary={summary} />
          <BarCustomer summary={summary} reload={reload} />
          <CancelOrder summary={summary} reload={reload} />
          <AuditButton summary={summary} />
        </Flex>
      }
      notice={pendingApproval && <ApprovalCard orderNo={orderNo} onChange={reload} />}
    />
  )
}

const calls = [
  ...orderCalls,
  auditQueue.open,
  auditManage.cancel,
  blacklist.addPerson,
  ...Object.values(orderContract),
  ...approvalCalls,
]

/** Everybody who meets an order number reads here who the customer is, what is owed and what happened. */
export default screen(calls, () => (
  <OrderScreen skeleton={<OrderSkeleton />}>{summary => <OrderDetail summary={summary} />}</OrderScreen>
))
