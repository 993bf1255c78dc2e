import { describe, expect, it } from 'vitest'
import { addressOf, endOfStep, fromBase32, hotp, stepAt, stepOf, toBase32 } from './totp.ts'

const secret = Buffer.from('12345678901234567890')
const at = (seconds: number) => new Date(seconds * 1000)

describe('the code of a counter', () => {
  it.each([
    [0, '755224'],
    [1, '287082'],
    [2, '359152'],
    [3, '969429'],
    [4, '338314'],
    [5, '254676'],
    [6, '287922'],
    [7, '162583'],
    [8, '399871'],
    [9, '520489'],
  ])('of %i is %s, as RFC 4226 has it', (counter, code) => {
    expect(hotp(secret, counter)).toBe(code)
  })
})

describe('the code of a time', () => {
  it.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('at %i s is %s, as RFC 6238 has it', (seconds, code) => {
    expect(hotp(secret, stepAt(at(seconds)), 8)).toBe(code)
  })

  it('is shown until its 30 seconds are over', () => {
    expect(endOfStep(stepAt(at(59)))).toEqual(at(60))
    expect(endOfStep(stepAt(at(60)))).toEqual(at(90))
  })
})

describe('whether a code is right', () => {
  const now = at(1_800_000_015)
  const step = stepAt(now)

  it('takes that of now, of the step before and of the next one', () => {
    for (const one of [step - 1, step, step + 1]) expect(stepOf(secret, hotp(secret, one), now, 0)).toBe(one)
  })

  it('takes none that is two steps away', () => {
    for (const one of [step - 2, step + 2]) expect(stepOf(secret, hotp(secret, one), now, 0)).toBeNull()
  })

  it('takes each only once, and none older than the last one used', () => {
    expect(stepOf(secret, hotp(secret, step), now, step)).toBe('used')
    expect(stepOf(secret, hotp(secret, step - 1), now, step)).toBe('used')
    expect(stepOf(secret, hotp(secret, step + 1), now, step)).toBe(step + 1)
  })

  it('stays shut for used steps when the clock jumps back', () => {
    const back = at(1_800_000_015 - 30)
    expect(stepOf(secret, hotp(secret, step), back, step + 1)).toBe('used')
  })

  it('says no to what is no code', () => {
    for (const none of [
      '',
      '12345',
      '1234567',
      'abcdef',
      '１２３４５６',
      '12345é',
      '-00001',
      '1e5   ',
      `${hotp(secret, step).slice(0, 5)}x`,
    ])
      expect(stepOf(secret, none, now, 0)).toBeNull()
  })
})

it('reads a secret as authenticator apps have it', () => {
  expect(fromBase32('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')).toEqual(secret)
  expect(fromBase32('MZXW6YTB').toString()).toBe('fooba')
})

it('writes bytes as authenticator apps take them', () => {
  expect(toBase32(secret)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  expect(toBase32(Buffer.from('fooba'))).toBe('MZXW6YTB')
})

it('has an address for the app, whatever the account is called', () => {
  const address = new URL(addressOf(secret, { issuer: 'Mkopo', account: 'grace?secret=x&y' }))
  expect(decodeURIComponent(address.pathname)).toContain('Mkopo:grace?secret=x&y')
  expect(Object.fromEntries(address.searchParams)).toEqual({
    issuer: 'Mkopo',
    secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
})
