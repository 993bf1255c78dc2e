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
type Heard = { to(path: string): readonly { token?: string | null }[] }

/** Waits until a widget asks with this token; the element itself does not say which it holds. */
export const asksWith = async (server: Heard, widget: Widget, token: string) => {
  const path = '/fixture/page'
  const reload = await get(widget, 'button', 'Reload')
  await until(`a call with ${token}`, () => {
    if (server.to(path).at(-1)?.token === token) return true
    reload.click()
    return false
  })
}

let made = 0
/** Two tokens that no other test has used: what is read with a token may be kept. */
export const tokens = () => {
  made += 1
  return { T1: `token-${made}-one`, T2: `token-${made}-two` }
}
const ended = 'Your session has ended'
/** Whether a widget shows nothing but that its access has ended; a list that was refused says so in a bar of its own. */
export const panel = (widget: Widget) =>
  [...widget.shadowRoot.querySelectorAll('[role=alert]:not(.mk-state, .mk-failed) *')].some(
    part => part.textContent === ended,
  )
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
  ;(await get(widget, 'button', 'Approve')).click()
  const field = await until('the field', () =>
    widget.shadowRoot.querySelector<HTMLTextAreaElement>('[role=dialog] textarea'),
  )
  type(field, remark)
  return field
}
/** Sends the open form. */
export const submit = (widget: Widget) =>
  [...widget.shadowRoot.querySelectorAll<HTMLElement>('[role=dialog] button')]
    .find(button => button.textContent === 'Approve')
    ?.click()
