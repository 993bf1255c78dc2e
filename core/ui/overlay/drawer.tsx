import { type FormEvent, type KeyboardEvent, type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { Flex } from '../basics.ts'
import { unsaved } from '../unsaved.ts'
import { type Leave, useAskFirst } from './ask-first.tsx'
import { Dialog } from './dialog.tsx'
import { CloseCross } from './modal-dialog.tsx'
import { useReturnFocus } from './return-focus.ts'

type Props = {
  open: boolean
  /** Esc, the cross or a click outside. With something typed in it people are asked before. */
  onClose: () => void
  /** Key of the record. */
  title: ReactNode
  /** Status, main amount: beside the key. */
  summary?: ReactNode
  /** Previous and next, before the cross; by `leave` they go on. */
  controls?: (leave: Leave) => ReactNode
  children?: ReactNode
  footer?: ReactNode
  /** A key that was pressed in the drawer itself, in no dialog above it. */
  onKey?: (event: KeyboardEvent<HTMLElement>, leave: Leave) => void
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLElement

const texts = 'textarea, input:not([type=checkbox], [type=radio], [type=file], [type=search]), [contenteditable]'
const textOf = (field: Field) => ('value' in field ? field.value : field.textContent)

/** Whether people typed something that still stands in the drawer; what they look for is nothing to keep. */
const useTypedText = () => {
  const fields = useRef(new Set<Field>())
  const [begun, setBegun] = useState(false)
  const has = useCallback(() => [...fields.current].some(field => field.isConnected && textOf(field)), [])
  useEffect(() => (begun ? unsaved.hold(undefined, has) : undefined), [begun, has])
  const onInput = ({ currentTarget, target, nativeEvent }: FormEvent) => {
    const field = nativeEvent.composedPath()[0] as Field
    if (!currentTarget.contains(target as Node) || !field.matches(texts) || field.closest('search')) return
    fields.current.add(field)
    setBegun(true)
  }
  return { has, onInput }
}

/** Takes the focus when what had it in the drawer can no longer have it, as a button that its own command has put off. */
const useKeptFocus = () => {
  const content = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const root = content.current?.getRootNode()
    if (!(root instanceof ShadowRoot || root instanceof Document)) return
    const { activeElement: at } = root
    if (!at || at === document.body || (content.current?.contains(at) && at.matches(':disabled')))
      content.current?.focus({ preventScroll: true })
  })
  return content
}

const fromToast = (event: { detail: { originalEvent: Event } }) =>
  event.detail.originalEvent.composedPath().some(at => at instanceof Element && at.localName === 'mkopo-toast')

/** A record at the right edge, 720 px: the list stays where it was. */
export const Drawer = ({ open, onClose, title, summary, controls, children, footer, onKey }: Props) => {
  const returnFocus = useReturnFocus(open)
  const content = useKeptFocus()
  const { has, onInput } = useTypedText()
  const { leave, question } = useAskFirst(has)
  return (
    <Dialog.Root open={open} onOpenChange={wanted => void (!wanted && leave(onClose))}>
      <Dialog.Content
        ref={content}
        className="mk-drawer"
        size="1"
        onCloseAutoFocus={returnFocus}
        onOpenAutoFocus={event => {
          // Not what happens to come first in it, such as the icon that copies its key.
          event.preventDefault()
          content.current?.focus({ preventScroll: true })
        }}
        aria-describedby={undefined}
        onInput={onInput}
        onInteractOutside={event => void (fromToast(event) && event.preventDefault())}
        onKeyDown={event => void (event.currentTarget.contains(event.target as Node) && onKey?.(event, leave))}
      >
        <Flex align="center" gap="3" className="mk-drawer-head">
          <Dialog.Title size="4" mb="0" trim="normal">
            {title}
          </Dialog.Title>
          {summary}
          <Flex align="center" gap="4" ml="auto">
            {controls?.(leave)}
            <CloseCross />
          </Flex>
        </Flex>
        <div className="mk-drawer-body">{children}</div>
        {footer && (
          <Flex justify="end" gap="2" className="mk-drawer-foot">
            {footer}
          </Flex>
        )}
        {question}
      </Dialog.Content>
    </Dialog.Root>
  )
}
