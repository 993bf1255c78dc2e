import { describe, expect, it } from 'vitest'
import { GatewayUnavailable, type PayoutGateway } from '../../../../gateways/gateway.ts'
import { isSameName, nameMatch, verifyHolder } from './holder.ts'

describe('how alike two names are', () => {
  it.each([
    ['Sarah Nakato', 'Sarah Nakato', 1],
    ['Sarah Nakato', 'NAKATO  SARAH', 1],
    ['Sarah Nakató', 'sarah nakato', 1],
    ['Sarah K. Nakato', 'Sarah Nakato', 0.8],
    ['Sarah Nakato', 'Sarah Achieng', 0.5],
    ['Sarah Sarah', 'Sarah Nakato', 0.5],
    ['Sarah Nakato', 'Peter Okello', 0],
    ['', '', 0],
    ['莎拉', 'Sarah', 0],
  ])('%s and %s: %d', (a, b, score) => {
    expect(nameMatch(a, b)).toBe(score)
    expect(nameMatch(b, a)).toBe(score)
  })

  it('is enough from four words in five', () => {
    expect(isSameName('Sarah K Nakato', 'Nakato Sarah')).toBe(true)
    expect(isSameName('Sarah Nakato', 'Sarah Achieng')).toBe(false)
  })
})

describe('asking for the holder', () => {
  const network = (answer: () => Promise<{ name: string } | null>) => ({
    mtn_momo: { verifyHolder: answer } as unknown as PayoutGateway,
  })
  const named = (name: string | null) => network(async () => (name === null ? null : { name }))
  const sarah = { customerName: 'Sarah Nakato', phone: '256772000031' }
  const own = { payoutSubtype: 'mtn', walletAccount: sarah.phone }
  const other = { ...own, walletAccount: '256772000099' }
  const ask = (gateways: Parameters<typeof verifyHolder>[0], instrument: Parameters<typeof verifyHolder>[1] = own) =>
    verifyHolder(gateways, instrument, sarah)

  it('compares with the name of the customer', async () => {
    const found = { verifyResult: 'passed', holderName: 'Nakato Sarah', matchScore: 1 }
    expect(await ask(named('Nakato Sarah'))).toEqual(found)
    expect(await ask(named(null))).toEqual({ verifyResult: 'failed', holderName: null, matchScore: null })
    expect(await ask(named('Peter Okello'))).toEqual({
      verifyResult: 'failed',
      holderName: 'Peter Okello',
      matchScore: 0,
    })
  })

  it('says of a number that is not the customer’s own no more than whether it matches', async () => {
    const silentOn = { holderName: null, matchScore: null }
    expect(await ask(named('Nakato Sarah'), other)).toEqual({ verifyResult: 'passed', ...silentOn })
    expect(await ask(named('Peter Okello'), other)).toEqual({ verifyResult: 'failed', ...silentOn })
    expect(await ask(named(null), other)).toEqual({ verifyResult: 'failed', ...silentOn })
  })

  it('asks the network of the account', async () => {
    const both = {
      mtn_momo: network(() => Promise.reject(new Error('must not be asked'))).mtn_momo,
      airtel_money: named('Nakato Sarah').mtn_momo,
    }
    expect(await ask(both, { ...own, payoutSubtype: 'airtel' })).toMatchObject({ verifyResult: 'passed' })
  })

  it('does not know without an answer, or where nobody can be asked', async () => {
    const unavailable = { verifyResult: 'unavailable', holderName: null, matchScore: null }
    const silent = network(() => Promise.reject(new GatewayUnavailable('busy')))
    const never = network(() => Promise.reject(new Error('must not be asked')))
    expect(await ask(silent)).toEqual(unavailable)
    expect(await ask(never, { ...own, payoutSubtype: 'airtel' })).toEqual(unavailable)
    expect(await ask(never, { ...own, payoutSubtype: 'bank_transfer' })).toEqual(unavailable)
    expect(await ask(never, { ...own, walletAccount: null })).toEqual(unavailable)
    await expect(ask(never)).rejects.toThrow('must not be asked')
  })
})
