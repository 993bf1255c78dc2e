import type { ReactNode } from 'react'
import { useHost } from '../element/context.ts'
import { bootText } from '../i18n/boot.ts'
import { Flex, IconButton } from './basics.ts'
import { Dialog } from './dialog.tsx'
import { Icon } from './icons.tsx'
import { useReturnFocus } from './return-focus.ts'

type Props = {
  open: boolean
  /** The cross was pressed. The owner decides, for example asks first when something was typed. */
  onClose: () => void
  title: ReactNode
  /** One sentence below the title. */
  description?: ReactNode
  children?: ReactNode
  /** Buttons at the right end, the primary one last. */
  footer?: ReactNode
}

const stay = (event: Event) => event.preventDefault()

const fields = [
  'input',
  'textarea',
  '[role=combobox]',
  '[role=radio]',
  '[role=checkbox]',
  '[role=switch]',
  '[data-field]',
]
  .map(kind => `.mk-modal-body ${kind}:not([disabled], [aria-hidden], [tabindex="-1"])`)
  .join()

/** What people are asked comes before the cross. */
const toFirstField = (event: Event) => {
  const field = (event.currentTarget as Element).querySelector<HTMLElement>(fields)
  if (!field) return
  event.preventDefault()
  field.focus()
}

/** A form or a question, 35 % wide. Closes neither on Esc nor on a click outside: only its buttons and its cross do. */
export const ModalDialog = ({ open, onClose, title, description, children, footer }: Props) => {
  const focus = useReturnFocus()
  return (
    <Dialog.Root open={open} onOpenChange={wanted => void (!wanted && onClose())}>
      <Dialog.Form
        className="mk-modal"
        size="2"
        {...focus}
        onOpenAutoFocus={event => {
          focus.onOpenAutoFocus()
          toFirstField(event)
        }}
        onEscapeKeyDown={stay}
        onInteractOutside={stay}
        {...(description ? {} : { 'aria-describedby': undefined })}
      >
        <Flex justify="between" align="start" gap="3" className="mk-modal-head">
          <Dialog.Title size="4" mb="0">
            {title}
          </Dialog.Title>
          <CloseCross />
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
