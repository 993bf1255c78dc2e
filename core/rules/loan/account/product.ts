import { isPositive, type Money } from '../../money.ts'
import type { EatDate } from '../../time.ts'
import { productDates, productPlanTerms } from '../plan/product.ts'
import { schedule } from '../schedule.ts'
import type { Terms } from '../terms.ts'
import type { LoanEvent } from './events.ts'
import type { Contract } from './state.ts'

/** A loan of a product as a contract of the general engine: oldest bill first, inside it the product's order. */
export const productContract = (terms: Terms, payoutDate: EatDate): Contract => ({
  terms: productPlanTerms(terms, payoutDate),
  dates: productDates(terms, payoutDate),
  order: { walk: 'bill', steps: [{ when: 'any', components: terms.allocation }] },
})

/** The payout of a product's loan and the fees that its bills carry. */
export const productPayout = (terms: Terms, loanAmount: Money, payoutDate: EatDate): LoanEvent[] => {
  const fees = schedule(terms, loanAmount, payoutDate).flatMap(bill =>
    (['serviceFee', 'managementFee'] as const)
      .filter(component => isPositive(bill[component]))
      .map(component => ({ component, amount: bill[component], dueDate: bill.dueDate, no: bill.installmentNo })),
  )
  return [
    { id: 'payout', seq: 1, on: payoutDate, type: 'disburse', amount: loanAmount },
    ...fees.map(
      ({ component, amount, dueDate, no }, index): LoanEvent => ({
        id: `${component}-${no}`,
        seq: index + 2,
        on: payoutDate,
        type: 'charge',
        chargeNo: `${component}-${no}`,
        component,
        price: { amount },
        when: { on: 'date', dueDate },
      }),
    ),
  ]
}
