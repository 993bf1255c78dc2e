import type { KeyboardEvent, ReactNode } from 'react'
import { useHost } from '../element/context.ts'
import { bootText } from '../i18n/boot.ts'
import { Flex, IconButton } from './basics.ts'
import { Dialog } from './dialog.tsx'
import { Icon } from './icons.tsx'
import { useReturnFocus } from './return-focus.ts'

type Props = {
  open: boolean
  /** The cross was pressed. The owner decides, for example asks first when something was typed. Without it there is no cross. */
  onClose?: (() => void) | undefined
  title: ReactNode
  /** One sentence below the title. */
  description?: ReactNode
  children?: ReactNode
  /** Buttons at the right end, the primary one last. */
  footer?: ReactNode
}

const stay = (event: Event) => event.preventDefault()

/** Ctrl+Enter presses the primary button, wherever the focus is in the dialog. */
const submitByKey = (event: KeyboardEvent<HTMLElement>) => {
  const { currentTarget, target } = event
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return
  if (!currentTarget.contains(target as Node)) return
  event.preventDefault()
  currentTarget.querySelector<HTMLButtonElement>('.mk-modal-foot > button:last-of-type')?.click()
}

/** A form or a question, 35 % wide. Closes neither on Esc nor on a click outside: only its buttons and its cross do. */
export const ModalDialog = ({ open, onClose, title, description, children, footer }: Props) => {
  const focus = useReturnFocus()
  return (
    <Dialog.Root open={open} onOpenChange={wanted => void (!wanted && onClose?.())}>
      <Dialog.Form
        className="mk-modal"
        size="2"
        {...focus}
        onEscapeKeyDown={stay}
        onInteractOutside={stay}
        onKeyDown={submitByKey}
        {...(description ? {} : { 'aria-describedby': undefined })}
      >
        <Flex justify="between" align="start" gap="3" className="mk-modal-head">
          <Dialog.Title size="4" mb="0">
            {title}
          </Dialog.Title>
          {onClose && <CloseCross />}
        </Flex>
        {description && <Dialog.Description size="2">{description}</Dialog.Description>}
        <div className="mk-modal-body">{children}</div>
        {footer && (
          <Flex justify="end" gap="2" className="mk-modal-foot">
            {footer}
          </Flex>
        )}
      </Dialog.Form>
    </Dialog.Root>
  )
}

/** The cross of a dialog or drawer. */
export const CloseCross = () => (
  <Dialog.Close>
    <IconButton variant="ghost" color="gray" size="2" aria-label={bootText(useHost().props.language, 'close')}>
      <Icon name="close" />
    </IconButton>
  </Dialog.Close>
)
