import type { StoryContext } from '@storybook/web-components-vite'
import type { Key } from '../core/i18n/index.ts'
import type { Language } from '../core/i18n/language.ts'
import { text } from '../core/i18n/server.ts'
import { patience, settled, turn } from './settled.ts'

type Words = (key: Key) => string
/** One thing that a person does to a story. */
export type Step = (root: ShadowRoot, words: Words) => void

const nameOf = (element: Element) => (element.getAttribute('aria-label') ?? (element as HTMLElement).innerText).trim()
const pressable = 'button, [role="menuitem"], [role="tab"], [type="checkbox"]'

const found = (root: ShadowRoot, what: string, match: (element: HTMLElement) => boolean) => {
  const element = [...root.querySelectorAll<HTMLElement>(pressable)].find(
    one => !one.hasAttribute('disabled') && one.getClientRects().length > 0 && match(one),
  )
  if (!element) throw new Error(`nothing to press: ${what}`)
  return element
}

/** Menus and tabs listen to the pointer and to the mouse, not to a click alone. */
const pushed = (element: HTMLElement) => {
  const event = { bubbles: true, composed: true, cancelable: true, button: 0 }
  element.dispatchEvent(new PointerEvent('pointerdown', { ...event, pointerType: 'mouse' }))
  element.dispatchEvent(new MouseEvent('mousedown', event))
  element.dispatchEvent(new PointerEvent('pointerup', { ...event, pointerType: 'mouse' }))
  element.click()
}

/** Presses what has these words. */
export const press =
  (key: Key): Step =>
  (root, words) => {
    const name = words(key)
    pushed(found(root, name, one => nameOf(one) === name))
  }
/** Presses what has these words for one of several things. */
export const pressOf =
  (key: Key, of: string): Step =>
  (root, words) => {
    const name = `${words(key)}: ${of}`
    pushed(found(root, name, one => nameOf(one) === name))
  }
export const pressFirst: Step = root => pushed(found(root, 'the first button', () => true))
export const openRow: Step = root => {
  const row = root.querySelector('tbody tr')
  if (!row) throw new Error('no row to open')
  row.dispatchEvent(new MouseEvent('click', { bubbles: true }))
}

/** Types into the field that a password manager knows by this name. */
export const type =
  (field: 'username' | 'current-password' | 'one-time-code', text: string): Step =>
  root => {
    const input = root.querySelector<HTMLInputElement>(`input[autocomplete="${field}"]`)
    if (!input) throw new Error(`nowhere to type: ${field}`)
    // React hears of a value only where it is set past its own property.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
    input.dispatchEvent(new Event('input', { bubbles: true }))
  }

/** Some answers are asked for only when a person has paused. */
const longer = 16

/** Does one thing as soon as there is what it is done to: a part of the page may still be on its way though nothing moves. */
const done = async (canvas: HTMLElement, words: Words, step: Step) => {
  for (const end = performance.now() + patience; ; await turn()) {
    try {
      const root = [...canvas.querySelectorAll('*')].find(one => one.shadowRoot)?.shadowRoot
      if (!root) throw new Error('the story has no element')
      return step(root, words)
    } catch (error) {
      if (performance.now() > end) throw error
    }
  }
}

/** Does one thing after the other, and waits after each until the story shows what follows. */
export const act =
  (...steps: Step[]) =>
  async ({ canvasElement, globals }: Pick<StoryContext, 'canvasElement' | 'globals'>) => {
    await settled(canvasElement)
    const words: Words = key => text(globals.language as Language, key)
    for (const step of steps) {
      await done(canvasElement, words, step)
      await settled(canvasElement, longer)
    }
  }
