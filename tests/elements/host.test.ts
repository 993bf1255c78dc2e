import type { EventName } from '../../core/element/events.ts'
import { form, list, submit, tokens } from './list.ts'
import { afterEach, clear, collect, expect, get, it, shows, until } from './page.ts'
import { fakeServer, realServer } from './server.ts'

afterEach(() => {
  clear()
  realServer()
})

/** What a page may hear, event by event. */
const heardOf: Record<EventName, readonly string[]> = {
  'mkopo-ready': ['tag', 'version'],
  'mkopo-error': ['tag', 'type', 'code', 'message', 'retry'],
  'mkopo-navigate': ['to', 'query', 'target'],
  'mkopo-filters-change': [...['filters', 'sort', 'pageNum', 'pageSize', 'open', 'columns', 'density', 'view']],
  'mkopo-row-open': ['tag', 'id'],
  'mkopo-action': ['action', 'ids', 'outcome', 'counts'],
  'mkopo-toast': ['type', 'message', 'ms'],
  'mkopo-token-expired': ['tag', 'reason'],
}

it('C9: a page hears keys, states and counts of its elements: no token, no typed text, no value of a row', async () => {
  const { T1 } = tokens()
  const server = fakeServer({ [T1]: 'ann' })
  const events = collect(...(Object.keys(heardOf) as EventName[]))
  const widget = await list({ token: T1 })
  await shows(widget, 'ORDER-OF-ANN')
  const amount = widget.shadowRoot.querySelector('tbody tr')?.textContent?.match(/[\d,]{5,}/)?.[0] ?? ''
  expect(amount).to.not.equal('')
  await form(widget, 'her phone is 256772123456')
  submit(widget)
  await until('the action', () => events().find(one => one.type === 'mkopo-action'))
  server.answer('/fixture/page', { code: 50001, msg: 'Something broke' })
  ;(await get(widget, 'button', 'Reload')).click()
  await until('the error', () => events().find(one => one.type === 'mkopo-error'))
  const heard = new Set(events().map(one => one.type))
  for (const type of ['mkopo-ready', 'mkopo-action', 'mkopo-toast', 'mkopo-error']) expect([...heard]).to.include(type)
  for (const { type, detail } of events() as unknown as { type: EventName; detail: object }[]) {
    expect(
      Object.keys(detail).filter(name => !heardOf[type].includes(name)),
      type,
    ).to.deep.equal([])
    const words = JSON.stringify(detail)
    for (const secret of [T1, '256772123456', amount]) expect(words, type).to.not.include(secret)
  }
})

it('C11: a page that put itself before fetch sees the calls of its own person, with the token in headers alone and no cookie', async () => {
  const { T1 } = tokens()
  fakeServer({ [T1]: 'ann' })
  const own = window.fetch
  const seen: { url: string; init: RequestInit | undefined }[] = []
  window.fetch = (url, init) => {
    seen.push({ url: String(url instanceof Request ? url.url : url), init })
    return own(url, init)
  }
  const define = customElements.define
  customElements.define = () => {
    throw new Error('taken')
  }
  try {
    const widget = await list({ token: T1 })
    await shows(widget, 'ORDER-OF-ANN')
  } finally {
    window.fetch = own
    customElements.define = define
  }
  expect(seen.length).to.be.greaterThan(0)
  for (const { url, init } of seen) {
    expect(url).to.not.include(T1)
    expect(String(init?.body ?? '')).to.not.include(T1)
    expect(init?.credentials).to.equal('omit')
  }
})
