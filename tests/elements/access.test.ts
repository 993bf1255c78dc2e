import '../../core/element/events.ts'
import { asksWith, filter, form, list, panel, submit, tokens } from './list.ts'
import { afterEach, clear, collect, expect, get, it, loadLibrary, named, shows, until, type Widget } from './page.ts'
import { fakeServer, realServer } from './server.ts'

afterEach(() => {
  clear()
  realServer()
})

it('C3: takes the token out of the page as soon as it has read it', async () => {
  const { T1 } = tokens()
  fakeServer({ [T1]: 'ann' })
  await loadLibrary()
  const box = document.createElement('div')
  box.dataset.test = ''
  box.innerHTML = `<mkopo-fixture-list token="${T1}" language="en"></mkopo-fixture-list>`
  document.body.append(box)
  const widget = box.firstElementChild as Widget
  await until('the upgrade', () => widget.shadowRoot)
  await shows(widget, 'ORDER-OF-ANN')
  expect([widget.token, widget.hasAttribute('token')]).to.deep.equal([undefined, false])
  expect((widget.cloneNode(true) as Widget).hasAttribute('token')).to.equal(false)
  expect(document.documentElement.outerHTML).not.to.contain(T1)
  widget.removeAttribute('token')
  await until('the panel', () => panel(widget))
})

it('names its version in every request', async () => {
  const { T1 } = tokens()
  const server = fakeServer({ [T1]: 'ann' })
  await shows(await list({ token: T1 }), 'ORDER-OF-ANN')
  for (const { version } of server.sent) expect(version).to.match(/^\d+\.\d+\.\d+-[0-9a-f]{10}$/)
})

it('asks for a token once for all widgets that share the function, and sends what waited once more', async () => {
  const { T1, T2 } = tokens()
  const server = fakeServer({ [T1]: 'ann' })
  let calls = 0
  const fetchToken = async () => {
    calls += 1
    server.people[T2] = 'ann'
    return T2
  }
  const [one, two] = [await list({ token: T1, fetchToken }), await list({ token: T1, fetchToken })]
  await shows(one, 'ORDER-OF-ANN')
  await shows(two, 'ORDER-OF-ANN')
  const events = collect('mkopo-token-expired', 'mkopo-error')
  const field = await form(one, 'kept')
  delete server.people[T1]
  submit(one)
  ;(await get(two, 'button', 'Reload')).click()
  await until('the end of the form', () => !field.isConnected)
  await server.heard('/fixture/note', 2)
  expect(calls).to.equal(1)
  const notes = server.to('/fixture/note')
  expect(notes.map(({ token, body }) => ({ token, body }))).to.deep.equal(
    [T1, T2].map(token => ({ token, body: { orderNo: 'ORDER-OF-ANN', remark: 'kept' } })),
  )
  expect(notes[0]?.key).to.match(/^[0-9a-f]{32}$/)
  expect(notes[1]?.key).to.equal(notes[0]?.key)
  expect(events()).to.deep.equal([])
  expect([panel(one), panel(two)]).to.deep.equal([false, false])
  for (const widget of [one, two]) await asksWith(server, widget, T2)
})

it('starts without a token where it can ask for one', async () => {
  const { T1 } = tokens()
  const server = fakeServer({ [T1]: 'ann' })
  await shows(await list({ fetchToken: async () => T1 }), 'ORDER-OF-ANN')
  expect(server.sent.filter(({ token }) => token !== T1)).to.deep.equal([])
})

it('starts with the token of the widgets that were there before, and does not ask again', async () => {
  const { T1 } = tokens()
  const server = fakeServer({ [T1]: 'ann' })
  let asked = 0
  const fetchToken = async () => {
    asked += 1
    return T1
  }
  await shows(await list({ fetchToken }), 'ORDER-OF-ANN')
  const later = await list({ fetchToken })
  await shows(later, 'ORDER-OF-ANN')
  await asksWith(server, later, T1)
  expect(asked).to.equal(1)
})

