import { describe, expect, it } from 'vitest'
import { GatewayUnavailable, type PayoutGateway } from '../gateways/gateway.ts'
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
  const mtn = { payoutSubtype: 'mtn', walletAccount: '256772000031', cardholderName: 'Sarah Nakato' }

  it('compares the names', async () => {
    expect(
      await verifyHolder(
        network(async () => ({ name: 'Nakato Sarah' })),
        mtn,
      ),
    ).toEqual({ verifyResult: 'passed', holderName: 'Nakato Sarah', matchScore: 1 })
    expect(
      await verifyHolder(
        network(async () => null),
        mtn,
      ),
    ).toEqual({ verifyResult: 'failed', holderName: null, matchScore: 0 })
  })

  it('asks the network of the account', async () => {
    const airtel = network(async () => ({ name: 'Nakato Sarah' })).mtn_momo
    const both = {
      mtn_momo: network(() => Promise.reject(new Error('must not be asked'))).mtn_momo,
      airtel_money: airtel,
    }
    expect(await verifyHolder(both, { ...mtn, payoutSubtype: 'airtel' })).toMatchObject({ verifyResult: 'passed' })
  })

  it('does not know without an answer, or where nobody can be asked', async () => {
    const unavailable = { verifyResult: 'unavailable', holderName: null, matchScore: 0 }
    const silent = network(() => Promise.reject(new GatewayUnavailable('busy')))
    const never = network(() => Promise.reject(new Error('must not be asked')))
    expect(await verifyHolder(silent, mtn)).toEqual(unavailable)
    expect(await verifyHolder(never, { ...mtn, payoutSubtype: 'airtel' })).toEqual(unavailable)
    expect(await verifyHolder(never, { ...mtn, payoutSubtype: 'bank_transfer' })).toEqual(unavailable)
    expect(await verifyHolder(never, { ...mtn, walletAccount: null })).toEqual(unavailable)
    await expect(verifyHolder(never, mtn)).rejects.toThrow('must not be asked')
  })
})
