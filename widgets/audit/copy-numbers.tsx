import { useId } from 'react'
import { copyValue } from '../../core/element/copy.ts'
import { useText } from '../../core/element/i18n.ts'
import type { DialogProps } from '../../core/engine/screen.ts'
import { Button } from '../../core/ui/basics.ts'
import { TextArea } from '../../core/ui/more.ts'
import { DialogCancel, ModalDialog } from '../../core/ui/overlay/modal-dialog.tsx'

/** The numbers of the chosen orders with commas between them, as the retrieval of orders takes them. */
export const CopyNumbers = ({ rows, close }: DialogProps<{ orderNo: string }>) => {
  const t = useText()
  const id = useId()
  const numbers = rows.map(row => row.orderNo).join(',')
  return (
    <ModalDialog
      open
      onClose={() => close()}
      title={t('actions.copyNumbers')}
      footer={
        <>
          <DialogCancel />
          <Button onClick={event => void copyValue(event.currentTarget, numbers, t.language)}>
            {t('common.actionOn', { action: t('actions.copyNumbers'), n: rows.length })}
          </Button>
        </>
      }
    >
      <TextArea id={id} aria-label={t('fields.orderNo')} readOnly value={numbers} rows={6} />
    </ModalDialog>
  )
}
