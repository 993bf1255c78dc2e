import { overlayChecks } from './overlay-checks.ts'
import { afterEach, clear, expect, focusOn, get, it, loadLibrary, mount, press, until } from './page.ts'

afterEach(clear)

/** An element of the partner's own, with a button in its open shadow root. */
const partner = async () => {
  const host = document.createElement('div')
  host.dataset.test = ''
  document.body.append(host)
  const root = host.attachShadow({ mode: 'open' })
  root.innerHTML = '<button>Partner</button>'
  ;(await loadLibrary()).watch(root)
  return root
}

overlayChecks('in a shadow root of the page', partner)

it('hides the rest of the partner’s own shadow root while a dialog is open', async () => {
  const root = await partner()
  const own = root.querySelector('button') as HTMLButtonElement
  const widget = await mount({}, root)
  const opener = await get(widget, 'button', 'Pay out 3 orders')
  opener.focus()
  await press('Enter')
  await focusOn('Remark')
  await until('the button hidden', () => own.closest('[aria-hidden=true]'))
  own.focus()
  await until('the focus in the dialog', () => widget.shadowRoot.activeElement?.closest('[role=dialog]'))
  ;(await get(widget, 'button', 'Cancel')).click()
  await until('the button back', () => !own.closest('[aria-hidden=true]'))
  expect(root.activeElement).not.to.equal(own)
})
