import { delayed } from '../../../core/contract/after-loan/delayed-arrival.ts'
import { repay } from '../../../core/contract/after-loan/repayment.ts'
import { approvalCalls } from '../../../core/contract/common/approval.ts'
import { attach } from '../../../core/contract/common/attachment.ts'
import { logCalls } from '../../../core/contract/common/common.ts'
import { upload } from '../../../core/contract/common/upload.ts'
import { listScreen } from '../../../core/engine/list/list-screen.ts'
import { flow as flowMachine } from '../../../core/rules/machines/after-loan/flow.ts'
import { can } from '../../../core/rules/machines/machine.ts'
import { ApplyDialog } from './delayed-dialogs.tsx'
import { FlowDetail } from './flow-detail.tsx'
import { MatchDialog } from './match-dialog.tsx'

/** Every receipt of money: what is not applied yet, where it came from, and why it was not applied by itself. */
export default listScreen({
  list: repay.flows,
  rowKey: 'flowNo',
  start: { flowStatus: ['available', 'partly_used'], entryTime: 'last30' },
  presets: [
    { label: 'afterLoan.flowsWaiting', filters: { flowStatus: ['available', 'partly_used'] } },
    { label: 'afterLoan.flowsUnproven', filters: { flowStatus: ['unproven'] } },
    { label: 'afterLoan.flowsDraft', filters: { flowStatus: ['draft'] } },
    { label: 'afterLoan.flowsAll', filters: {} },
  ],
  filters: [
    'serialNo',
    'paymentCode',
    'flowStatus',
    'entryTime',
    'payerAccount',
    'paymentChannel',
    'amount',
    'isrecord',
    'source',
    'flowNo',
  ],
  columns: [
    'flowNo',
    'serialNo',
    'paymentChannel',
    'amount',
    'remaining',
    'payerName',
    'entryTime',
    'flowStatus',
    'waitReason',
  ],
  more: ['paymentCode', 'payerAccount', 'accountName', 'source', 'isrecord', 'ageDays'],
  row: act => [
    act(repay.flowCommit, { label: 'actions.commitFlow', confirm: 'afterLoan.confirmCommitFlow' }),
    act(repay.flowConfirm, {
      label: 'actions.confirmFlow',
      ask: ['evidence'],
      confirm: 'afterLoan.askConfirmFlow',
      done: 'afterLoan.sentForApproval',
    }),
    {
      label: 'actions.writeOff',
      needs: { perm: repay.commit.perm },
      when: row => can(flowMachine, row.flowStatus, 'flow.writeOff'),
      dialog: MatchDialog,
    },
    {
      label: 'actions.applyDelay',
      needs: { perm: delayed.apply.perm },
      when: row => can(flowMachine, row.flowStatus, 'flow.writeOff'),
      dialog: ApplyDialog,
    },
    act(repay.flowDelete, { label: 'actions.deleteFlow', tone: 'danger', confirm: 'afterLoan.confirmDeleteFlow' }),
    act(repay.flowVoid, {
      label: 'actions.voidFlow',
      tone: 'danger',
      ask: ['reason'],
      confirm: 'afterLoan.confirmVoidFlow',
      done: 'afterLoan.sentForApproval',
    }),
  ],
  toolbar: act => [
    act(repay.flowSave, {
      label: 'actions.newFlow',
      ask: ['paymentChannel', 'fundAccountNo', 'serialNo', 'amount', 'entryTime', 'paymentCode', 'payerName'],
    }),
  ],
  also: [
    ...logCalls,
    repay.page,
    repay.detail,
    repay.trial,
    repay.commit,
    repay.payCode,
    delayed.check,
    delayed.apply,
    upload.token,
    upload.file,
    attach.list,
    ...approvalCalls,
  ],
  detail: (row, reload) => <FlowDetail flow={row} reload={reload} />,
})
