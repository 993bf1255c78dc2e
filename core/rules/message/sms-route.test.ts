import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { orderRoutes, type Routed, type SmsRoute, standingOf } from './sms-route.ts'

const route = (routeNo: string, more: Partial<SmsRoute> = {}): SmsRoute => ({
  ...{ routeNo, merchantNo: null, appCode: null, network: 'any', scenes: [], accountNo: `sms-${routeNo}` },
  ...{ senderId: 'NILE', routeWeight: 100, failoverOrder: 1, standing: 'good', closed: false },
  ...more,
})
const of: Routed = { merchantNo: 'M1', appCode: 'Kasa', network: 'mtn', scene: 'login', seed: 'MS1' }
const order = (routes: SmsRoute[], more: Partial<Routed> = {}) =>
  orderRoutes(routes, { ...of, ...more }).map(({ route: { routeNo }, reason }) => `${routeNo} ${reason}`)

describe('the routes of a text', () => {
  it('are those of the narrowest scope first: app, merchant, all; network; scene', () => {
    const routes = [
      route('all'),
      route('scene', { scenes: ['login'] }),
      route('network', { network: 'mtn' }),
      route('merchant', { merchantNo: 'M1' }),
      route('app', { appCode: 'Kasa' }),
    ]
    expect(order(routes)).toEqual(['app weight', 'merchant wider', 'network wider', 'scene wider', 'all wider'])
  })
  it('leave out what does not fit, and what is closed', () => {
    const routes = [
      route('airtel', { network: 'airtel' }),
      route('other', { merchantNo: 'M2' }),
      route('withdraw', { scenes: ['withdraw'] }),
      route('full', { closed: true }),
    ]
    expect(order(routes)).toEqual([])
  })
  it('end with what is skipped, so that a text is never left without one', () => {
    const routes = [route('a', { standing: 'skipped' }), route('b', { failoverOrder: 2, routeWeight: 0 })]
    expect(order(routes)).toEqual(['b weight', 'a skipped'])
    expect(order([route('a', { standing: 'skipped' })])).toEqual(['a skipped'])
  })
  it('share the texts by their weights, and a text takes the same one again', () => {
    const routes = [route('a', { routeWeight: 80 }), route('b', { routeWeight: 20, failoverOrder: 2 })]
    const first = (seed: string) => order(routes, { seed })[0]
    const taken = Array.from({ length: 5_000 }, (_, n) => first(`MS2026${n}`))
    const share = taken.filter(one => one === 'a weight').length / taken.length
    expect(share).toBeGreaterThan(0.76)
    expect(share).toBeLessThan(0.84)
    fc.assert(
      fc.property(fc.string(), seed => {
        expect(order(routes, { seed })).toEqual(order([...routes].reverse(), { seed }))
      }),
    )
  })
  it('try a route that failed by one text in ten', () => {
    const routes = [route('a', { standing: 'probe' }), route('b', { routeWeight: 0, failoverOrder: 2 })]
    const tried = Array.from({ length: 2_000 }, (_, n) => order(routes, { seed: `MS${n}` })[0] === 'a weight')
    const share = tried.filter(Boolean).length / tried.length
    expect(share).toBeGreaterThan(0.06)
    expect(share).toBeLessThan(0.14)
  })
})

it.each([
  [{ ended: 19, delivered: 0, seconds: 10 }, 'good'],
  [{ ended: 50, delivered: 30, seconds: 10 }, 'good'],
  [{ ended: 50, delivered: 29, seconds: 10 }, 'skipped'],
  [{ ended: 50, delivered: 29, seconds: 301 }, 'probe'],
] as const)('a route stands by its last texts (%#)', (last, standing) => expect(standingOf(last)).toBe(standing))
