import type { Money, Rounding } from '../../money.ts'
import type { EatDate } from '../../time.ts'
import { type DueDates, dueDates, type Frequency, step } from './calendar.ts'
import type { Pricing } from './rate.ts'

/** Installments at the beginning that are lighter than the rest, counted in installments. */
export type Grace = {
  /** Only interest is due; the principal is repaid by the later ones. `count − 1` makes a bullet loan. */
  principal?: number
  /** Interest goes on but is not asked for; the first installment after them carries it. */
  interest?: number
  /** No interest at all. */
  interestFree?: number
}

/** What makes a schedule of a principal and its due dates. Rates in percent, amounts in money, grace in installments. */
export type PlanTerms = Pricing & {
  /** Interest on what was lent (`flat`) or on what is not yet due (`declining`). */
  method: 'flat' | 'declining'
  amortization: 'equalInstallments' | 'equalPrincipal'
  /** Interest of the real days of a period, or the same for each regular one. */
  accrual: 'daily' | 'period'
  frequency: Frequency
  /**
   * Where the equal installment of the declining balance comes from: the interest of the first repaying period for all (`plain`), that of every
   * period (`exact`), the smallest rounded one that leaves no greater last one (`solved`), or exact parts rounded one by one, the interest as
   * what the installment leaves (`parts`; without grace and single amounts).
   */
  level?: 'plain' | 'exact' | 'solved' | 'parts'
  grace?: Grace
  /** Principal that only the last installment repays. */
  balloon?: Money
  /** A given installment instead of the computed one. */
  installment?: Money
  /** Installments of another amount, by number: agreed by name, or seasonal. */
  amounts?: Readonly<Record<number, Money>>
  /** Of principal and interest. */
  rounding: Rounding
  /** Of the installment; that of its parts unless given. */
  installmentRounding?: Rounding
}

/** The days that one installment pays for. */
export type Period = {
  /** From 1. */
  no: number
  from: EatDate
  dueDate: EatDate
  /** The first period where it is shorter or longer than the others. */
  irregular?: boolean
}

/** One line of a schedule. */
export type PlanRow = Period & {
  principal: Money
  interest: Money
  /** Principal that later installments repay. */
  balance: Money
}

/** The periods between the due dates of {@link dueDates}, the first from the payout. */
export const periodsOf = (dates: DueDates): Period[] =>
  dueDates(dates).map((dueDate, index, all) => ({
    no: index + 1,
    from: all[index - 1] ?? dates.start,
    dueDate,
    ...(index === 0 && dates.first && dates.first !== step(dates.start, dates.frequency, 1, dates.day, dates.monthEnd)
      ? { irregular: true }
      : {}),
  }))
