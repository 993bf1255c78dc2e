import { auditManage } from '../../core/contract/audit-manage.ts'
import { orderBrief } from '../../core/contract/order-brief.ts'
import { listScreen } from '../../core/engine/list-screen.ts'
import { names } from '../../core/engine/names.ts'
import { OrderBrief, orderHead } from '../shared/order-brief.tsx'
import { StatusChips } from './status-chips.tsx'

/** Audit and operations managers find any order, see where it stands, and stop it before payout. */
export default listScreen({
  list: auditManage.manageList,
  rowKey: 'orderNo',
  filters:
    names(`orderNo phone orderStatus applyTime thirdOrderNo customerName idNumber merchantNo productNo orderStatusType
    loanKind modelLevel memberLevel auditorNo auditTime payoutTime refuseCode overdue overdueDays whitelisted loanAmount
    installmentCount incomingChannel promotionChannel dataSource`),
  columns:
    names(`orderNo customerName merchantName orderStatus applyTime loanAmount actualLoanAmount loanKind modelLevel
    auditorName`),
  more: names(`overdueDays phone thirdOrderNo appName idNumber refuseCode refuseReason payoutTime productName term
    installmentCount incomingChannel promotionChannel lendingChannel whitelisted memberLevel auditTime dataSource overdue`),
  row: act => [
    act(auditManage.cancel, {
      label: 'actions.cancelOrder',
      tone: 'danger',
      ask: ['reason', 'remark'],
      confirm: 'audit.confirmCancel',
    }),
  ],
  above: (filters, apply) => <StatusChips filters={filters} apply={apply} />,
  head: orderHead,
  detail: row => <OrderBrief orderNo={row.orderNo} />,
  also: [auditManage.manageSum, orderBrief.summary, orderBrief.steps],
})
