import { describe, expect, it } from 'vitest'
import { amounts } from './components.ts'
import { extensionQuote } from './extension.ts'
import { bill, singleBill } from './fixtures/samples.ts'

const terms = singleBill()
const extensionAmount = (...given: Parameters<typeof extensionQuote>) => extensionQuote(...given)?.amount ?? null
const owing = bill(
  { principal: '200000.00', interest: '2240.00', lateFee: '1500.00' },
  { paid: amounts({ principal: '50000.00', interest: '240.00' }) },
)

describe('putting a bill off', () => {
  it('costs a share of the unpaid principal and all that is due but the principal', () => {
    expect(extensionQuote(terms, owing, '2026-03-18')).toEqual({
      fee: '15000.00',
      due: amounts({ interest: '2000.00', lateFee: '1500.00' }),
      amount: '18500.00',
      newDueDate: '2026-03-22',
    })
    expect(extensionAmount(terms, owing, '2026-03-18')).toBe('18500.00')
  })

  it('is possible until the last overdue day and up to the last time', () => {
    expect(extensionAmount(terms, owing, '2026-03-25')).not.toBeNull()
    expect(extensionAmount(terms, owing, '2026-03-26')).toBeNull()
    expect(extensionAmount(terms, { ...owing, extensionCount: 1 }, '2026-03-18')).not.toBeNull()
    expect(extensionAmount(terms, { ...owing, extensionCount: 2 }, '2026-03-18')).toBeNull()
  })

  it('is always possible in time where the product knows no last day', () => {
    expect(extensionAmount(singleBill({ extension: { feeRate: '5', days: 7, max: 1 } }), owing, '2027-03-18')).toBe(
      '11000.00',
    )
  })

  it('is not possible where the product has no extensions or the bill is closed', () => {
    expect(
      extensionAmount(singleBill({ extension: { feeRate: '5', days: 0, max: 0 } }), owing, '2026-03-18'),
    ).toBeNull()
    expect(extensionAmount(terms, { ...owing, status: 'paid' }, '2026-03-18')).toBeNull()
  })
})
