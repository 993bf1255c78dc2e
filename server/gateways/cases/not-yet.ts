import type { PayInCase, RequestCase } from '../simulators/network/cases.ts'

/** What a case still waits for. */
export type Missing = {
  part: 'whole' | 'rest'
  /** What is missing of the rule, and what stands in its place. */
  why: string
}

/** Cases, or parts of them, whose rule does not stand yet. A case that is neither played nor listed fails a test. */
export const notYet: Readonly<Partial<Record<RequestCase | PayInCase, Missing>>> = {
  G28: { part: 'whole', why: 'a bank gives a payout back by a line alone, and no statements of banks are read yet' },
}
