import { describe, expect, it } from 'vitest'
import { add, round } from '../money.ts'
import { allocate } from './allocate.ts'
import { type Bill, outstandingOf } from './bill.ts'
import { amounts, amountsOf, type Component } from './components.ts'
import allocationCases from './fixtures/allocation.json' with { type: 'json' }
import dayRate from './fixtures/day-rate.json' with { type: 'json' }
import { bill, installments } from './fixtures/samples.ts'
import { interestOn, schedule } from './schedule.ts'
import { defaultAllocation } from './terms.ts'

/** Known-good numbers of other lending systems; each case names its source. */
type Step = {
  pay?: string
  to?: Partial<Record<Component, string>>
  then?: { outstanding?: string; overflow?: string }
  charge?: { component: string; amount: string; due: string }
}
type Case = {
  id: string
  source: string
  allocation?: string[]
  bills: { dueDate: string; principal: string; interest: string }[]
  steps: Step[]
}

/** A charge belongs to the first bill that is not due before it. */
const chargeBill = (bills: Bill[], { component, amount, due }: NonNullable<Step['charge']>): Bill[] => {
  const target = bills.find(each => due <= each.dueDate)
  return bills.map(each =>
    each === target
      ? { ...each, due: { ...each.due, [component]: add(each.due[component as Component], amount) } }
      : each,
  )
}

describe('allocation', () => {
  it.each(allocationCases as Case[])('$id of $source', ({ allocation, bills: contract, steps }) => {
    const order = (allocation as Component[] | undefined) ?? defaultAllocation
    let bills = contract.map(({ dueDate, ...due }, index) =>
      bill(due, { dueDate, billNo: `B${index + 1}`, installmentNo: index + 1 }),
    )
    for (const { pay, to, then, charge } of steps) {
      if (charge) bills = chargeBill(bills, charge)
      if (!pay) continue
      const { lines, overflow, after } = allocate(bills, { allocation: order }, pay)
      bills = after
      if (to) expect(amountsOf(lines)).toEqual(amounts(to))
      if (then?.outstanding) expect(outstandingOf(bills)).toBe(then.outstanding)
      expect(overflow).toBe(then?.overflow ?? '0.00')
    }
  })
})

describe('interest per day', () => {
  it.each(dayRate.interestOnBalance)('$id of $source', ({ ratePerDay, rows }) => {
    for (const { balance, days, interest } of rows) expect(round(interestOn(balance, ratePerDay, days))).toBe(interest)
  })

  it.each(dayRate.flat)('$id of $source', ({ loanAmount, ratePerDay, termDays, installmentCount, rows }) => {
    const terms = {
      ...installments(),
      termDays,
      installmentCount,
      interest: { method: 'flat' as const, ratePerDay },
      rounding: { unit: '1' as const, mode: 'half_up' as const },
    }
    expect(
      schedule(terms, loanAmount, '2020-04-14').map(({ principal, interest }) => ({ principal, interest })),
    ).toEqual(rows)
  })
})
