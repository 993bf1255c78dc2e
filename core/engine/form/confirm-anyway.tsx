import { useText } from '../../element/i18n.ts'
import { Button } from '../../ui/basics.ts'
import { ModalDialog } from '../../ui/overlay/modal-dialog.tsx'

type Props = {
  title: string
  /** What the server says, with its numbers. */
  words: string
  busy: boolean
  go: () => void
  cancel: () => void
}

/** What the server wants confirmed before it does it: going on sends the same answers again, and says yes. */
export const ConfirmAnyway = ({ title, words, busy, go, cancel }: Props) => {
  const t = useText()
  return (
    <ModalDialog
      open
      onClose={cancel}
      title={title}
      description={words}
      footer={
        <>
          <Button variant="soft" color="gray" onClick={cancel}>
            {t('common.cancel')}
          </Button>
          <Button color="amber" loading={busy} onClick={go}>
            {t('common.confirmAnyway')}
          </Button>
        </>
      }
    />
  )
}
