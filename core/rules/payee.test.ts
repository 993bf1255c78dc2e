import { describe, expect, it } from 'vitest'
import { isProvenPayee, standingResult, verifyResults } from './payee.ts'

describe('whose account it is', () => {
  it('is proven by the channel or by two persons', () => {
    expect(verifyResults.filter(isProvenPayee)).toEqual(['passed', 'accepted'])
  })

  it.each([
    ['passed', 'failed', 'failed'],
    ['passed', 'unavailable', 'passed'],
    ['accepted', 'failed', 'accepted'],
    ['accepted', 'unavailable', 'accepted'],
    ['accepted', 'passed', 'passed'],
    ['failed', 'unavailable', 'unavailable'],
    ['not_verified', 'failed', 'failed'],
  ] as const)('%s, then %s: %s', (before, found, after) => {
    expect(standingResult(before, found)).toBe(after)
  })
})
