import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { Flex } from './basics.ts'
import { Dialog } from './dialog.tsx'
import { CloseCross } from './modal-dialog.tsx'
import { useReturnFocus } from './return-focus.ts'

type Props = {
  open: boolean
  /** Esc, the cross or a click outside. With something typed in it only the cross closes it. */
  onClose: () => void
  /** Key of the record. */
  title: ReactNode
  /** Status, main amount: beside the key. */
  summary?: ReactNode
  /** Previous and next, before the cross. */
  controls?: ReactNode
  children?: ReactNode
  footer?: ReactNode
  /** A key that was pressed in the drawer itself, in no dialog above it. */
  onKey?: (event: KeyboardEvent<HTMLElement>) => void
}

const fromToast = (event: { detail: { originalEvent: Event } }) =>
  event.detail.originalEvent.composedPath().some(at => at instanceof Element && at.localName === 'mkopo-toast')

/** A record at the right edge, 720 px: the list stays where it was. */
export const Drawer = ({ open, onClose, title, summary, controls, children, footer, onKey }: Props) => {
  const focus = useReturnFocus()
  const typed = useRef(new Set<HTMLInputElement>())
  const isDirty = () => [...typed.current].some(field => field.isConnected && field.value !== '')
  return (
    <Dialog.Root open={open} onOpenChange={wanted => void (!wanted && onClose())}>
      <Dialog.Content
        className="mk-drawer"
        size="1"
        {...focus}
        aria-describedby={undefined}
        onInput={event => void typed.current.add(event.target as HTMLInputElement)}
        onEscapeKeyDown={event => void (isDirty() && event.preventDefault())}
        onInteractOutside={event => void ((isDirty() || fromToast(event)) && event.preventDefault())}
        onKeyDown={event => void (event.currentTarget.contains(event.target as Node) && onKey?.(event))}
      >
        <Flex align="center" gap="3" className="mk-drawer-head">
          <Dialog.Title size="4" mb="0" trim="normal">
            {title}
          </Dialog.Title>
          {summary}
          <Flex align="center" gap="4" ml="auto">
            {controls}
            <CloseCross />
          </Flex>
        </Flex>
        <div className="mk-drawer-body">{children}</div>
        {footer && (
          <Flex justify="end" gap="2" className="mk-drawer-foot">
            {footer}
          </Flex>
        )}
      </Dialog.Content>
    </Dialog.Root>
  )
}
