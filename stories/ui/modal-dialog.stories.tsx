import type { Meta } from '@storybook/web-components-vite'
import { useState } from 'react'
import { useText } from '../../core/element/i18n.ts'
import { Button, Text, TextField } from '../../core/ui/basics.ts'
import { ModalDialog } from '../../core/ui/overlay/modal-dialog.tsx'
import { act, pressFirst } from '../act.ts'
import { part } from '../part.tsx'

export default { title: 'Parts/Modal dialog' } satisfies Meta

type Given = { body: boolean; title: string; description: string }

const Ask = ({ body, title, description }: Partial<Given>) => {
  const t = useText()
  const [shown, setShown] = useState(false)
  const close = () => setShown(false)
  return (
    <>
      <Button onClick={() => setShown(true)}>{t('actions.cancelOrder')}</Button>
      <ModalDialog
        open={shown}
        onClose={close}
        title={title || t('actions.cancelOrder')}
        description={description || t('audit.confirmTakeBack', { n: 3 })}
        footer={
          <>
            <Button variant="soft" color="gray" onClick={close}>
              {t('common.cancel')}
            </Button>
            <Button color="red" onClick={close}>
              {t('common.actionOn', { action: t('actions.cancelOrder'), n: 3 })}
            </Button>
          </>
        }
      >
        {body && (
          <>
            <Text as="label" size="2" htmlFor="reason">
              {t('fields.reason')}
            </Text>
            <TextField.Root id="reason" />
          </>
        )}
      </ModalDialog>
    </>
  )
}

export const Closed = part(() => <Ask />)
/** Esc and a click outside do nothing: only its buttons and its cross close it. */
export const Question = part(() => <Ask />, { play: act(pressFirst) })
/** Its words by hand; empty ones take those of the language. */
export const WithControls = part<Given>(Ask, { args: { body: true, title: '', description: '' } })
export const Form = part(() => <Ask body />, { play: act(pressFirst) })
