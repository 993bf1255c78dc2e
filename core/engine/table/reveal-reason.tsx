import { useState } from 'react'
import { common } from '../../contract/common/common.ts'
import { useText } from '../../element/i18n.ts'
import { Button } from '../../ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../ui/overlay/modal-dialog.tsx'
import { Field } from '../form/field.tsx'
import { messageOf } from '../form/field-words.ts'

const { reason: schema } = common.reveal.input.shape

/** Asks why a value is wanted in full, where the settings of its kind want that noted. */
export const RevealReason = ({ close, give }: { close: () => void; give: (reason: string) => void }) => {
  const t = useText()
  const [reason, setReason] = useState<string>()
  const [wrong, setWrong] = useState<string>()
  const send = () => {
    const { data, error } = schema.safeParse(reason)
    if (data) give(data)
    else setWrong(messageOf(t, error?.issues[0]?.message ?? 'validation.revealReason', schema))
  }
  return (
    // The table below hears no click of the dialog.
    <span onClick={event => event.stopPropagation()} onKeyDown={event => event.stopPropagation()}>
      <ModalDialog
        open
        onClose={close}
        title={t('common.showAndCopy')}
        footer={
          <>
            <DialogCancel />
            <Button onClick={send}>{t('common.showAndCopy')}</Button>
          </>
        }
      >
        <Field
          name="reason"
          schema={schema}
          value={reason}
          {...(wrong === undefined ? {} : { error: wrong })}
          onChange={value => setReason(value as string | undefined)}
        />
      </ModalDialog>
    </span>
  )
}
