import { describe, expect, it } from 'vitest'
import {
  addAmounts,
  amounts,
  amountsOf,
  components,
  contractComponents,
  isNothing,
  mapAmounts,
  penaltyComponents,
  sumAmounts,
  totalOf,
  zero,
} from './components.ts'

describe('components', () => {
  it('stand in the default order of allocation', () => {
    expect(components).toEqual(['lateFee', 'liquidatedDamages', 'serviceFee', 'managementFee', 'interest', 'principal'])
    expect([...penaltyComponents, ...contractComponents]).toEqual([...components])
  })

  it('add up by name', () => {
    const a = amounts({ principal: '100000.00', interest: '0.10' })
    const b = amounts({ interest: '0.20', lateFee: '5.00' })
    expect(addAmounts(a, b)).toEqual({ ...zero(), principal: '100000.00', interest: '0.30', lateFee: '5.00' })
    expect(sumAmounts([a, b, b])).toEqual(addAmounts(addAmounts(a, b), b))
    expect(sumAmounts([])).toEqual(zero())
    expect(totalOf(a)).toBe('100000.10')
    expect(totalOf(addAmounts(a, b), penaltyComponents)).toBe('5.00')
    expect(mapAmounts(b, (amount, component) => (component === 'lateFee' ? '0.00' : amount))).toEqual(
      amounts({ interest: '0.20' }),
    )
  })

  it('collect lines of several bills', () => {
    const lines = [
      { billNo: 'B1', component: 'interest', amount: '1.00' },
      { billNo: 'B2', component: 'interest', amount: '2.50' },
      { billNo: 'B2', component: 'principal', amount: '7.00' },
    ] as const
    expect(amountsOf(lines)).toEqual(amounts({ interest: '3.50', principal: '7.00' }))
  })

  it('are nothing only when all are zero', () => {
    expect(isNothing(zero())).toBe(true)
    expect(isNothing(amounts({ lateFee: '0.01' }))).toBe(false)
  })

  it('are fresh each time', () => {
    const changed = zero()
    changed.principal = '1.00'
    expect(zero().principal).toBe('0.00')
  })
})
