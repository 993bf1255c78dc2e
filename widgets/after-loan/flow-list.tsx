import { repay } from '../../core/contract/repay.ts'
import { listScreen } from '../../core/engine/list-screen.ts'
import { names } from '../../core/engine/names.ts'
import { FlowDetail } from './flow-detail.tsx'

/** Every receipt of money: what is not applied yet, where it came from, and why it was not applied by itself. */
export default listScreen({
  list: repay.flows,
  rowKey: 'flowNo',
  start: { flowStatus: ['available', 'partly_used'] },
  presets: [
    { label: 'afterLoan.flowsWaiting', filters: { flowStatus: ['available', 'partly_used'] } },
    { label: 'afterLoan.flowsDraft', filters: { flowStatus: ['draft'] } },
    { label: 'afterLoan.flowsAll', filters: {} },
  ],
  filters: names('serialNo paymentCode flowStatus entryTime payerAccount paymentChannel amount isrecord source'),
  columns: names('flowNo serialNo paymentChannel amount remaining payerName entryTime flowStatus waitReason'),
  more: names('paymentCode payerAccount accountName source isrecord ageDays'),
  row: act => [
    act(repay.flowCommit, { label: 'actions.commitFlow', confirm: 'afterLoan.confirmCommitFlow' }),
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
  detail: (row, reload) => <FlowDetail flow={row} reload={reload} />,
})
