import { isPositive, sub, zeroMoney } from '../../money.ts'
import type { EatDate } from '../../time.ts'
import { type Amounts, mapAmounts, sumAmounts } from '../components.ts'
import type { State } from './state.ts'

/** What was billed beyond principal and not forgiven. */
const billed = (state: State): Amounts =>
  sumAmounts(
    state.bills.map(bill =>
      mapAmounts(bill.due, (due, component) =>
        component === 'principal' ? zeroMoney : sub(due, bill.waived[component]),
      ),
    ),
  )

/** Income of a settled loan that no date has recognised yet, per component; none of it is taken back. */
export const incomeLeft = (state: State, recognised: readonly Amounts[]): Amounts => {
  const before = sumAmounts(recognised)
  return mapAmounts(billed(state), (amount, component) => {
    const left = sub(amount, before[component])
    return isPositive(left) ? left : zeroMoney
  })
}

/** Income by the due dates up to a day, where it is recognised as it falls due and not as it is paid. */
export const incomeFallenDue = (state: State, on: EatDate): { on: EatDate; income: Amounts }[] =>
  state.bills
    .filter(bill => bill.dueDate <= on)
    .map(bill => ({
      on: bill.dueDate,
      income: mapAmounts(bill.due, (due, component) =>
        component === 'principal' ? zeroMoney : sub(due, bill.waived[component]),
      ),
    }))
