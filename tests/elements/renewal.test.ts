import '../../core/element/events.ts'
import { asksWith, list, panel, tokens } from './list.ts'
import { afterEach, clear, collect, expect, it, shows, until } from './page.ts'
import { fakeServer, realServer } from './server.ts'

const clock = Date.now
let slept = 0

afterEach(() => {
  clear()
  realServer()
  Date.now = clock
  slept = 0
})

/** Lets the wall clock jump on, as it does while a computer sleeps, and wakes the page. */
const sleep = (seconds: number) => {
  slept += seconds
  const ahead = slept * 1000
  Date.now = () => clock() + ahead
  document.dispatchEvent(new Event('visibilitychange'))
}

/** Sleeps again and again, half a minute each time, until something has come of it. */
const sleepUntil = (what: string, probe: () => boolean) =>
  until(what, () => {
    if (probe()) return true
    sleep(30)
    return false
  })

/** Sleeps through the whole life of a token. */
const sleepThrough = async () => {
  let naps = 0
  await sleepUntil('the end of a token', () => naps++ > 40)
}

it('renews a token before it ends, once for the widgets that hold it, and nothing is read again', async () => {
  const { T1 } = tokens()
  const server = fakeServer({ [T1]: 'ann' }, { expiresIn: 111 })
  const events = collect('mkopo-token-expired', 'mkopo-error')
  const [one, two] = [await list({ token: T1 }), await list({ token: T1 })]
  await shows(one, 'ORDER-OF-ANN')
  await shows(two, 'ORDER-OF-ANN')
  const read = server.to('/fixture/page').length
  await server.heard('/embed/refresh', 1)
  expect(server.to('/embed/refresh').map(({ token }) => token)).to.deep.equal([T1])
  expect(server.to('/fixture/page').length).to.equal(read)
  expect(server.to('/user/self').length).to.equal(1)
  expect(document.documentElement.outerHTML).not.to.contain(T1)
  for (const widget of [one, two]) await asksWith(server, widget, `${T1}+`)
  expect(events()).to.deep.equal([])
})

it('looks at the clock when it wakes, whatever its timers say', async () => {
  const { T1 } = tokens()
  const server = fakeServer({ [T1]: 'ann' }, { expiresIn: 900 })
  const widget = await list({ token: T1 })
  await shows(widget, 'ORDER-OF-ANN')
  const renewed = (times: number) => () => server.to('/embed/refresh').length >= times
  await sleepUntil('the renewal', renewed(1))
  await asksWith(server, widget, `${T1}+`)
  await sleepUntil('the next one', renewed(2))
  await asksWith(server, widget, `${T1}++`)
  expect(server.to('/embed/refresh').map(({ token }) => token)).to.deep.equal([T1, `${T1}+`])
})

it('tries again when no answer came', async () => {
  const { T1 } = tokens()
  const server = fakeServer({ [T1]: 'ann' }, { expiresIn: 900 })
  const widget = await list({ token: T1 })
  await shows(widget, 'ORDER-OF-ANN')
  server.answer('/embed/refresh', 'no answer')
  await sleepUntil('the first try', () => server.to('/embed/refresh').length > 0)
  server.answer('/embed/refresh', undefined)
  const tried = server.to('/embed/refresh').length
  await sleepUntil('the next try', () => server.to('/embed/refresh').length > tried)
  await asksWith(server, widget, `${T1}+`)
})

it('leaves a refusal to the next call', async () => {
  const { T1 } = tokens()
  const server = fakeServer({ [T1]: 'ann' }, { expiresIn: 900 })
  const widget = await list({ token: T1 })
  await shows(widget, 'ORDER-OF-ANN')
  server.answer('/embed/refresh', { code: 40901, msg: 'The token can no longer be renewed' })
  await sleepThrough()
  expect(server.to('/embed/refresh').length).to.equal(1)
  expect(panel(widget)).to.equal(false)
  await asksWith(server, widget, T1)
})

it('asks for nothing when the server says that the token cannot be renewed', async () => {
  const { T1 } = tokens()
  const server = fakeServer({ [T1]: 'ann' }, { expiresIn: 900, renewable: false })
  await shows(await list({ token: T1 }), 'ORDER-OF-ANN')
  await sleepThrough()
  expect(server.to('/embed/refresh')).to.deep.equal([])
})

it('renews nothing that nobody holds any more', async () => {
  const { T1 } = tokens()
  const server = fakeServer({ [T1]: 'ann' }, { expiresIn: 900 })
  const widget = await list({ token: T1 })
  await shows(widget, 'ORDER-OF-ANN')
  widget.remove()
  await sleepThrough()
  expect(server.to('/embed/refresh')).to.deep.equal([])
})
