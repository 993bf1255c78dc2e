import { useText } from '../../element/i18n.ts'
import { Button, Flex } from '../basics.ts'
import { Dialog } from './dialog.tsx'

/** Asks before what was typed is lost; the way back is the one at hand. */
export const Discard = ({ stay, leave }: { stay: () => void; leave: () => void }) => {
  const t = useText()
  return (
    <Dialog.Root open onOpenChange={open => void (!open && stay())}>
      <Dialog.Content
        role="alertdialog"
        className="mk-modal"
        size="2"
        onInteractOutside={event => event.preventDefault()}
      >
        <Dialog.Title size="4" mb="0">
          {t('common.discardTitle')}
        </Dialog.Title>
        <Dialog.Description size="2">{t('common.discardHint')}</Dialog.Description>
        <Flex justify="end" gap="2" className="mk-modal-foot">
          <Button autoFocus variant="soft" color="gray" onClick={stay}>
            {t('common.keepTyping')}
          </Button>
          <Button color="red" onClick={leave}>
            {t('common.discard')}
          </Button>
        </Flex>
      </Dialog.Content>
    </Dialog.Root>
  )
}
