import { overlayChecks } from './overlay-checks.ts'
import { afterEach, clear, expect, get, it, mount, named } from './page.ts'

const style = document.createElement('style')
style.textContent = `
  * { all: unset; font: italic 30px serif !important; color: magenta; text-transform: uppercase; letter-spacing: 5px; line-height: 3 }
  button { display: none !important }
  table, td, div { border: 9px solid red !important; background: yellow !important }
  html { font-size: 62.5% }
  :root { --accent-9: red; --space-3: 99px; --default-font-family: fantasy }
  body { display: block; direction: ltr }
  dialog, [role=dialog] { display: none !important }
  style, script, head { display: none !important }`

afterEach(clear)

const look = (element: Element) => {
  const { color, fontStyle, fontSize, textTransform, letterSpacing, borderTopWidth, height, backgroundColor } =
    getComputedStyle(element)
  return { color, fontStyle, fontSize, textTransform, letterSpacing, borderTopWidth, height, backgroundColor }
}

it('looks the same on a page that restyles everything', async () => {
  const widget = await mount()
  const parts = () =>
    [
      named(widget, 'button', 'Pay out 3 orders'),
      named(widget, 'h1', 'Notifications'),
      widget.shadowRoot.querySelector('td'),
    ].map(part => look(part as Element))
  const plain = parts()
  document.head.append(style)
  await get(widget, 'button', 'Details')
  expect(getComputedStyle(widget).display).to.equal('block')
  expect(parts()).to.deep.equal(plain)
})

it('hides when the page asks for that', async () => {
  const widget = await mount()
  widget.hidden = true
  expect(getComputedStyle(widget).display).to.equal('none')
})

overlayChecks('on a hostile page')
