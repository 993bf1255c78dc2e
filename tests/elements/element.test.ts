import '../../core/element/events.ts'
import {
  afterEach,
  clear,
  expect,
  get,
  heard,
  it,
  loadLibrary,
  mount,
  named,
  sendKeys,
  shows,
  until,
  type Widget,
} from './page.ts'

afterEach(clear)

const input = (widget: Widget) => named(widget, 'input', 'Query') as HTMLInputElement

it('honours properties set before the element is defined, and does nothing while detached', async () => {
  const early = document.createElement('mkopo-fixture-sample') as Widget
  early.token = 'T'
  early.orderNo = 'UG1'
  early.language = 'en'
  expect(customElements.get('mkopo-fixture-sample')).to.equal(undefined)
  document.body.append(early)
  await loadLibrary()
  await until('the upgrade', () => early.shadowRoot)
  await shows(early, 'signed in · UG1 · en')
  const detached = document.createElement('mkopo-fixture-sample') as Widget
  detached.token = 'T'
  await shows(early, 'signed in')
  expect(detached.shadowRoot.childElementCount).to.equal(0)
})

it('loads elements that are added later, inside other nodes too', async () => {
  await loadLibrary()
  const box = document.createElement('div')
  box.dataset.test = ''
  box.innerHTML = '<p><mkopo-copy value="UG1" language="en"></mkopo-copy></p>'
  document.body.append(box)
  await until('the copy button', () => box.querySelector('mkopo-copy')?.shadowRoot?.querySelector('button'))
})

it('says that it is ready, once', async () => {
  const ready = heard('mkopo-ready')
  await mount()
  const { detail, bubbles, composed } = await ready
  expect(detail.tag).to.equal('mkopo-fixture-sample')
  expect(detail.version).to.match(/^\d+\.\d+\.\d+-[0-9a-f]{10}$/)
  expect([bubbles, composed]).to.deep.equal([true, true])
})

it('takes the removal of an attribute as a change', async () => {
  const widget = await mount({ token: 'T', 'order-no': 'UG7', rows: '2', readonly: '' })
  await shows(widget, 'signed in · UG7')
  expect(widget.shadowRoot.querySelectorAll('tr').length).to.equal(2)
  expect(input(widget).disabled).to.equal(true)
  for (const name of ['token', 'order-no', 'rows', 'readonly']) widget.removeAttribute(name)
  await shows(widget, 'signed out · no order')
  expect(widget.shadowRoot.querySelectorAll('tr').length).to.equal(5)
  expect(input(widget).disabled).to.equal(false)
})

it('C3: never writes a property back to an attribute, and does not tell its token', async () => {
  const widget = await mount()
  widget.token = 'secret-token'
  await shows(widget, 'signed in')
  expect(document.documentElement.outerHTML).not.to.contain('secret-token')
  expect(widget.token).to.equal(undefined)
  widget.token = undefined
  await shows(widget, 'signed out')
})

it('changes its language without losing what was typed', async () => {
  const widget = await mount({ language: 'en' })
  await shows(widget, 'Notifications')
  const before = input(widget)
  before.focus()
  await sendKeys({ type: '256700' })
  widget.setAttribute('language', 'sw')
  await shows(widget, 'Arifa')
  expect(input(widget)).to.equal(before)
  expect(before.value).to.equal('256700')
  widget.language = 'zh'
  await shows(widget, '通知')
  expect(before.value).to.equal('256700')
})

it('speaks two languages on one page, and follows the nearest lang', async () => {
  const box = document.createElement('div')
  box.dataset.test = ''
  box.lang = 'sw-TZ'
  document.body.append(box)
  const [english, chinese, near] = [
    await mount({ language: 'en' }),
    await mount({ language: 'zh' }),
    await mount({ language: '' }, box),
  ]
  await shows(english, 'Notifications')
  await shows(chinese, '通知')
  await shows(near, 'Arifa')
})

it('takes words of the host', async () => {
  const widget = await mount()
  widget.messages = { 'boot.notifications': 'Our own words' }
  await shows(widget, 'Our own words')
})

