import { useState } from 'react'
import type { View } from '../../contract/portal/view.ts'
import { useText } from '../../element/i18n.ts'
import { Button, Text, TextField } from '../../ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../ui/overlay/modal-dialog.tsx'

const longest = 40

/** Asks for the name of a new view, or for another one of `name`; stays open when the name was refused. */
export const NameView = ({
  name = '',
  onSave,
  close,
}: {
  name?: string
  onSave: (name: string) => Promise<boolean>
  close: () => void
}) => {
  const t = useText()
  const [typed, setTyped] = useState(name)
  const [busy, setBusy] = useState(false)
  const wanted = typed.trim()
  const save = async () => {
    if (!wanted || busy) return
    setBusy(true)
    const saved = await onSave(wanted)
    setBusy(false)
    if (saved) close()
  }
  return (
    <ModalDialog
      open
      onClose={close}
      title={t(name ? 'list.rename' : 'list.newView')}
      description={name ? undefined : t('list.newViewHint')}
      footer={
        <>
          <DialogCancel />
          <Button disabled={!wanted} loading={busy} onClick={() => void save()}>
            {t('common.save')}
          </Button>
        </>
      }
    >
      <div className="mk-field">
        <Text as="label" size="2" weight="medium" htmlFor="view-name">
          {t('fields.viewName')}
        </Text>
        <TextField.Root
          id="view-name"
          autoComplete="off"
          maxLength={longest}
          value={typed}
          onChange={event => setTyped(event.target.value)}
          onKeyDown={event => void (event.key === 'Enter' && void save())}
        />
      </div>
    </ModalDialog>
  )
}

/** Asks before a view is deleted; a shared one is deleted for all. */
export const DeleteView = ({
  view,
  onDelete,
  close,
}: {
  view: View
  onDelete: () => Promise<void>
  close: () => void
}) => {
  const t = useText()
  const [busy, setBusy] = useState(false)
  return (
    <ModalDialog
      open
      onClose={close}
      title={t('list.delete')}
      description={t(view.shared ? 'list.deleteShared' : 'list.deleteQuestion', { name: view.viewName })}
      footer={
        <>
          <DialogCancel />
          <Button
            color="red"
            loading={busy}
            onClick={async () => {
              setBusy(true)
              await onDelete()
              close()
            }}
          >
            {t('list.delete')}
          </Button>
        </>
      }
    />
  )
}
