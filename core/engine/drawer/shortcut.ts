/** What a key does in a list. */
export type Shortcut = 'filter' | 'next' | 'previous' | 'choose' | 'open' | 'copy' | 'reload' | 'help' | 'acknowledge'

const shortcuts: Readonly<Record<string, Shortcut>> = {
  '/': 'filter',
  f: 'filter',
  j: 'next',
  k: 'previous',
  x: 'choose',
  e: 'open',
  c: 'copy',
  r: 'reload',
  a: 'acknowledge',
  '?': 'help',
}

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'defaultPrevented'>
/** What a key met on its way out, as far as it matters. */
export type Met = { name: string; type?: string; role: string | null; editable: boolean }

const overlays = new Set(['dialog', 'alertdialog', 'menu', 'listbox'])
const pressed = new Set(['button', 'checkbox', 'radio'])
const hasText = ({ name, type, role, editable }: Met) =>
  editable ||
  name === 'textarea' ||
  name === 'select' ||
  (name === 'input' && !pressed.has(type ?? '')) ||
  role === 'textbox' ||
  role === 'combobox'

/** Whether the focused element takes the key as text. */
export const takesText = (path: readonly Met[]): boolean => path.some(hasText)

/** The shortcut that a key is, unless somebody types, an overlay is open around it, or it means something else with Ctrl or Alt. */
export const shortcutOf = (event: Pressed, path: readonly Met[]): Shortcut | undefined => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return undefined
  if (takesText(path) || path.some(met => overlays.has(met.role ?? ''))) return undefined
  return shortcuts[event.key]
}

/** The way of an event from what had the focus to the element that listens. */
export const wayOf = (event: Event): Met[] =>
  event.composedPath().flatMap(at =>
    at instanceof HTMLElement
      ? [
          {
            name: at.localName,
            role: at.getAttribute('role'),
            editable: at.isContentEditable,
            ...(at instanceof HTMLInputElement ? { type: at.type } : {}),
          },
        ]
      : [],
  )
