import type { Money, Rounding } from '../../money.ts'
import type { EatDate } from '../../time.ts'
import type { Pricing } from '../plan/rate.ts'

/** An amount that is asked for on a day. */
export type Asked = {
  on: EatDate
  amount: Money
  /** The day of a later agreement: what was paid before it does not count for it. */
  agreedOn?: EatDate
  /** Asked once and given up since. */
  cancelled?: boolean
}

/** A short loan on which every day counts. Percentages are percent, amounts money. */
export type DailyTerms = Pricing & {
  principal: Money
  /** A fee that is lent too and bears interest. */
  addedFee?: Money
  /** Interest as it arises (`actuarial`), or agreed in advance and paid first (`addOn`), with a rebate for settling early. */
  method: 'actuarial' | 'addOn'
  /** The most interest in all, as a share of what was lent, and the most of one day, as a share of the balance. */
  caps?: { total?: string; daily?: string }
  /** Settling within so many days costs no interest. */
  settleFreeDays?: number
  /** Of interest that is paid or quoted. */
  rounding: Rounding
  schedule: readonly Asked[]
  /** What a payment costs that is missed by more than some days. */
  lateCharge?: { amount: Money; graceDays: number }
  /** What a debit order costs that fails on a day on which something is due. */
  failedCharge?: { amount: Money }
  /** How often a kind of charge may arise. */
  grouping?: 'day' | 'schedule' | 'all'
}

/** Money that moved, or should have. A write-off counts as paid; a refund gives back what was overpaid. */
export type DailyEvent = { on: EatDate; type: 'payment' | 'failed' | 'writeOff' | 'refund'; amount: Money }
