import { refund } from '../../core/contract/charge/refund.ts'
import type { ReviewRow } from '../../core/contract/charge/refund-rows.ts'
import { attach } from '../../core/contract/common/attachment.ts'
import { upload } from '../../core/contract/common/upload.ts'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import type { Act, Words } from '../../core/engine/screen.ts'
import { formatMoney, sum } from '../../core/rules/amount.ts'
import { RefundDetail, refundHead } from './refund-detail.tsx'
import { verifyPayee } from './refund-words.ts'

const approve = (act: Act<ReviewRow>) =>
  act(refund.approve, {
    label: 'actions.approveRefund',
    shortcut: 'acknowledge',
    confirm: (rows): Words => {
      const [row] = rows
      if (!row || rows.length > 1)
        return {
          key: 'charge.confirmApproveMany',
          params: { n: rows.length, amount: formatMoney(sum(rows.map(one => one.refundAmount))) },
        }
      return {
        key: 'charge.confirmApproveOne',
        params: {
          amount: formatMoney(row.refundAmount),
          payeeName: row.payeeName,
          account: row.payeeAccount,
          rest: formatMoney(row.refundableAmount),
        },
      }
    },
  })

/** The refund checker: is the money really the customer's, and is the payee the right one. */
export default listScreen({
  list: refund.auditPage,
  rowKey: 'refundNo',
  start: { auditStatus: ['pending'], applyTime: 'last30' },
  filters: [
    'refundNo',
    'auditStatus',
    'verifyStatus',
    'applyTime',
    'orderNo',
    'customerName',
    'phone',
    'merchantNo',
    'channel',
    'refundSource',
    'refundStatus',
    'ignoreVerification',
    'samePayer',
    'refundAmount',
    'successTime',
    'makerName',
    'mine',
    'serialNo',
  ],
  presets: [
    {
      label: 'charge.toReviewByMe',
      filters: { auditStatus: ['pending'], refundStatus: ['created'], mine: false },
      counted: true,
    },
    { label: 'charge.notSamePayer', filters: { auditStatus: ['pending'], samePayer: false } },
    { label: 'charge.verificationFailed', filters: { auditStatus: ['pending'], verifyStatus: ['failed'] } },
    { label: 'charge.overHalfMillion', filters: { auditStatus: ['pending'], refundAmount: ['500000.00', null] } },
    { label: 'charge.decided', filters: { auditStatus: ['approved', 'rejected'] }, sort: '-auditTime' },
  ],
  columns: [
    'refundNo',
    'customerName',
    'payeeName',
    'payeeAccount',
    'refundAmount',
    'waitingMinutes',
    'auditStatus',
    'verifyStatus',
    'samePayer',
    'makerName',
  ],
  more: [
    'orderNo',
    'merchantName',
    'refundableAmount',
    'refundSource',
    'channel',
    'matchScore',
    'ignoreVerification',
    'recentCount',
    'recentAmount',
    'refundStatus',
    'auditorName',
    'auditTime',
    'auditReason',
    'applyTime',
    'phone',
    'refundReason',
    'remark',
  ],
  row: act => [
    approve(act),
    act(refund.reject, {
      label: 'actions.rejectRefund',
      tone: 'danger',
      ask: ['rejectReason', 'remark'],
      confirm: 'charge.confirmReject',
    }),
    verifyPayee(act),
    act(refund.ignore, {
      label: 'actions.ignoreVerification',
      tone: 'danger',
      ask: ['reason', 'seen'],
      confirm: 'charge.confirmIgnore',
    }),
    act(refund.revoke, { label: 'actions.revokeRefund', ask: ['reason'], confirm: 'charge.confirmRevoke' }),
  ],
  bulk: act => [approve(act)],
  head: refundHead,
  detail: row => <RefundDetail refundNo={row.refundNo} review />,
  also: [refund.detail, attach.list, upload.token, upload.file],
  refresh: 15_000,
})
