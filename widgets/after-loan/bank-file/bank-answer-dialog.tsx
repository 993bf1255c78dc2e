import { useState } from 'react'
import { bankBatch, maxAnswer } from '../../../core/contract/after-loan/bank-batch.ts'
import { useText } from '../../../core/element/i18n.ts'
import { useToast } from '../../../core/engine/form/use-act.ts'
import { useCommand } from '../../../core/engine/form/use-command.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { Button, Callout, Text } from '../../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'

/** An answer of the bank (pain.002) is brought by hand; what it says counts once a second person has agreed. */
export const BankAnswerDialog = ({ close }: DialogProps<never>) => {
  const t = useText()
  const toast = useToast()
  const { send, busy } = useCommand()
  const [file, setFile] = useState<File | null>(null)
  const [note, setNote] = useState<string | null>(null)
  const bring = async () => {
    if (!file) return
    const content = await file.text()
    if (content === '' || content.length > maxAnswer) return setNote(t('afterLoan.answerOutcome.unreadable'))
    const outcome = await send(bankBatch.answer, { fileName: file.name, content }, { done: () => null })
    if (outcome.is !== 'done')
      return setNote(outcome.is === 'unanswered' ? t('common.noAnswer') : outcome.error.message)
    const { outcome: what, taken, ignored } = outcome.answer
    const words = t(`afterLoan.answerOutcome.${what}`, { taken, ignored })
    if (what !== 'taken' && what !== 'waiting') return setNote(words)
    toast.done(words)
    close(true)
  }
  return (
    <ModalDialog
      open
      onClose={() => close()}
      title={t('actions.bringBankAnswer')}
      description={t('afterLoan.bringBankAnswer')}
      footer={
        <>
          <DialogCancel />
          <Button loading={busy} disabled={!file} onClick={() => void bring()}>
            {t('actions.bringBankAnswer')}
          </Button>
        </>
      }
    >
      <label className="mk-field">
        <Text as="div" size="2" weight="medium" mb="1">
          {t('afterLoan.answerFile')}
        </Text>
        <input
          type="file"
          accept=".xml,application/xml,text/xml"
          onChange={event => {
            setFile(event.target.files?.[0] ?? null)
            setNote(null)
          }}
        />
      </label>
      {note && (
        <Callout.Root color="amber" size="1" role="alert">
          <Callout.Text>{note}</Callout.Text>
        </Callout.Root>
      )}
    </ModalDialog>
  )
}
