import type { EatDate } from '../../time.ts'
import { step } from '../plan/calendar.ts'
import { plan } from '../plan/plan.ts'
import type { Period } from '../plan/terms.ts'
import { newBill, principalDue, repriced, scheduled } from './bills.ts'
import type { RescheduleEvent } from './events.ts'
import type { AccountBill, Contract, State } from './state.ts'

/** The periods of bills that are planned anew: from a new first date, or the dates they have, prolonged as far as needed. */
const periodsAnew = ({ dates }: Contract, tail: readonly AccountBill[], count: number, first?: EatDate): Period[] => {
  const { frequency, monthEnd } = dates
  const day = dates.day ?? Number((dates.first ?? dates.start).slice(8))
  const head = tail[0]
  const last = tail.at(-1)
  if (!head || !last) return []
  const due = (index: number): EatDate => {
    if (first) return step(first, frequency, index, undefined, monthEnd)
    return tail[index]?.dueDate ?? step(last.dueDate, frequency, index - tail.length + 1, day, monthEnd)
  }
  return Array.from({ length: count }, (_, index) => ({
    no: head.installmentNo + index,
    from: index === 0 ? head.from : due(index - 1),
    dueDate: due(index),
    ...(first && index === 0 ? { irregular: true } : {}),
  }))
}

/**
 * Plans the bills from one due date on anew: later dates, more of them, a rest from principal or interest, another rate.
 * A rest from principal adds as many installments at the end.
 * @throws RangeError when no installment is due then, or money has reached one of them
 */
export const reschedule = (contract: Contract, state: State, event: RescheduleEvent & { on: EatDate }): State => {
  const tail = scheduled(state).filter(bill => bill.kind === 'installment' && bill.dueDate >= event.from)
  if (tail[0]?.dueDate !== event.from) throw new RangeError(`no installment is due on ${event.from}`)
  if (
    tail.some(bill => bill.status === 'partial' || (bill.status === 'paid' && bill.settledOn !== contract.dates.start))
  )
    throw new RangeError('an installment that money has reached stays as it is')
  const grace = { principal: event.principalGrace ?? 0, interest: event.interestGrace ?? 0 }
  const { ratePercent } = event
  const terms = ratePercent ? { ...state.terms, rate: { ...state.terms.rate, percent: ratePercent } } : state.terms
  const count = tail.length + (event.extraTerms ?? 0) + grace.principal
  const periods = periodsAnew(contract, tail, count, event.dueDate)
  const planned = plan({ ...terms, grace }, principalDue(tail), periods, state.disbursed).map(row => {
    const facts = { installmentNo: row.no, from: row.from, dueDate: row.dueDate, kind: 'installment' as const }
    const old = tail.find(bill => bill.installmentNo === row.no)
    const bill = old ? { ...old, ...facts } : newBill(facts, {})
    return repriced(bill, row.principal, row.interest, contract.dates.start)
  })
  const kept = state.bills.filter(bill => !tail.includes(bill))
  const bills = [...kept, ...planned].sort((a, b) => (a.dueDate < b.dueDate ? -1 : a.dueDate > b.dueDate ? 1 : 0))
  return { ...state, bills, terms }
}
