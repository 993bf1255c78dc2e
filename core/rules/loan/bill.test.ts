import { describe, expect, it } from 'vitest'
import {
  applyLines,
  daysPastDue,
  isOpen,
  oldestFirst,
  openBill,
  orderOverdueDays,
  outstandingOf,
  overdueDays,
  remaining,
  remainingTotal,
} from './bill.ts'
import { amounts, zero } from './components.ts'
import { bill, billsOf, installments } from './fixtures/samples.ts'

describe('a bill', () => {
  it('opens with what the contract says', () => {
    const installment = {
      installmentNo: 2,
      dueDate: '2026-04-01',
      principal: '100.00',
      interest: '2.00',
      serviceFee: '3.00',
      managementFee: '0.00',
    }
    expect(openBill('B2', installment)).toEqual({
      billNo: 'B2',
      installmentNo: 2,
      dueDate: '2026-04-01',
      status: 'pending',
      paid: zero(),
      waived: zero(),
      due: amounts({ principal: '100.00', interest: '2.00', serviceFee: '3.00' }),
    })
  })

  it('owes what is due less paid and waived', () => {
    const one = bill(
      { principal: '100.00', lateFee: '7.00' },
      { paid: amounts({ principal: '40.00' }), waived: amounts({ lateFee: '6.50' }) },
    )
    expect(remaining(one)).toEqual(amounts({ principal: '60.00', lateFee: '0.50' }))
    expect(remainingTotal(one)).toBe('60.50')
  })

  it.each([
    ['pending', true],
    ['partial', true],
    ['paid', false],
    ['extended', false],
    ['cancelled', false],
  ] as const)('%s is open: %s', (status, open) => expect(isOpen(bill({}, { status }))).toBe(open))

  it('is overdue from the day after its due date, only while open', () => {
    const one = bill({ principal: '1.00' }, { dueDate: '2026-02-28' })
    expect(['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-31'].map(date => overdueDays(one, date))).toEqual([
      0, 0, 1, 31,
    ])
    expect(daysPastDue(one, '2026-02-26')).toBe(-2)
    expect(overdueDays({ ...one, status: 'paid' }, '2026-03-31')).toBe(0)
  })
})

describe('the bills of an order', () => {
  const bills = billsOf(installments(), '300000.00', '2026-01-01')

  it('are as overdue as the oldest open one', () => {
    expect(orderOverdueDays(bills, '2026-03-05')).toBe(33)
    expect(
      orderOverdueDays(
        bills.map((each, index) => (index === 0 ? { ...each, status: 'paid' as const } : each)),
        '2026-03-05',
      ),
    ).toBe(3)
    expect(orderOverdueDays([], '2026-03-05')).toBe(0)
  })

  it('stand oldest first by due date, then number; closed ones are left out', () => {
    const moved = { ...bills[0], billNo: 'B4', installmentNo: 4, dueDate: '2026-03-02' } as (typeof bills)[number]
    expect(oldestFirst([...bills].reverse().concat(moved)).map(each => each.billNo)).toEqual(['B1', 'B2', 'B4', 'B3'])
    const sameDay = bills.map(each => ({ ...each, dueDate: '2026-03-02' }))
    for (const given of [sameDay, [...sameDay].reverse()])
      expect(oldestFirst(given).map(each => each.billNo)).toEqual(['B1', 'B2', 'B3'])
    expect(oldestFirst(bills.map(each => ({ ...each, status: 'paid' as const })))).toEqual([])
  })

  it('owe only what is open', () => {
    expect(outstandingOf(bills)).toBe('344100.00')
    expect(outstandingOf(bills, ['principal'])).toBe('300000.00')
    expect(outstandingOf(bills.map(each => ({ ...each, status: 'extended' as const })))).toBe('0.00')
  })
})

describe('applying lines', () => {
  const one = bill({ principal: '100.00', interest: '10.00' })
  const line = (component: 'principal' | 'interest' | 'lateFee', amount: string, billNo = 'B1') => ({
    billNo,
    component,
    amount,
  })

  it('makes a bill partial, then paid', () => {
    const [partial] = applyLines([one], [line('interest', '10.00'), line('principal', '1.00')], 'paid')
    expect(partial).toMatchObject({ status: 'partial', paid: { interest: '10.00', principal: '1.00' } })
    expect(applyLines(partial ? [partial] : [], [line('principal', '99.00')], 'paid')[0]?.status).toBe('paid')
  })

  it('leaves the status when only something is waived', () => {
    expect(applyLines([one], [line('interest', '4.00')], 'waived')[0]).toMatchObject({
      status: 'pending',
      waived: { interest: '4.00' },
    })
    expect(applyLines([bill({ interest: '4.00' })], [line('interest', '4.00')], 'waived')[0]?.status).toBe('paid')
  })

  it('adds up several lines of one component', () => {
    expect(applyLines([one], [line('principal', '1.00'), line('principal', '2.00')], 'paid')[0]?.paid.principal).toBe(
      '3.00',
    )
  })

  it('does not touch other bills or the given ones', () => {
    const other = bill({ principal: '5.00' }, { billNo: 'B2' })
    const before = structuredClone([one, other])
    expect(applyLines([one, other], [line('principal', '1.00')], 'paid')[1]).toBe(other)
    expect([one, other]).toEqual(before)
  })

  it.each([
    ['more than is owed', one, line('principal', '100.01')],
    ['what is not owed', one, line('lateFee', '0.01')],
    ['on a closed bill', { ...one, status: 'extended' as const }, line('principal', '1.00')],
  ])('refuses %s', (_, target, wrong) => expect(() => applyLines([target], [wrong], 'paid')).toThrow(RangeError))
})