it('ends when the new token is refused as well', async () => {
  const { T1 } = tokens()
  const server = fakeServer({ [T1]: 'ann' })
  const widget = await list({ token: T1, fetchToken: async () => 'dead' })
  await shows(widget, 'ORDER-OF-ANN')
  const events = collect('mkopo-token-expired')
  delete server.people[T1]
  const before = server.to('/fixture/page').length
  ;(await get(widget, 'button', 'Reload')).click()
  await until('the panel', () => panel(widget))
  expect(events().map(event => event.detail)).to.deep.equal([{ tag: 'mkopo-fixture-list', reason: 'revoked' }])
  expect(
    server
      .to('/fixture/page')
      .slice(before)
      .map(({ token }) => token),
  ).to.deep.equal([T1, 'dead'])
})

it('ends when no new token is given, reconnects when asked to, and goes on with filters and form', async () => {
  const { T1, T2 } = tokens()
  const server = fakeServer({ [T1]: 'ann' })
  let good = false
  const fetchToken = async () => {
    if (!good) throw new Error('no session at the partner')
    return T2
  }
  const widget = await list({ token: T1, fetchToken })
  await shows(widget, 'ORDER-OF-ANN')
  await filter(widget, 'LO1')
  await until('the filter', () =>
    server.to('/fixture/page').some(({ body }) => (body as { orderNo?: string }).orderNo === 'LO1'),
  )
  const field = await form(widget, 'half a sentence')
  const events = collect('mkopo-token-expired', 'mkopo-error')
  delete server.people[T1]
  submit(widget)
  await until('the panel', () => panel(widget))
  expect(events().map(({ type, detail }) => [type, detail.type ?? detail.reason])).to.deep.equal([
    ['mkopo-error', 'session'],
    ['mkopo-token-expired', 'expired'],
  ])
  ;(await get(widget, 'button', 'Reconnect')).click()
  await shows(widget, 'Reconnecting failed')
  good = true
  server.people[T2] = 'ann'
  ;(await get(widget, 'button', 'Reconnect')).click()
  await until('the screen', () => !panel(widget))
  await get(widget, '[role=dialog] button', 'Approve')
  expect(field.isConnected && field.value).to.equal('half a sentence')
  await until('the same filter', () =>
    server.sent.some(({ token, body }) => token === T2 && (body as { orderNo?: string })?.orderNo === 'LO1'),
  )
})

it('ends all widgets of a token that cannot be renewed, and shows no Reconnect', async () => {
  const { T1 } = tokens()
  const server = fakeServer({ [T1]: 'ann' })
  const [one, two] = [await list({ token: T1 }), await list({ token: T1 })]
  await shows(one, 'ORDER-OF-ANN')
  await shows(two, 'ORDER-OF-ANN')
  const address = location.href
  const events = collect('mkopo-token-expired')
  delete server.people[T1]
  ;(await get(one, 'button', 'Reload')).click()
  await until('both panels', () => panel(one) && panel(two))
  expect(events().map(({ target, detail }) => [target, detail.reason])).to.deep.equal([
    [one, 'expired'],
    [two, 'expired'],
  ])
  expect(named(one, 'button', 'Reconnect')).to.equal(undefined)
  expect(location.href).to.equal(address)
})

it('gives somebody else the same filters and nothing else', async () => {
  const { T1, T2 } = tokens()
  const server = fakeServer({ [T1]: 'ann', [T2]: 'ben' })
  const widget = await list({ token: T1 })
  await shows(widget, 'ORDER-OF-ANN')
  await filter(widget, 'LO1')
  const field = await form(widget, 'what Ann typed')
  widget.token = undefined
  await until('the panel', () => panel(widget))
  widget.token = T2
  await shows(widget, 'ORDER-OF-BEN')
  expect(field.isConnected).to.equal(false)
  expect(widget.shadowRoot.querySelector('[role=dialog]')).to.equal(null)
  expect(widget.shadowRoot.textContent).not.to.contain('ORDER-OF-ANN')
  const asked = server.to('/fixture/page').filter(({ token }) => token === T2)
  expect(asked.map(({ body }) => (body as { orderNo?: string }).orderNo)).to.deep.equal(['LO1'])
})