it('keeps its state when it is moved in the page', async () => {
  const widget = await mount()
  const field = input(widget)
  field.focus()
  await sendKeys({ type: 'kept' })
  const box = document.createElement('section')
  box.dataset.test = ''
  document.body.append(box)
  box.append(widget)
  await new Promise(resolve => requestAnimationFrame(resolve))
  expect(input(widget)).to.equal(field)
  expect(field.value).to.equal('kept')
})

it('is gone when it leaves the page, and comes back fresh', async () => {
  const widget = await mount()
  widget.remove()
  await until('nothing left', () => !named(widget, 'button', 'Details'))
  document.body.append(widget)
  await get(widget, 'button', 'Details')
})

it('shares one style sheet object between all widgets', async () => {
  const [one, two] = [await mount(), await mount()]
  const sheets = one.shadowRoot.adoptedStyleSheets
  expect(sheets.length).to.equal(5)
  for (const [index, sheet] of sheets.entries()) expect(sheet).to.equal(two.shadowRoot.adoptedStyleSheets[index])
  expect(document.adoptedStyleSheets.length).to.equal(0)
})

it('shows a part that could not be loaded as failed, says so, and loads it on retry', async () => {
  const failed = heard('mkopo-error')
  await loadLibrary()
  const widget = document.createElement('mkopo-fixture-flaky') as Widget
  widget.setAttribute('language', 'en')
  document.body.append(widget)
  const { detail } = await failed
  expect([detail.tag, detail.type, detail.message]).to.deep.equal(['mkopo-fixture-flaky', 'network', 'connection lost'])
  await shows(widget, 'This part could not be loaded')
  ;(await get(widget, 'button', 'Retry')).click()
  await get(widget, 'button', 'Details')
})

it('keeps a crash inside its own box', async () => {
  const [broken, other] = [await mount(), await mount()]
  const failed = heard('mkopo-error')
  ;(await get(broken, 'button', 'Break')).click()
  expect((await failed).detail.type).to.equal('render')
  await shows(broken, 'This content could not be shown')
  await get(other, 'button', 'Details')
  ;(await get(broken, 'button', 'Retry')).click()
  await get(broken, 'button', 'Details')
})

it('follows the theme of its attribute, and otherwise the page', async () => {
  const widget = await mount()
  const scheme = () => getComputedStyle(widget.shadowRoot.querySelector('.w-root')!).colorScheme
  expect(scheme()).to.equal('light')
  widget.setAttribute('theme', 'dark')
  await until('dark', () => scheme() === 'dark')
  widget.removeAttribute('theme')
  await until('light', () => scheme() === 'light')
})

it('C13: reads attributes by their type, and takes what does not parse as absent', async () => {
  const widget = await mount({ rows: '2', readonly: '', language: '', 'order-no': '', token: '' })
  const seen = () => [widget.shadowRoot.querySelectorAll('tr').length, input(widget).disabled]
  await shows(widget, 'signed out')
  expect(seen()).to.deep.equal([2, true])
  for (const [rows, readonly, expected] of [
    ['', 'false', [5, false]],
    ['3', 'true', [3, true]],
    ['many', 'false', [5, false]],
    ['1', 'readonly', [1, true]],
  ] as const) {
    widget.setAttribute('rows', rows)
    widget.setAttribute('readonly', readonly)
    await until(`rows="${rows}"`, () => JSON.stringify(seen()) === JSON.stringify(expected))
  }
})

it('keeps state and focus through moveBefore', async () => {
  const widget = await mount()
  const field = input(widget)
  field.focus()
  await sendKeys({ type: 'kept' })
  const box = document.createElement('section') as HTMLElement & { moveBefore: (node: Node, at: null) => void }
  box.dataset.test = ''
  document.body.append(box)
  box.moveBefore(widget, null)
  await new Promise(resolve => requestAnimationFrame(resolve))
  expect(input(widget)).to.equal(field)
  expect([field.value, widget.shadowRoot.activeElement]).to.deep.equal(['kept', field])
})
