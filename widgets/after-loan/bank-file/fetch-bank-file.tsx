import { useState } from 'react'
import { CallError } from '../../../core/client/errors.ts'
import { useClient } from '../../../core/client/providers.tsx'
import { type BankBatchRow, bankBatch } from '../../../core/contract/after-loan/bank-batch.ts'
import { useText } from '../../../core/element/i18n.ts'
import { keepFile } from '../../../core/engine/files/export-file.ts'
import { useToast } from '../../../core/engine/form/use-act.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { formatMoney } from '../../../core/rules/amount.ts'
import { Button } from '../../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'

/** Fetches a file for the bank: from then on it counts as sent, which is said before. */
export const FetchBankFile = ({ rows: [row], close }: DialogProps<BankBatchRow>) => {
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
