import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Attempt, PayoutGateway } from '../gateways/gateway.ts'
import { mtnMomo } from '../gateways/mtn-momo.ts'
import { nameOf } from './people.ts'
import { type Momo, startMomo } from './testing.ts'

let momo: Momo
let gateway: PayoutGateway
let n = 0

beforeAll(async () => {
  momo = await startMomo()
  gateway = mtnMomo(momo.config)
})
afterAll(() => momo.stop())

const to = (walletAccount: string): Attempt => {
  n += 1
  return {
    externalId: `LC${n}-1`,
    gatewayRef: randomUUID(),
    amount: '50000.00',
    payee: { walletAccount },
    payerMessage: '',
  }
}

describe('without a scenario', () => {
  it('the last two digits of the number choose the case', async () => {
    const outcome = async (phone: string) => {
      const attempt = to(phone)
      await gateway.send(attempt)
      return gateway.query(attempt)
    }
    expect(await outcome('256772000055')).toMatchObject({ kind: 'success' })
    expect(await outcome('256772000021')).toEqual({ kind: 'pending' })
    expect(await outcome('256772000003')).toMatchObject({ failType: 'payee_invalid' })
    expect(await outcome('256772000103')).toMatchObject({ failType: 'payee_barred' })
    expect(await outcome('256772000020')).toMatchObject({ kind: 'success' })
  })

  it('a scenario for the next payment is used once', async () => {
    await momo.scenario({ match: 'next', case: 'G21' })
    const first = to('256772000031')
    const second = to('256772000031')
    await gateway.send(first)
    await gateway.send(second)
    expect([await gateway.query(first), await gateway.query(second)]).toMatchObject([
      { kind: 'pending' },
      { kind: 'success' },
    ])
  })

  it('a scenario for a payee stays, and can be changed', async () => {
    await momo.scenario({ match: 'payee', value: '256772000032', case: 'G21' })
    const first = to('256772000032')
    await gateway.send(first)
    expect(await gateway.query(first)).toEqual({ kind: 'pending' })
    await momo.scenario({ match: 'payee', value: '256772000032', case: 'G01' })
    const second = to('256772000032')
    await gateway.send(second)
    expect(await gateway.query(second)).toMatchObject({ kind: 'success' })
  })

  it('a scenario that is not understood is refused', async () => {
    for (const body of [
      { match: 'next', case: 'G20' },
      { match: 'some', case: 'G01' },
      { match: 'payee', case: 'G01' },
      { match: 'next', case: 'G01', channel: 'airtel_money' },
    ])
      await expect(momo.scenario(body)).rejects.toThrow('/_sim/scenario')
  })
})

describe('holders', () => {
  it('are named; the last digit 0 names somebody else, 9 nobody', async () => {
    expect(await gateway.verifyHolder('256772000031')).toEqual({ name: nameOf('256772000031') })
    const other = await gateway.verifyHolder('256772000040')
    expect(other?.name.split(' ')[0]).toBe(nameOf('256772000040').split(' ')[0])
    expect(other?.name).not.toBe(nameOf('256772000040'))
    expect(await gateway.verifyHolder('256772000039')).toBeNull()
  })

  it('can be given a name', async () => {
    await momo.holder('256772000049', 'Sarah Nakato')
    expect(await gateway.verifyHolder('256772000049')).toEqual({ name: 'Sarah Nakato' })
  })
})

describe('the door', () => {
  it('refuses a wrong key, a wrong password and no token', async () => {
    const refused = async (change: object) =>
      (await mtnMomo({ ...momo.config, ...change }).send(to('256772000031'))).kind
    expect(await refused({ subscriptionKey: 'wrong' })).toBe('failure')
    expect(await refused({ apiKey: 'wrong' })).toBe('failure')
    expect((await fetch(`${momo.baseUrl}/disbursement/v1_0/account/balance`)).status).toBe(401)
  })

  it('refuses what the provider refuses, without moving money', async () => {
    const before = await momo.truth()
    const attempt = to('256772000031')
    expect(await gateway.send({ ...attempt, gatewayRef: 'not-a-uuid' })).toEqual({ kind: 'none', reason: 'http 400' })
    const wrongPlace = mtnMomo({ ...momo.config, targetEnvironment: 'mtnghana' })
    expect(await wrongPlace.send(attempt)).toEqual({ kind: 'none', reason: 'http 500 NOT_ALLOWED_TARGET_ENVIRONMENT' })
    expect(await momo.truth()).toEqual(before)
  })
})
