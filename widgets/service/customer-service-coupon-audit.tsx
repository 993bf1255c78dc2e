import { approvalCalls } from '../../core/contract/common/approval.ts'
import { logCalls } from '../../core/contract/common/common.ts'
import { type ApplyRow, type IssuedRow, serviceCoupon } from '../../core/contract/service/service-coupon.ts'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import { tabbed } from '../../core/engine/list/tabbed.tsx'
import type { Act, Words } from '../../core/engine/screen.ts'
import { formatMoney, sub, sum } from '../../core/rules/amount.ts'
import { can } from '../../core/rules/machines/machine.ts'
import { coupon } from '../../core/rules/machines/operation/coupon.ts'
import { ApplicationDetail } from './coupon/application-detail.tsx'

const columns = [
  'applyNo',
  'couponApplyStatus',
  'couponType',
  'customerName',
  'merchantName',
  'faceAmount',
  'couponCount',
  'totalAmount',
  'given30Days',
  'budgetLeft',
  'amountDue',
  'applicantName',
  'applyTime',
] as const
const more = [
  'configName',
  'couponRepayType',
  'phone',
  'customerNo',
  'orderNo',
  'reason',
  'auditorName',
  'auditTime',
  'auditRemark',
  'couponNos',
] as const
const filters = [
  'applyNo',
  'phone',
  'couponType',
  'applyTime',
  'couponRepayType',
  'merchantNo',
  'applicantName',
  'customerNo',
  'totalAmount',
] as const

const detail = (row: ApplyRow) => <ApplicationDetail row={row} />
const also = [...logCalls, serviceCoupon.auditDetail]

const approve = (act: Act<ApplyRow>) =>
  act(serviceCoupon.decide, {
    label: 'actions.approveCoupons',
    input: rows => ({ applyNos: rows.map(row => row.applyNo), decision: 'approve' as const }),
    confirm: (rows): Words => {
      const [row] = rows
      const totalAmount = sum(rows.map(one => one.totalAmount))
      return rows.length === 1 && row
        ? {
            key: 'serviceCoupon.confirmApprove',
            params: {
              customerName: row.customerName,
              totalAmount: formatMoney(totalAmount),
              left: formatMoney(sub(row.budgetLeft, totalAmount)),
            },
          }
        : { key: 'serviceCoupon.confirmApproveMany', params: { totalAmount: formatMoney(totalAmount) } }
    },
  })
const reject = (act: Act<ApplyRow>) =>
  act(serviceCoupon.decide, {
    label: 'actions.rejectCoupons',
    tone: 'danger',
    ask: ['auditRemark'],
    input: rows => ({ applyNos: rows.map(row => row.applyNo), decision: 'reject' as const }),
    confirm: 'serviceCoupon.confirmReject',
  })

const pending = listScreen({
  list: serviceCoupon.audit,
  rowKey: 'applyNo',
  start: { couponApplyStatus: ['pending'] },
  filters: [...filters],
  columns: [...columns],
  more: [...more],
  rowAndBulk: act => [approve(act), reject(act)],
  detail,
  also,
})

const decided = listScreen({
  list: serviceCoupon.audit,
  rowKey: 'applyNo',
  start: { couponApplyStatus: ['approved', 'rejected'], applyTime: 'last30' },
  filters: [...filters, 'couponApplyStatus', 'auditTime'],
  columns: [...columns.slice(0, 8), 'auditorName', 'auditTime', 'auditRemark'],
  more: ['configName', 'phone', 'customerNo', 'orderNo', 'reason', 'applicantName', 'applyTime', 'couponNos'],
  detail,
  also,
})

const issued = listScreen({
  list: serviceCoupon.issued,
  rowKey: 'couponNo',
  filters: ['couponNo', 'couponStatus', 'boundOrderNo', 'expireTime', 'applyNo'],
  columns: [
    'couponNo',
    'couponType',
    'faceAmount',
    'couponStatus',
    'customerName',
    'startTime',
    'expireTime',
    'boundOrderNo',
    'usedTime',
  ],
  more: ['applyNo', 'phone', 'customerNo', 'merchantName', 'pendingApproval'],
  rowAndBulk: act => [
    act(serviceCoupon.revoke, {
      label: 'actions.revokeCoupon',
      tone: 'danger',
      ask: ['reason'],
      input: rows => ({ couponNos: rows.map(row => row.couponNo) }),
      when: (row: IssuedRow) =>
        row.pendingApproval ? 'errors.approvalWaits' : can(coupon, row.couponStatus, 'coupon.revoke'),
      confirm: 'serviceCoupon.confirmRevoke',
      done: 'config.sentForApproval',
    }),
  ],
  also: [...logCalls, ...approvalCalls],
})

/** Reviewers decide what agents asked for, and take back what was given in error. */
export default tabbed([
  { name: 'pending', label: 'serviceCoupon.pending', screen: pending, counted: true },
  { name: 'decided', label: 'serviceCoupon.decided', screen: decided },
  { name: 'issued', label: 'serviceCoupon.issued', screen: issued },
])
