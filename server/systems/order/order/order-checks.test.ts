import { describe, expect, it } from 'vitest'
import { checkKeys } from '../../../../core/contract/order/order.ts'
import { checksOf } from './order-checks.ts'

const sarah = {
  customerName: 'Sarah Nakato',
  idNumber: 'CF92012345ABCD',
  gender: 'female',
  birthDate: '1992-05-06',
  phone: '256772000031',
  walletAccount: '256772000031',
  payoutHolderName: 'NAKATO SARAH',
  payoutVerify: 'passed',
}
const resultsOf = (o: Partial<typeof sarah> | Record<string, unknown>) =>
  Object.fromEntries(
    checksOf({ ...sarah, ...o } as Parameters<typeof checksOf>[0]).map(check => [check.checkKey, check.checkResult]),
  )

describe('the checks of an order', () => {
  it('are one line per thing to compare', () => {
    expect(
      checksOf(sarah)
        .map(check => check.checkKey)
        .sort(),
    ).toEqual([...checkKeys.values].sort())
    expect(resultsOf({})).toEqual({
      wallet_name: 'match',
      phone_owner: 'match',
      birth_date: 'match',
      gender: 'match',
      registry_name: 'unknown',
      bvn_name: 'unknown',
      face: 'unknown',
      location: 'unknown',
    })
  })

  it('show mismatches first, then what nobody knows', () => {
    const checks = checksOf({ ...sarah, gender: 'male', payoutHolderName: 'Peter Okello' })
    expect(checks.slice(0, 3)).toEqual([
      { checkKey: 'wallet_name', left: 'Sarah Nakato', right: 'Peter Okello', checkResult: 'mismatch' },
      { checkKey: 'gender', left: 'male', right: 'female', checkResult: 'mismatch' },
      { checkKey: 'phone_owner', left: 'Sarah Nakato', right: 'Peter Okello', checkResult: 'mismatch' },
    ])
    expect(checks.at(-1)).toMatchObject({ checkKey: 'birth_date', checkResult: 'match' })
  })

  it.each([
    [{ payoutHolderName: null, payoutVerify: 'unavailable' }, 'wallet_name', 'unknown'],
    [{ payoutHolderName: null, payoutVerify: 'accepted' }, 'wallet_name', 'unknown'],
    [{ payoutHolderName: null, payoutVerify: 'passed' }, 'wallet_name', 'match'],
    [{ payoutHolderName: null, payoutVerify: 'failed' }, 'wallet_name', 'mismatch'],
    [{ payoutHolderName: null }, 'phone_owner', 'unknown'],
    [{ walletAccount: '256701112223' }, 'phone_owner', 'unknown'],
    [{ walletAccount: null }, 'phone_owner', 'unknown'],
    [{ birthDate: '1991-05-06' }, 'birth_date', 'mismatch'],
    [{ birthDate: null }, 'birth_date', 'unknown'],
    [{ simName: 'Peter Okello' }, 'phone_owner', 'mismatch'],
    [{ simName: 'Nakato Sarah', walletAccount: null }, 'phone_owner', 'match'],
    [{ bvnName: 'NAKATO SARAH' }, 'bvn_name', 'match'],
    [{ bvnName: 'Wasswa Kizito' }, 'bvn_name', 'mismatch'],
    [{ faceScore: '79.9', faceThreshold: '80.0' }, 'face', 'mismatch'],
    [{ faceScore: '80.0', faceThreshold: '80.0' }, 'face', 'match'],
    [{ metersFromHome: 30_000 }, 'location', 'match'],
    [{ metersFromHome: 30_001 }, 'location', 'mismatch'],
    [{ idNumber: 'CFAB012345ABCD' }, 'birth_date', 'unknown'],
    [{ idNumber: 'cm92012345abcd' }, 'gender', 'mismatch'],
    [{ gender: null }, 'gender', 'unknown'],
  ])('%j: %s is %s', (o, key, result) => {
    expect(resultsOf(o)[key]).toBe(result)
  })

  it('show names the way they may be seen, and nothing else changed', () => {
    const checks = checksOf(sarah, () => '***')
    expect(checks.find(check => check.checkKey === 'wallet_name')).toEqual({
      checkKey: 'wallet_name',
      left: '***',
      right: '***',
      checkResult: 'match',
    })
    expect(checks.find(check => check.checkKey === 'birth_date')).toEqual({
      checkKey: 'birth_date',
      left: '1992-05-06',
      right: '92',
      checkResult: 'match',
    })
  })
})
