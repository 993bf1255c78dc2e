import type { PayInCase, RequestCase } from '../simulators/network/cases.ts'

/** What a case still waits for. */
export type Missing = {
  part: 'whole' | 'rest'
  /** What is missing of the rule, and what stands in its place. */
  why: string
}

const statements = 'needs statements: their lines, the matching of lines with bookings, and the daily run'

/** Cases, or parts of them, whose rule does not stand yet. A case that is neither played nor listed fails a test. */
export const notYet: Readonly<Partial<Record<RequestCase | PayInCase, Missing>>> = {
  G22: { part: 'whole', why: `${statements}; then the item duplicate_line, and P1e after its review` },
  G23: { part: 'whole', why: `${statements}; then the item ledger_only_out on the second day` },
  G24: { part: 'whole', why: `${statements}; then P16 per line (a fee told in an answer is booked already)` },
  G28: {
    part: 'whole',
    why: `${statements}; a bank gives a payout back by a line alone, then the item payout_returned`,
  },
  R02: { part: 'rest', why: `${statements}; the same callback twice is one flow already` },
  R03: { part: 'rest', why: `${statements}; the flow stands, the item ledger_only_in after two days does not` },
  R04: { part: 'whole', why: `${statements}; then the flow at import` },
  R08: { part: 'whole', why: `${statements}; then the line of kind reversal and its item` },
}
