import { useState } from 'react'
import { CallError } from '../../core/client/errors.ts'
import { useClient } from '../../core/client/providers.tsx'
import type { BankBatchRow } from '../../core/contract/after-loan/bank-batch.ts'
import { bankBatch } from '../../core/contract/after-loan/bank-batch.ts'
import { useText } from '../../core/element/i18n.ts'
import { keepFile } from '../../core/engine/files/export-file.ts'
import { useToast } from '../../core/engine/form/use-act.ts'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import type { DialogProps } from '../../core/engine/screen.ts'
import { formatMoney } from '../../core/rules/amount.ts'
import { Button } from '../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../core/ui/overlay/modal-dialog.tsx'
import { BankAnswerDialog } from './bank-answer-dialog.tsx'
import { MakeBankFile } from './make-bank-file.tsx'

/** Fetches a file for the bank: from then on it counts as sent, which is said before. */
const FetchDialog = ({ rows: [row], close }: DialogProps<BankBatchRow>) => {
  const t = useText()
  const client = useClient()
  const toast = useToast()
  const [busy, setBusy] = useState(false)
  const { batchNo, paymentCount, amount, sentTime } = row
  const first = sentTime === null && row.sendWay === 'hand'
  const fetchIt = async () => {
    setBusy(true)
    try {
      keepFile(await client.file(bankBatch.file, { batchNo }), `${batchNo}.xml`)
      close(first)
    } catch (error) {
      toast.failed(error instanceof CallError ? error.message : t('common.noConnection'))
      setBusy(false)
    }
  }
  return (
    <ModalDialog
      open
      onClose={() => close()}
      title={t('actions.fetchBankFile')}
      description={t(first ? 'afterLoan.fetchBankFile' : 'afterLoan.fetchBankFileAgain', {
        batchNo,
        n: paymentCount,
        amount: formatMoney(amount),
      })}
      footer={
        <>
          <DialogCancel />
          <Button loading={busy} onClick={() => void fetchIt()}>
            {t('actions.fetchBankFile')}
          </Button>
        </>
      }
    />
  )
}

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
      dialog: FetchDialog,
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
