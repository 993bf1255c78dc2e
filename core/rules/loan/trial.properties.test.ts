import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { add, gt, isNegative, isPositive, lt, lte, sub, sum } from '../money.ts'
import { addDays } from '../time.ts'
import { isOpen, outstandingOf, remaining, remainingTotal } from './bill.ts'
import { amountsOf, components, totalOf, zero } from './components.ts'
import { anyLoanAmount, anyMoney, anyTerms, orderOf } from './fixtures/samples.ts'
import { accrue, type Tick } from './penalty.ts'
import { type Trial, type TrialOrder, type TrialRequest, trial } from './trial.ts'

const payoutDate = '2026-03-01'

describe('a trial of any order', () => {
  const anyCase = fc.record({
    terms: anyTerms,
    loanAmount: anyLoanAmount,
    today: fc.integer({ min: 0, max: 120 }).map(days => addDays(payoutDate, days)),
    back: fc.integer({ min: 0, max: 12 }),
    paidBefore: anyMoney(300_000),
  })
  type Case = typeof anyCase extends fc.Arbitrary<infer T> ? T : never

  /** An order that may have been paid in part on the payout day, and a request for it. */
  const setUp = (
    { terms, loanAmount, today, back, paidBefore }: Case,
    amount: string,
    repayType: TrialRequest['repayType'] = 'settle',
  ) => {
    const fresh = orderOf(terms, loanAmount, payoutDate)
    const first = trial(fresh, {
      repayType: 'partial',
      valueDate: payoutDate,
      businessDate: payoutDate,
      amounts: [paidBefore],
    })
    const ticks: Record<string, Tick[]> = {}
    const bills = (first.refusal ? fresh.bills : first.after).map(each => {
      const accrued = accrue(each, terms, each.dueDate, today)
      ticks[each.billNo] = accrued.ticks
      return accrued.bill
    })
    const order: TrialOrder = { ...fresh, bills, ticks, writtenOffSoFar: first.refusal ? '0.00' : first.amount }
    const earlier = addDays(today, -back)
    const valueDate = earlier < payoutDate ? payoutDate : earlier
    return {
      order,
      request: {
        repayType,
        valueDate,
        businessDate: today,
        amounts: [amount],
        shortfallLimit: '2000.00',
        principalLimit: '500.00',
      },
    }
  }

  const waivedTotal = (answer: Trial) => sum(answer.waived.map(line => line.amount))

  it('the settle amount settles it, and one cent less does not without a limit', () => {
    fc.assert(
      fc.property(anyCase, facts => {
        const { order, request } = setUp(facts, '0.00')
        const { settleAmount } = trial(order, request)
        const strict = { ...request, shortfallLimit: '0.00', principalLimit: '0.00' }
        const answer = trial(order, { ...strict, amounts: [settleAmount] })
        expect([answer.orderSettled, answer.outstandingAfter, answer.overflow]).toEqual([true, '0.00', '0.00'])
        for (const each of answer.after) expect([isOpen(each), remainingTotal(each)]).toEqual([false, '0.00'])
        expect(trial(order, { ...strict, amounts: [sub(settleAmount, '0.01')] }).refusal).toMatch(
          /^errors\.(shortfallNotCovered|writeOffBelowPayout)$/,
        )
      }),
      { numRuns: 80 },
    )
  })

  it('every cent is accounted for and nothing becomes negative', () => {
    fc.assert(
      fc.property(
        anyCase,
        anyMoney(3_000_000),
        fc.constantFrom('settle' as const, 'partial' as const, 'overpayment' as const),
        (facts, amount, repayType) => {
          const { order, request } = setUp(facts, amount, repayType)
          const answer = trial(order, request)
          expect(add(sum(answer.allocation.map(line => line.amount)), answer.overflow)).toBe(answer.amount)
          expect(totalOf(answer.due)).toBe(answer.outstanding)
          expect([...answer.allocation, ...answer.waived].every(line => isPositive(line.amount))).toBe(true)
          expect(answer.after.some(each => components.some(component => isNegative(remaining(each)[component])))).toBe(
            false,
          )
          expect(outstandingOf(answer.after)).toBe(answer.outstandingAfter)
          if (answer.orderSettled)
            expect(add(sub(answer.amount, answer.overflow), waivedTotal(answer))).toBe(answer.outstanding)
          if (gt(answer.overflow, '0.00')) expect(answer.orderSettled).toBe(true)
          if (repayType === 'settle' && !answer.refusal) expect(answer.orderSettled).toBe(true)
          if (repayType === 'partial' && !answer.refusal) expect(answer.orderSettled).toBe(false)
        },
      ),
      { numRuns: 120 },
    )
  })

  it('bills and postings tell the same story', () => {
    fc.assert(
      fc.property(anyCase, anyMoney(500_000), (facts, amount) => {
        const { order, request } = setUp(facts, amount, 'partial')
        const answer = trial(order, request)
        for (const [index, now] of order.bills.entries()) {
          const then = answer.after[index]
          const own = (lines: Trial['allocation']) => amountsOf(lines.filter(line => line.billNo === now.billNo))
          const accrual = answer.accruals.find(each => each.billNo === now.billNo)
          const charged = (ticks: Tick[] = []) => sum(ticks.flatMap(each => [each.lateFee, each.liquidatedDamages]))
          expect(totalOf(then?.paid ?? zero())).toBe(add(totalOf(now.paid), totalOf(own(answer.allocation))))
          expect(totalOf(then?.waived ?? zero())).toBe(add(totalOf(now.waived), totalOf(own(answer.waived))))
          expect(totalOf(then?.due ?? zero())).toBe(
            add(sub(totalOf(now.due), charged(accrual?.reversed)), charged(accrual?.ticks)),
          )
        }
      }),
      { numRuns: 80 },
    )
  })

  it('paying sooner never costs more', () => {
    fc.assert(
      fc.property(anyCase, facts => {
        const { order, request } = setUp(facts, '0.00')
        const today = trial(order, { ...request, valueDate: request.businessDate })
        expect(lte(trial(order, request).settleAmount, today.settleAmount)).toBe(true)
        const tomorrow = trial(order, { ...request, valueDate: addDays(request.businessDate, 1) })
        expect(lt(tomorrow.settleAmount, today.settleAmount)).toBe(false)
      }),
      { numRuns: 80 },
    )
  })

  it('the same question has the same answer and changes nothing', () => {
    fc.assert(
      fc.property(anyCase, anyMoney(3_000_000), (facts, amount) => {
        const { order, request } = setUp(facts, amount)
        const before = structuredClone({ order, request })
        const answer = trial(order, request)
        expect(trial(before.order, before.request)).toEqual(answer)
        expect({ order, request }).toEqual(before)
      }),
      { numRuns: 40 },
    )
  })
})
