import { get, loadLibrary, until, type Widget } from './page.ts'

/** Puts the fixture's list on the page with these properties. */
export const list = async (given: Record<string, unknown> = {}) => {
  await loadLibrary()
  const widget = document.createElement('mkopo-fixture-list') as Widget
  Object.assign(widget, { language: 'en', ...given })
  document.body.append(widget)
  await until('the upgrade', () => widget.shadowRoot)
  return widget
}
let made = 0
/** Two tokens that no other test has used: what is read with a token may be kept. */
export const tokens = () => {
  made += 1
  return { T1: `token-${made}-one`, T2: `token-${made}-two` }
}
const ended = 'Your access has ended'
/** Whether a widget says that its access has ended. */
export const panel = (widget: Widget) =>
  [...widget.shadowRoot.querySelectorAll('[role=alert]')].some(part => part.textContent?.includes(ended))
/** Filters the list by an order. */
export const filter = async (widget: Widget, orderNo: string) => {
  const field = (await get(widget, 'input', 'Order no.')) as HTMLInputElement
  type(field, orderNo)
  field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, composed: true }))
}
const type = (field: HTMLInputElement | HTMLTextAreaElement, text: string) => {
  const owner = field instanceof HTMLInputElement ? HTMLInputElement : HTMLTextAreaElement
  Object.getOwnPropertyDescriptor(owner.prototype, 'value')?.set?.call(field, text)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
/** Opens the command's form and types a remark. */
export const form = async (widget: Widget, remark: string) => {
  ;(await get(widget, 'button', 'Write off')).click()
  const field = await until('the field', () =>
    widget.shadowRoot.querySelector<HTMLTextAreaElement>('[role=dialog] textarea'),
  )
  type(field, remark)
  return field
}
/** Sends the open form. */
export const submit = (widget: Widget) =>
  [...widget.shadowRoot.querySelectorAll<HTMLElement>('[role=dialog] button')]
    .find(button => button.textContent === 'Write off')
    ?.click()
