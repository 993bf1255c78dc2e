import '../../core/element/events.ts'
import { filter, list, tokens } from './list.ts'
import { afterEach, clear, collect, expect, get, it, shows, until } from './page.ts'
import { fakeServer, realServer } from './server.ts'

const start = location.href

afterEach(() => {
  clear()
  realServer()
  history.replaceState(null, '', start)
})

const asked = (server: ReturnType<typeof fakeServer>) =>
  server.to('/fixture/page').map(({ body }) => (body as { orderNo?: string }).orderNo)
const entries = () =>
  Object.fromEntries([...new URLSearchParams(location.search)].filter(([name]) => name.includes('.')))

it('leaves the address alone without url-state', async () => {
  const { T1 } = tokens()
  const server = fakeServer({ [T1]: 'ann' })
  const widget = await list({ token: T1 })
  await shows(widget, 'ORDER-OF-ANN')
  await filter(widget, 'LO1')
  await until('the filter', () => asked(server).includes('LO1'))
  expect(location.href).to.equal(start)
})

it('keeps filters in the address under its prefix, beside those of others, and goes back with the browser', async () => {
  const { T1 } = tokens()
  const server = fakeServer({ [T1]: 'ann' })
  const url = new URL(start)
  url.searchParams.set('tab', 'loans')
  url.searchParams.set('b.orderNo', 'LO9')
  history.replaceState(null, '', url)
  const [one, two] = [await list({ token: T1, urlState: 'a' }), await list({ token: T1, urlState: 'b' })]
  await until('both reads', () => asked(server).includes('LO9') && asked(server).includes(undefined))
  await shows(one, 'ORDER-OF-ANN')
  await shows(two, 'ORDER-OF-ANN')
  await filter(one, 'LO1')
  await until('the address', () => entries()['a.orderNo'] === 'LO1')
  expect(entries()['b.orderNo']).to.equal('LO9')
  expect(new URLSearchParams(location.search).get('tab')).to.equal('loans')
  await until('the filter', () => asked(server).includes('LO1'))
  history.back()
  await until('the way back', () => !('a.orderNo' in entries()))
  const field = (await get(one, 'input', 'Order no.')) as HTMLInputElement
  await until('the empty filter', () => field.value === '')
})

it('starts with what the address says', async () => {
  const { T1 } = tokens()
  const server = fakeServer({ [T1]: 'ann' })
  const url = new URL(start)
  url.searchParams.set('a.orderNo', 'LO7')
  history.replaceState(null, '', url)
  const events = collect('mkopo-filters-change')
  const widget = await list({ token: T1, urlState: 'a', filters: { orderNo: 'LO8' } })
  await shows(widget, 'ORDER-OF-ANN')
  expect(asked(server)).to.deep.equal(['LO7'])
  expect(events()).to.deep.equal([])
})
