import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { add, gt, isNegative, isPositive, lte, max, min, sub, sum } from '../money.ts'
import { allocate, exempt, waive } from './allocate.ts'
import { isOpen, outstandingOf, remaining } from './bill.ts'
import { amountsOf, components } from './components.ts'
import { anyLoanAmount, anyMoney, anyTerms, bill, billsOf, installments, singleBill } from './fixtures/samples.ts'
import { accrue } from './penalty.ts'

const terms = singleBill()
const older = bill({
  lateFee: '10.00',
  liquidatedDamages: '20.00',
  serviceFee: '30.00',
  managementFee: '40.00',
  interest: '50.00',
  principal: '60.00',
})
const newer = bill({ interest: '5.00', principal: '100.00' }, { billNo: 'B2', installmentNo: 2, dueDate: '2026-04-15' })
const said = (lines: readonly { billNo: string; component: string; amount: string }[]) =>
  lines.map(line => `${line.billNo} ${line.component} ${line.amount}`)

/** Bills of any product, the first two overdue. */
const anyBills = fc
  .record({ product: anyTerms, loanAmount: anyLoanAmount, days: fc.integer({ min: 0, max: 50 }) })
  .map(({ product, loanAmount, days }) => {
    const fresh = billsOf(product, loanAmount, '2026-01-01')
    const today = `2026-0${1 + Math.floor(days / 28)}-${String(1 + (days % 28)).padStart(2, '0')}`
    return { product, bills: fresh.map(each => accrue(each, product, each.dueDate, today).bill) }
  })

describe('allocation', () => {
  it('fills the oldest bill first, inside it the product order', () => {
    expect(said(allocate([newer, older], terms, '220.00').lines)).toEqual([
      'B1 lateFee 10.00',
      'B1 liquidatedDamages 20.00',
      'B1 serviceFee 30.00',
      'B1 managementFee 40.00',
      'B1 interest 50.00',
      'B1 principal 60.00',
      'B2 interest 5.00',
      'B2 principal 5.00',
    ])
  })

  it('follows a product that takes principal first', () => {
    const first = singleBill({
      allocation: ['principal', 'interest', 'serviceFee', 'managementFee', 'lateFee', 'liquidatedDamages'],
    })
    expect(said(allocate([older, newer], first, '115.00').lines)).toEqual([
      'B1 principal 60.00',
      'B1 interest 50.00',
      'B1 serviceFee 5.00',
    ])
  })

  it('keeps what is left over as overflow', () => {
    const { overflow, after } = allocate([older, newer], terms, '400.00')
    expect(overflow).toBe('85.00')
    expect(after.map(each => each.status)).toEqual(['paid', 'paid'])
    expect(allocate([], terms, '1.00')).toEqual({ lines: [], overflow: '1.00', after: [] })
  })

  it('makes a bill partial and leaves later ones', () => {
    const { after, overflow } = allocate([older, newer], terms, '0.01')
    expect(after.map(each => each.status)).toEqual(['partial', 'pending'])
    expect(overflow).toBe('0.00')
  })

  it('does nothing with nothing, and refuses less', () => {
    expect(allocate([older], terms, '0.00')).toEqual({ lines: [], overflow: '0.00', after: [older] })
    expect(() => allocate([older], terms, '-1.00')).toThrow(RangeError)
  })

  it('passes by bills that are paid, extended or cancelled', () => {
    const closed = (['paid', 'extended', 'cancelled'] as const).map(status => ({ ...older, billNo: status, status }))
    expect(said(allocate([...closed, newer], terms, '5.00').lines)).toEqual(['B2 interest 5.00'])
  })

  it('accounts for every cent and never takes more than is owed', () => {
    fc.assert(
      fc.property(anyBills, anyMoney(3_000_000), ({ product, bills }, amount) => {
        const { lines, overflow, after } = allocate(bills, product, amount)
        expect(add(sum(lines.map(line => line.amount)), overflow)).toBe(amount.replace(/^0+(?=\d)/, ''))
        expect(lines.every(line => isPositive(line.amount))).toBe(true)
        expect(overflow).toBe(max(sub(amount, outstandingOf(bills)), '0.00'))
        expect(outstandingOf(after)).toBe(max(sub(outstandingOf(bills), amount), '0.00'))
        for (const each of after)
          expect(components.some(component => isNegative(remaining(each)[component]))).toBe(false)
        if (gt(overflow, '0.00')) expect(after.some(isOpen)).toBe(false)
      }),
      { numRuns: 60 },
    )
  })

  it('is the same in one payment or in two', () => {
    fc.assert(
      fc.property(anyBills, anyMoney(500_000), anyMoney(500_000), ({ product, bills }, first, second) => {
        const once = allocate(bills, product, add(first, second))
        const twice = allocate(allocate(bills, product, first).after, product, second)
        expect(twice.after).toEqual(once.after)
      }),
      { numRuns: 60 },
    )
  })
})

