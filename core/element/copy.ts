import { bootText } from '../i18n/boot.ts'
import type { Language } from '../i18n/language.ts'
import { toast } from './toast.ts'

/** Copies a value and shows a toast; where the browser forbids it, shows the value selected for copying by hand. */
export const copyValue = async (from: Element, value: string, language: Language) => {
  try {
    await navigator.clipboard.writeText(value)
    toast(from, { type: 2, message: bootText(language, 'copy_success'), ms: 2000 })
  } catch {
    offer(from, value, bootText(language, 'copyByHand'))
  }
}

const offer = (from: Element, value: string, words: string) => {
  const box = document.createElement('div')
  const label = document.createElement('label')
  const input = document.createElement('input')
  box.popover = 'auto'
  box.style.cssText =
    'all: revert; padding: 12px; border: 1px solid; border-radius: 4px; font: 14px/20px system-ui, sans-serif'
  label.style.cssText = 'display: grid; gap: 4px'
  input.readOnly = true
  input.value = value
  label.append(words, input)
  box.append(label)
  box.addEventListener('toggle', event => {
    if ((event as ToggleEvent).newState === 'closed') box.remove()
  })
  from.after(box)
  box.showPopover()
  input.focus()
  input.select()
}
