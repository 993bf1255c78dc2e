import { type ReconItemRow, recon } from '../../../core/contract/after-loan/reconciliation.ts'
import { repay } from '../../../core/contract/after-loan/repayment.ts'
import { approvalCalls } from '../../../core/contract/common/approval.ts'
import { logCalls } from '../../../core/contract/common/common.ts'
import { pathOf } from '../../../core/contract/pages.ts'
import { listScreen } from '../../../core/engine/list/list-screen.ts'
import { reconItem } from '../../../core/rules/machines/after-loan/recon-item.ts'
import { can } from '../../../core/rules/machines/machine.ts'
import { AdjustDialog, AdjustOwnDialog } from './adjust-dialog.tsx'
import { Checklist } from './checklist.tsx'
import { ItemDetail } from './item-detail.tsx'
import { MatchItemDialog } from './match-item-dialog.tsx'

const isOpen = (row: ReconItemRow) => can(reconItem, row.reconStatus, 'recon.explain')

/** Differences between statements and books; what is two days old is late. */
export default listScreen({
  list: recon.itemPage,
  rowKey: 'reconItemNo',
  start: { reconStatus: ['open'] },
  presets: [
    { label: 'recon.young', filters: { reconStatus: ['open'], ageDays: [0, 1] }, counted: true },
    { label: 'recon.late', filters: { reconStatus: ['open'], ageDays: [2, 7] }, counted: true },
    { label: 'recon.old', filters: { reconStatus: ['open'], ageDays: [8, null] }, counted: true },
  ],
  above: () => <Checklist />,
  filters: ['reconKind', 'reconStatus', 'fundAccountNo', 'reference', 'ageDays', 'difference'],
  columns: [
    'reconItemNo',
    'reconKind',
    'accountName',
    'reference',
    'objectNo',
    'difference',
    'ageDays',
    'reconStatus',
    'handlerName',
  ],
  more: ['channel', 'amount', 'reconCause', 'remark', 'createdTime', 'closedTime'],
  toolbar: () => [{ label: 'actions.adjustOwn', needs: recon.adjustOwn, dialog: AdjustOwnDialog }],
  row: act => [
    {
      label: 'actions.matchItem',
      needs: { perm: recon.match.perm },
      when: isOpen,
      dialog: MatchItemDialog,
    },
    act(recon.explain, {
      label: 'actions.explainItem',
      ask: ['reconCause', 'remark'],
      confirm: 'recon.confirmExplain',
    }),
    act(recon.book, {
      label: 'actions.bookReceipt',
      when: row => row.reconKind === 'statement_only_in',
      confirm: 'recon.confirmBook',
      done: answer => ({ key: 'recon.booked', params: { flowNo: (answer as { flowNo: string }).flowNo } }),
    }),
    {
      label: 'actions.applyOutcome',
      needs: { perm: 'fund:payout:confirm' },
      when: row => row.reconKind === 'statement_only_out' && isOpen(row),
      go: row => ({ to: pathOf('AfterLoanSystem', 'LoanManagement'), query: { loanCode: row.objectNo } }),
    },
    {
      label: 'actions.adjustItem',
      needs: { perm: recon.adjust.perm },
      when: row => isOpen(row) && row.pendingApproval === null,
      dialog: AdjustDialog,
    },
  ],
  detail: (row, reload) => <ItemDetail row={row} reload={reload} />,
  also: [...logCalls, recon.checklist, recon.item, recon.match, recon.adjust, repay.flows, ...approvalCalls],
})
