import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mtnMomo } from '../gateways/mtn-momo.ts'
import { defaultMix, draw, type Mix, payoutMix } from './network/seed.ts'
import { freshDir, type Momo, startMomo } from './testing.ts'

const parties = Array.from({ length: 2000 }, (_, n) => `2567720${String(n).padStart(5, '0')}`)
const cases = Object.keys(payoutMix) as (keyof typeof payoutMix)[]
const none = () => []
const drawn = (seed: number, mix: Mix) =>
  parties.map(party => draw(seed, mix, { party, nth: 0, cases, variants: none }))

describe('drawing', () => {
  it('is the same for a seed, and another for another', () => {
    expect(drawn(7, defaultMix)).toEqual(drawn(7, defaultMix))
    expect(drawn(7, defaultMix)).not.toEqual(drawn(8, defaultMix))
  })

  it('keeps to the mix', () => {
    const count = (code: string) => drawn(7, { G01: 3, G04: 1 }).filter(one => one?.code === code).length
    expect(count('G01') / parties.length).toBeCloseTo(0.75, 1)
    expect(count('G04')).toBe(parties.length - count('G01'))
    expect(drawn(7, { R01: 1 }).every(one => one === null)).toBe(true)
  })

  it('meets every case of the default mix', () => {
    expect(new Set(drawn(7, defaultMix).map(one => one?.code))).toEqual(new Set(cases))
  })

  it('chooses a variant, and another case the next time', () => {
    const variants = () => ['a', 'b']
    const one = (nth: number) => draw(7, { G03: 1, G05: 1 }, { party: '256772000001', nth, cases, variants })
    expect(new Set(Array.from({ length: 20 }, (_, nth) => one(nth)?.code))).toEqual(new Set(['G03', 'G05']))
    expect(new Set(Array.from({ length: 20 }, (_, nth) => one(nth)?.variant))).toEqual(new Set(['a', 'b']))
  })
})

describe('a seeded network', () => {
  let dir: string
  let momo: Momo
  beforeAll(async () => {
    dir = freshDir()
    momo = await startMomo({ dir })
  })
  afterAll(() => momo.stop())

  const pay = async (network: Momo, wallets: readonly string[]) => {
    const gateway = mtnMomo(network.config, { timeoutMs: 500 })
    for (const walletAccount of wallets)
      await gateway.send({
        externalId: `LC${randomUUID()}-1`,
        gatewayRef: randomUUID(),
        amount: '50000.00',
        payee: { walletAccount },
        payerMessage: '',
      })
  }
  const met = async (network: Momo) => {
    const { operations, lost } = await network.operations()
    return Object.fromEntries([...operations, ...lost].map(({ party, code, variant }) => [party, [code, variant]]))
  }
  const mix = { G01: 2, G03: 2, G04: 1, G07: 1 }
  const wallets = parties.slice(100, 112)

  it('gives the same cases to the same payees in whatever order, and says which', async () => {
    const other = await startMomo()
    for (const network of [momo, other]) await network.seed(42, mix)
    await pay(momo, wallets)
    await pay(other, [...wallets].reverse())
    const cases = await met(momo)
    expect(Object.keys(cases)).toHaveLength(wallets.length)
    expect(new Set(Object.values(cases).map(([code]) => code)).size).toBeGreaterThan(2)
    expect(await met(other)).toEqual(cases)
    await other.stop()
  })

  it('still draws after it was killed, and a scenario goes first', async () => {
    await momo.stop('SIGKILL')
    momo = await startMomo({ dir })
    await momo.scenario({ match: 'payee', value: parties[0], case: 'G21' })
    await pay(momo, parties.slice(0, 1))
    expect((await met(momo))[String(parties[0])]).toEqual(['G21', 'unpaid'])
    await momo.seed(42, { G05: 1 })
    await pay(momo, parties.slice(1, 2))
    expect((await met(momo))[String(parties[1])]).toEqual(['G05', null])
  })

  it('draws what customers pay too, unless a case is named', async () => {
    await momo.seed(42, { R02: 1 })
    await momo.payIn({ reference: '7001', payer: parties[2], amount: 5000 })
    await momo.payIn({ reference: '7001', payer: parties[3], amount: 5000, case: 'R04' })
    expect(await met(momo)).toMatchObject({ [String(parties[2])]: ['R02', null], [String(parties[3])]: ['R04', null] })
  })

  it('goes by numbers again when the seed is taken away', async () => {
    await momo.seed(null)
    await pay(momo, ['256772000121'])
    expect((await met(momo))['256772000121']).toEqual(['G21', 'unpaid'])
  })

  it('refuses a seed or a mix that is none', async () => {
    await expect(momo.seed(1.5)).rejects.toThrow('whole number')
    await expect(momo.seed(1, { G99: 1 })).rejects.toThrow('mix')
    await expect(momo.seed(1, { G01: -1 })).rejects.toThrow('mix')
  })
})
