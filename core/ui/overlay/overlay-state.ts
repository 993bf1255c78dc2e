import type { RefObject } from 'react'

/** What the button of an overlay and its panel know of each other. */
export type Overlay = {
  kind: 'dialog' | 'menu' | 'listbox'
  /** Of the panel. */
  id: string
  open: boolean
  setOpen: (open: boolean) => void
  /** The button: where the panel stands, and where the focus returns to. */
  button: RefObject<HTMLElement | null>
  /** A key opened it, so the first item takes the focus. */
  byKey: RefObject<boolean>
  /** Somebody is about to want the panel. */
  warm: () => void
}
