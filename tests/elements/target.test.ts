import '../../core/element/events.ts'
import { list, tokens } from './list.ts'
import { afterEach, clear, expect, get, it, named, shows, until, type Widget } from './page.ts'
import { fakeServer, realServer } from './server.ts'

const detail = '/admincontent/orderdetailaudit/orderdetail'

afterEach(() => {
  clear()
  realServer()
})

const link = (widget: Widget) => named(widget, 'a', 'ORDER-OF-ANN')

it('draws a link as a link only where the token covers its target', async () => {
  const { T1, T2 } = tokens()
  fakeServer({ [T1]: 'ann' }, { expiresIn: 900 })
  const widget = await list({ token: T1 })
  await shows(widget, 'ORDER-OF-ANN')
  await get(widget, 'button', 'Approve')
  expect(link(widget)).to.equal(undefined)
  fakeServer({ [T2]: 'ann' }, { expiresIn: 900, paths: [detail] })
  const other = await list({ token: T2 })
  await until('the link', () => link(other))
})

it('opens the target in a drawer of its own unless the page takes it', async () => {
  const { T1 } = tokens()
  fakeServer({ [T1]: 'ann' }, { expiresIn: 900, paths: [detail] })
  const widget = await list({ token: T1, accent: 'blue' })
  await shows(widget, 'ORDER-OF-ANN')
  const address = location.href
  const heard: unknown[] = []
  const take = (event: Event) => {
    event.preventDefault()
    heard.push((event as CustomEvent).detail)
  }
  document.addEventListener('mkopo-navigate', take, { once: true })
  ;(await until('the link', () => link(widget))).click()
  expect(heard).to.deep.equal([
    {
      to: '/AdminContent/OrderDetailAudit/OrderDetail',
      query: { orderNo: 'ORDER-OF-ANN' },
      target: 'same',
    },
  ])
  expect(named(widget, '[role=dialog] mkopo-fixture-detail', '')).to.equal(undefined)
  link(widget)?.click()
  const inner = await until('the drawer', () =>
    widget.shadowRoot.querySelector<Widget>('[role=dialog] mkopo-fixture-detail'),
  )
  await shows(inner, 'Order ORDER-OF-ANN')
  expect([inner.language, inner.accent]).to.deep.equal(['en', 'blue'])
  expect(inner.hasAttribute('token')).to.equal(false)
  expect(location.href).to.equal(address)
  ;(await get(widget, '[role=dialog] button', 'Close')).click()
  await until('the end of the drawer', () => !widget.shadowRoot.querySelector('mkopo-fixture-detail'))
})