it('C14: sends no command of one person with the token of another', async () => {
  const { T1, T2 } = tokens()
  const server = fakeServer({ [T1]: 'ann', [T2]: 'ben' })
  const widget = await list({ token: T1, fetchToken: async () => T2 })
  await shows(widget, 'ORDER-OF-ANN')
  await form(widget, 'what Ann typed')
  delete server.people[T1]
  submit(widget)
  await shows(widget, 'ORDER-OF-BEN')
  expect(server.to('/fixture/note').map(({ token }) => token)).to.deep.equal([T1])
  expect(widget.shadowRoot.querySelector('[role=dialog]')).to.equal(null)
})

it('sends none either when a call of the list is refused at the same time', async () => {
  const { T1, T2 } = tokens()
  const server = fakeServer({ [T1]: 'ann', [T2]: 'ben' })
  const widget = await list({ token: T1, fetchToken: async () => T2 })
  await shows(widget, 'ORDER-OF-ANN')
  const reload = await get(widget, 'button', 'Reload')
  await form(widget, 'what Ann typed')
  delete server.people[T1]
  reload.click()
  submit(widget)
  await shows(widget, 'ORDER-OF-BEN')
  expect(server.to('/fixture/note').map(({ token }) => token)).to.deep.equal([T1])
  expect(widget.shadowRoot.querySelector('[role=dialog]')).to.equal(null)
})

it('C14: starts over when the host replaces a good token by that of another person', async () => {
  const { T1, T2 } = tokens()
  fakeServer({ [T1]: 'ann', [T2]: 'ben' })
  const widget = await list({ token: T1 })
  await shows(widget, 'ORDER-OF-ANN')
  await form(widget, 'what Ann typed')
  widget.token = T2
  await shows(widget, 'ORDER-OF-BEN')
  await until('no form', () => !widget.shadowRoot.querySelector('[role=dialog]'))
})

it('leaves a widget signed out that the host has signed out, whatever the others renew', async () => {
  const { T1, T2 } = tokens()
  const server = fakeServer({ [T1]: 'ann', [T2]: 'ann' })
  const fetchToken = async () => T2
  const [one, two] = [await list({ token: T1, fetchToken }), await list({ token: T1, fetchToken })]
  await shows(one, 'ORDER-OF-ANN')
  await shows(two, 'ORDER-OF-ANN')
  const events = collect('mkopo-token-expired')
  ;(await get(two, 'button', 'Reload')).click()
  two.token = undefined
  await until('the panel', () => panel(two))
  delete server.people[T1]
  ;(await get(one, 'button', 'Reload')).click()
  await until('the renewal', () => server.to('/fixture/page').at(-1)?.token === T2)
  expect([panel(one), panel(two)]).to.deep.equal([false, true])
  expect(events().map(({ target, detail }) => [target, detail.reason])).to.deep.equal([[two, 'missing']])
})

it('asks once for a token however many calls wait, also when none is given', async () => {
  const { T1 } = tokens()
  let calls = 0
  const server = fakeServer({})
  const fetchToken = async () => {
    calls += 1
    throw new Error('no session at the partner')
  }
  const widget = await list({ token: T1, fetchToken })
  await until('the panel', () => panel(widget))
  await server.heard('/user/self', 1)
  await server.heard('/fixture/page', 1)
  expect(calls).to.equal(1)
})

it('leaves the panel to a page that prevents it', async () => {
  const { T1 } = tokens()
  fakeServer({})
  const prevent = (event: Event) => event.preventDefault()
  document.body.addEventListener('mkopo-token-expired', prevent)
  const widget = await list({ token: T1 })
  await shows(widget, 'Your session has ended')
  document.body.removeEventListener('mkopo-token-expired', prevent)
  expect(panel(widget)).to.equal(false)
})

it('keeps two users of one page apart, and asks once for two widgets of one', async () => {
  const { T1, T2 } = tokens()
  const server = fakeServer({ [T1]: 'ann', [T2]: 'ben' })
  const [one, same, other] = [await list({ token: T1 }), await list({ token: T1 }), await list({ token: T2 })]
  await shows(one, 'ORDER-OF-ANN')
  await shows(same, 'ORDER-OF-ANN')
  await shows(other, 'ORDER-OF-BEN')
  expect(other.shadowRoot.textContent).not.to.contain('ANN')
  for (const path of ['/user/self', '/fixture/page'])
    expect(server.to(path).map(({ token }) => token)).to.deep.equal([T1, T2])
})
