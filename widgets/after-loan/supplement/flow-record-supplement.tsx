import { repay } from '../../../core/contract/after-loan/repayment.ts'
import { type SupplementRow, supplement } from '../../../core/contract/after-loan/supplement.ts'
import { logCalls } from '../../../core/contract/common/common.ts'
import { listScreen } from '../../../core/engine/list/list-screen.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { flow } from '../../../core/rules/machines/after-loan/flow.ts'
import { can } from '../../../core/rules/machines/machine.ts'
import { attachmentCalls } from '../../shared/attachments.tsx'
import { WriteOffDialog } from '../repayment/write-off-dialog.tsx'
import { NewSupplementDialog } from './new-supplement.tsx'
import { SupplementDetail } from './supplement-detail.tsx'

const WriteOffTo = ({ rows: [row], close }: DialogProps<SupplementRow>) => (
  <WriteOffDialog rows={[{ orderNo: String(row.orderNo), customerName: row.customerName ?? '' }]} close={close} />
)

/** Receipts that a customer shows and no channel announced; a second person checks them before they become money. */
export default listScreen({
  list: supplement.page,
  rowKey: 'supplementNo',
  start: { flowStatus: ['supplement_review'], createdTime: 'last30' },
  presets: [
    { label: 'supplement.toReview', filters: { flowStatus: ['supplement_review'], mine: false }, counted: true },
    { label: 'supplement.mine', filters: { mine: true } },
    { label: 'supplement.onStatement', filters: { flowStatus: ['supplement_review'], statementMatch: ['matched'] } },
    {
      label: 'supplement.notOnStatement',
      filters: { flowStatus: ['supplement_review'], statementMatch: ['other_amount', 'not_found'] },
    },
  ],
  filters: [
    'serialNo',
    'orderNo',
    'flowStatus',
    'createdTime',
    'supplementNo',
    'paymentChannel',
    'fundAccountNo',
    'statementMatch',
    'amount',
    'entryTime',
    'makerName',
    'mine',
  ],
  columns: [
    'supplementNo',
    'serialNo',
    'paymentChannel',
    'amount',
    'entryTime',
    'customerName',
    'statementMatch',
    'flowStatus',
    'makerName',
    'createdTime',
  ],
  more: [
    'accountName',
    'payerName',
    'payerAccount',
    'paymentCode',
    'orderNo',
    'channelAnswer',
    'flowNo',
    'reviewerName',
    'reviewTime',
    'reviewReason',
    'seenInPortal',
    'remark',
  ],
  row: act => [
    act(supplement.approve, {
      label: 'actions.approveSupplement',
      confirm: ([row]) => ({
        key: row?.statementMatch === 'matched' ? 'supplement.confirmMatched' : 'supplement.confirmUnmatched',
        params: {
          amount: row?.amount ?? '',
          serialNo: row?.serialNo ?? '',
          accountName: row?.accountName ?? '',
        },
      }),
      done: answer => ({
        key: 'supplement.booked',
        params: { flowNo: (answer as { flowNo: string }).flowNo },
      }),
    }),
    act(supplement.reject, {
      label: 'actions.rejectSupplement',
      tone: 'danger',
      ask: ['reason'],
      confirm: 'supplement.confirmReject',
    }),
    {
      label: 'actions.writeOff',
      needs: { perm: repay.commit.perm },
      when: row => row.orderNo !== null && can(flow, row.flowStatus, 'flow.writeOff'),
      dialog: WriteOffTo,
    },
  ],
  toolbar: () => [{ label: 'supplement.new', needs: { perm: supplement.submit.perm }, dialog: NewSupplementDialog }],
  detail: (row, reload) => <SupplementDetail supplementNo={row.supplementNo} reload={reload} />,
  also: [
    ...logCalls,
    ...attachmentCalls,
    supplement.detail,
    supplement.check,
    supplement.submit,
    repay.detail,
    repay.trial,
    repay.commit,
    repay.flowSave,
    repay.payCode,
  ],
})
