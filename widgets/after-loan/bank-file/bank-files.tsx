import { lazy } from 'react'
import { bankBatch } from '../../../core/contract/after-loan/bank-batch.ts'
import { listScreen } from '../../../core/engine/list/list-screen.ts'
import { formatMoney } from '../../../core/rules/amount.ts'

const FetchBankFile = lazy(async () => ({ default: (await import('./fetch-bank-file.tsx')).FetchBankFile }))
const MakeBankFile = lazy(async () => ({ default: (await import('./make-bank-file.tsx')).MakeBankFile }))
const BankAnswerDialog = lazy(async () => ({ default: (await import('./bank-answer-dialog.tsx')).BankAnswerDialog }))

/** Payout files for banks: made, fetched or laid into the bank's folder, and answered. */
export default listScreen({
  list: bankBatch.page,
  rowKey: 'batchNo',
  filters: ['batchNo', 'fundAccountNo', 'batchStatus', 'createdTime'],
  presets: [
    { label: 'afterLoan.filesToHandOver', filters: { batchStatus: ['prepared'] }, counted: true },
    { label: 'afterLoan.filesOpen', filters: { batchStatus: ['sent', 'part_answered'] } },
  ],
  columns: [
    'batchNo',
    'fundAccountName',
    'executionDate',
    'batchStatus',
    'paymentCount',
    'amount',
    'succeededCount',
    'failedCount',
    'undecidedCount',
    'createdByName',
    'createdTime',
  ],
  more: ['sendWay', 'sentTime', 'answeredTime', 'discardedByName', 'discardReason'],
  toolbar: () => [
    { label: 'actions.makeBankFile', needs: bankBatch.create, dialog: MakeBankFile },
    { label: 'actions.bringBankAnswer', needs: bankBatch.answer, dialog: BankAnswerDialog },
  ],
  row: act => [
    {
      label: 'actions.fetchBankFile',
      needs: bankBatch.file,
      when: row => row.batchStatus !== 'discarded' || 'errors.fileDiscarded',
      dialog: FetchBankFile,
    },
    act(bankBatch.discard, {
      label: 'actions.discardBankFile',
      tone: 'danger',
      ask: ['reason'],
      when: row =>
        row.batchStatus === 'discarded'
          ? 'errors.fileDiscarded'
          : (row.batchStatus === 'prepared' && row.sendWay === 'hand') || 'errors.fileLeft',
      confirm: rows => ({
        key: 'afterLoan.confirmDiscardFile',
        params: {
          batchNo: rows[0]?.batchNo ?? '',
          n: rows[0]?.paymentCount ?? 0,
          amount: formatMoney(rows[0]?.amount ?? '0.00'),
        },
      }),
    }),
  ],
  also: [bankBatch.accounts],
})
