import { createContext, type KeyboardEvent, type ReactNode, useContext } from 'react'
import { useHost } from '../../element/context.ts'
import { useText } from '../../element/i18n.ts'
import { bootText } from '../../i18n/boot.ts'
import { Button, Flex, IconButton } from '../basics.ts'
import { useTyped } from '../choose/typed.ts'
import { Icon } from '../icons.tsx'
import { useAskFirst } from './ask-first.tsx'
import { Dialog } from './dialog.tsx'
import { useReturnFocus } from './return-focus.ts'

type Props = {
  open: boolean
  /** The cross or *Cancel* was pressed, and nothing was typed or it is to be lost. Without it there is no cross. */
  onClose?: (() => void) | undefined
  title: ReactNode
  /** One sentence below the title. */
  description?: ReactNode
  children?: ReactNode
  /** Buttons at the right end, the primary one last. */
  footer?: ReactNode
  /** For tables and many columns. */
  wide?: boolean
  /** Whether what it holds differs from what it began with; without it everything typed counts. */
  differs?: boolean | undefined
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

/** Leaves the dialog around, as its cross does. */
const LeaveContext = createContext<() => void>(() => undefined)

/** The button that leaves a dialog as it was: it asks first when something was typed. */
export const DialogCancel = ({ disabled }: { disabled?: boolean }) => (
  <Button variant="soft" color="gray" disabled={disabled} onClick={useContext(LeaveContext)}>
    {useText()('common.cancel')}
  </Button>
)

/** A form or a question, 35 % wide. Closes neither on Esc nor on a click outside: only its buttons and its cross do. */
export const ModalDialog = ({ open, onClose, title, description, children, footer, wide, differs }: Props) => {
  const returnFocus = useReturnFocus(open)
  const { typed, ...typing } = useTyped(differs)
  const asked = useAskFirst(() => typed)
  const leave = () => asked.leave(() => onClose?.())
  return (
    <Dialog.Root open={open} onOpenChange={wanted => void (!wanted && leave())}>
      <Dialog.Content
        className={wide ? 'mk-wide' : 'mk-modal'}
        size="2"
        {...typing}
        onOpenAutoFocus={toFirstField}
        onCloseAutoFocus={returnFocus}
        onEscapeKeyDown={stay}
        onInteractOutside={stay}
        onKeyDown={submitByKey}
        {...(description ? {} : { 'aria-describedby': undefined })}
      >
        <LeaveContext value={leave}>
          <Flex justify="between" align="start" gap="3" className="mk-modal-head">
            <Dialog.Title size="4" mb="0">
              {title}
            </Dialog.Title>
            {onClose && <CloseCross />}
          </Flex>
          {description && <Dialog.Description size="2">{description}</Dialog.Description>}
          <div className="mk-modal-body">{children}</div>
          {footer && (
            <Flex justify="end" gap="2" wrap="wrap" className="mk-modal-foot">
              {footer}
            </Flex>
          )}
        </LeaveContext>
        {asked.question}
      </Dialog.Content>
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
