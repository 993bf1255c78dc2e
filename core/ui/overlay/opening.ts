import type { KeyboardEvent, MouseEvent, PointerEvent } from 'react'
import type { Overlay } from './overlay-state.ts'

const menuKeys = ['Enter', ' ', 'ArrowDown']
const listKeys = [...menuKeys, 'ArrowUp']

const isPlain = (event: PointerEvent) => event.button === 0 && !event.ctrlKey

/** What the button of an overlay listens to: a panel opens by a click, a menu or a list as soon as the button goes down, and by arrow keys. */
export const opening = {
  dialog: ({ open, setOpen }: Overlay) => ({ onClick: () => setOpen(!open) }),
  menu: ({ open, setOpen, byKey }: Overlay) => ({
    onPointerDown: (event: PointerEvent) => {
      if (!isPlain(event)) return
      if (!open) event.preventDefault()
      byKey.current = false
      setOpen(!open)
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (!menuKeys.includes(event.key)) return
      event.preventDefault()
      byKey.current = true
      setOpen(event.key === 'ArrowDown' || !open)
    },
  }),
  listbox: ({ setOpen }: Overlay) => ({
    onPointerDown: (event: PointerEvent) => {
      if (!isPlain(event) || event.pointerType !== 'mouse') return
      event.preventDefault()
      setOpen(true)
    },
    onClick: (event: MouseEvent<HTMLElement>) => {
      event.currentTarget.focus()
      if ((event.nativeEvent as globalThis.PointerEvent).pointerType !== 'mouse') setOpen(true)
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (!listKeys.includes(event.key)) return
      event.preventDefault()
      setOpen(true)
    },
  }),
}
