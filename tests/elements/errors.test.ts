import '../../core/element/events.ts'
import { list, tokens } from './list.ts'
import { afterEach, clear, collect, expect, it, shows, until } from './page.ts'
import { fakeServer, realServer } from './server.ts'

afterEach(() => {
  clear()
  realServer()
})

for (const [type, answer, code] of [
  ['network', 'no answer', undefined],
  ['forbidden', { code: 40301, msg: 'Not yours' }, 40301],
  ['server', { code: 50001, msg: 'Something broke' }, 50001],
  ['contract', { code: 0, data: { list: 'none' } }, undefined],
] as const)
  it(`tells the host of a ${type} error, and reads again on its retry`, async () => {
    const { T1 } = tokens()
    const server = fakeServer({ [T1]: 'ann' })
    server.answer('/fixture/page', answer)
    const events = collect('mkopo-error')
    const widget = await list({ token: T1 })
    const { detail } = await until('the error', () => events()[0])
    expect([detail.tag, detail.type, detail.code]).to.deep.equal(['mkopo-fixture-list', type, code])
    expect(detail.message).to.be.a('string').and.not.equal('')
    server.answer('/fixture/page', undefined)
    detail.retry()
    await shows(widget, 'ORDER-OF-ANN')
  })

it('tells the host of a session error, and reconnects on its retry', async () => {
  const { T1, T2 } = tokens()
  const server = fakeServer({})
  let next = 'dead'
  const events = collect('mkopo-error')
  const widget = await list({ token: T1, fetchToken: async () => next })
  const { detail } = await until('the error', () => events()[0])
  expect([detail.type, detail.code]).to.deep.equal(['session', -10])
  server.people[T2] = 'ann'
  next = T2
  detail.retry()
  await shows(widget, 'ORDER-OF-ANN')
})
