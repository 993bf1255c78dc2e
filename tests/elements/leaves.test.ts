import '../../core/element/events.ts'
import type { MkopoLoading } from '../../core/element/leaves/mkopo-loading.ts'
import type { MkopoPhone } from '../../core/element/leaves/mkopo-phone.ts'
import type { MkopoToast } from '../../core/element/leaves/mkopo-toast.ts'
import { afterEach, clear, expect, get, heard, it, loadLibrary, mount, until } from './page.ts'

afterEach(clear)

const leaf = async <E extends HTMLElement>(html: string) => {
  await loadLibrary()
  const box = document.createElement('div')
  box.dataset.test = ''
  box.lang = 'en'
  box.innerHTML = html
  document.body.append(box)
  const element = box.firstElementChild as E
  await customElements.whenDefined(element.localName)
  return element
}

const region = () => until('the toast region', () => document.querySelector('mkopo-toast') as MkopoToast | null)
const messages = () => [...(document.querySelector('mkopo-toast')?.shadowRoot?.querySelectorAll('.item') ?? [])]

it('shows one toast for the same words, and takes it away', async () => {
  const widget = await mount()
  const button = await get(widget, 'button', 'Toast')
  button.click()
  button.click()
  const item = await until('a message', () => messages()[0])
  expect(messages().length).to.equal(1)
  expect(item.getAttribute('role')).to.equal('status')
  expect(item.textContent).to.contain('Allotted 3 orders')
  expect((await region()).matches(':popover-open')).to.equal(true)
  await until('no message', () => messages().length === 0)
})

it('says failures as alerts, and keeps what somebody points at', async () => {
  const toast = await region()
  toast.show({ type: 4, message: 'Refused', ms: 300 })
  toast.show({ type: 1, message: 'Passing', ms: 300 })
  const [kept] = await until('two messages', () => (messages().length === 2 ? messages() : undefined))
  expect(kept?.getAttribute('role')).to.equal('alert')
  kept?.dispatchEvent(new PointerEvent('pointerenter'))
  await until('one message', () => messages().length === 1)
  expect(messages()[0]?.textContent).to.contain('Refused')
  kept?.dispatchEvent(new PointerEvent('pointerleave'))
  await until('no message', () => messages().length === 0)
})

it('leaves the message to a page that wants it', async () => {
  const widget = await mount()
  const taken: string[] = []
  const take = (event: HTMLElementEventMap['mkopo-toast']) => {
    event.preventDefault()
    taken.push(event.detail.message)
  }
  document.body.addEventListener('mkopo-toast', take)
  ;(await get(widget, 'button', 'Toast')).click()
  document.body.removeEventListener('mkopo-toast', take)
  expect(taken).to.deep.equal(['Allotted 3 orders'])
  expect(messages().length).to.equal(0)
})

it('draws the loading bar only for waits that last', async () => {
  const bar = await leaf<MkopoLoading>('<mkopo-loading active></mkopo-loading>')
  const shown = () => bar.shadowRoot?.querySelector('[role=progressbar]')
  await bar.updateComplete
  expect(shown()).to.equal(null)
  const since = performance.now()
  expect((await until('the bar', shown)).getAttribute('aria-label')).to.equal('Loading')
  expect(performance.now() - since).to.be.greaterThan(100)
  bar.active = false
  await until('no bar', () => !shown())
})

it('reveals a phone number once it is given the value', async () => {
  const phone = await leaf<MkopoPhone>('<mkopo-phone masked="256***789"></mkopo-phone>')
  const text = () => phone.shadowRoot?.querySelector('span')?.textContent
  await until('the mask', () => text() === '256***789')
  const words = () => phone.shadowRoot?.querySelector('button')?.textContent?.trim()
  for (const [language, said] of [
    ['zh', '显示并复制'],
    ['sw', 'Onyesha na nakili'],
    ['en', 'Show and copy'],
  ] as const) {
    phone.language = language
    await until(said, () => words() === said)
  }
  const asked = heard('mkopo-reveal')
  const announced = heard('mkopo-toast')
  phone.shadowRoot?.querySelector('button')?.click()
  expect((await asked).target).to.equal(phone)
  expect(text()).to.equal('256***789')
  Object.defineProperty(navigator, 'clipboard', {
    configurable: true,
    value: { writeText: async (copied: string) => void (document.title = copied) },
  })
  phone.value = '256772123789'
  await until('the number', () => text() === '256772123789')
  expect((await announced).detail).to.deep.equal({ type: 2, message: 'Copied', ms: 2000 })
  expect(document.title).to.equal('256772123789')
  for (const nothing of ['', null]) {
    phone.value = '256772123789'
    await until('the number', () => text() === '256772123789')
    phone.value = nothing
    await until('a dash', () => text() === '-')
    expect(phone.shadowRoot?.querySelector('button')).to.equal(null)
  }
})

it('offers the value for copying by hand where the clipboard is closed', async () => {
  Object.defineProperty(navigator, 'clipboard', {
    configurable: true,
    value: { writeText: () => Promise.reject(new Error('denied')) },
  })
  const copy = await leaf<HTMLElement>('<mkopo-copy value="UG250801001"></mkopo-copy>')
  const button = await until('the button', () => copy.shadowRoot?.querySelector('button'))
  expect(button.getAttribute('aria-label')).to.equal('Copy UG250801001')
  button.click()
  const field = await until('the value', () => copy.shadowRoot?.querySelector('input'))
  expect([field.value, field.selectionEnd]).to.deep.equal(['UG250801001', 11])
  copy.shadowRoot?.querySelector<HTMLElement>('[popover]')?.hidePopover()
  await until('nothing', () => !copy.shadowRoot?.querySelector('input'))
})