describe('forgiving a shortfall', () => {
  it('begins with what money would reach last, principal excepted', () => {
    expect(said(waive([older, newer], terms, '60.00').lines)).toEqual([
      'B2 interest 5.00',
      'B1 interest 50.00',
      'B1 managementFee 5.00',
    ])
  })

  it('reaches principal only after everything else and up to its limit', () => {
    const all = waive([older, newer], terms, '170.00', { principalLimit: '10.00' })
    expect(amountsOf(all.lines)).toEqual({
      lateFee: '10.00',
      liquidatedDamages: '20.00',
      serviceFee: '30.00',
      managementFee: '40.00',
      interest: '55.00',
      principal: '10.00',
    })
    expect(said(all.lines).at(-1)).toBe('B2 principal 10.00')
    expect(all.uncovered).toBe('5.00')
  })

  it('forgives no principal by default', () => {
    expect(waive([bill({ principal: '180.00' })], terms, '180.00')).toMatchObject({ lines: [], uncovered: '180.00' })
    expect(waive([bill({ principal: '180.00' })], terms, '180.00', { principalLimit: '200.00' })).toMatchObject({
      uncovered: '0.00',
      after: [{ status: 'paid' }],
    })
  })

  it('accounts for every cent of the shortfall', () => {
    fc.assert(
      fc.property(anyBills, anyMoney(100_000), anyMoney(50_000), ({ product, bills }, shortfall, principalLimit) => {
        const { lines, uncovered, after } = waive(bills, product, shortfall, { principalLimit })
        const forgiven = amountsOf(lines)
        expect(add(sum(Object.values(forgiven)), uncovered)).toBe(shortfall)
        expect(lte(forgiven.principal, principalLimit)).toBe(true)
        expect(outstandingOf(after)).toBe(sub(outstandingOf(bills), sub(shortfall, uncovered)))
        if (isPositive(forgiven.principal)) expect(outstandingOf(after)).toBe(outstandingOf(after, ['principal']))
      }),
      { numRuns: 60 },
    )
  })
})

describe('a granted exemption', () => {
  it('is spent per component on the oldest bill first', () => {
    const later = bill({ lateFee: '8.00' }, { billNo: 'B2', dueDate: '2026-04-15' })
    expect(said(exempt([later, older], terms, { lateFee: '12.00', interest: '1.00' }).lines)).toEqual([
      'B1 lateFee 10.00',
      'B2 lateFee 2.00',
      'B1 interest 1.00',
    ])
  })

  it('never touches principal and leaves unspent what is not owed', () => {
    expect(exempt([older], terms, { principal: '60.00' }).lines).toEqual([])
    expect(said(exempt([older], terms, { lateFee: '99.00' }).lines)).toEqual(['B1 lateFee 10.00'])
    expect(exempt([older], terms, {}).after).toEqual([older])
  })

  it('never forgives more than was granted', () => {
    fc.assert(
      fc.property(anyBills, anyMoney(20_000), anyMoney(20_000), ({ product, bills }, lateFee, interest) => {
        const forgiven = amountsOf(exempt(bills, product, { lateFee, interest }).lines)
        expect(forgiven.lateFee).toBe(min(lateFee, outstandingOf(bills, ['lateFee'])))
        expect(forgiven.interest).toBe(min(interest, outstandingOf(bills, ['interest'])))
      }),
      { numRuns: 60 },
    )
  })
})

it('spreads over the bills of an installment order', () => {
  const [first] = allocate(billsOf(installments(), '300000.00'), installments(), '120000.00').after
  expect(first?.status).toBe('paid')
})
