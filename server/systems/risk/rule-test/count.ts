import { add, type Money } from '../../../../core/rules/amount.ts'
import type { FactValues } from '../../../../core/rules/risk/facts.ts'
import type { Judged } from '../../../../core/rules/risk/judge.ts'

type Decision = Judged['decision']
type Outcome = { count: number; known: number; bad: number; loss: Money }
type Refused = { count: number; before: number; after: number; swapIn: number; swapOut: number }
type Hits = { before: number; after: number; unknown: number }

/** What the orders of a test came to so far. */
export type Counts = {
  /** By the decision then and now: `review>refuse`. */
  matrix: Record<string, Outcome>
  rules: Record<string, Hits>
  /** By what they are grouped by and its value: `loanKind first`. */
  groups: Record<string, Refused>
  changed: number
  /** Orders whose snapshot lacks a fact that the version asks for. */
  lacking: number
}
export const nothing = (): Counts => ({ matrix: {}, rules: {}, groups: {}, changed: 0, lacking: 0 })

/** An order then and now. */
export type Compared = {
  oldDecision: Decision
  oldCode: string | null
  judged: Judged
  ruleSetNo: string
  /** Rules of the set that hit then. */
  oldHits: readonly string[]
  facts: FactValues
  factsUsed: readonly string[]
  bad: boolean | null
  loss: Money
  productNo: string
  loanKind: string
  channel: string
}

/** Whether the version decides an order otherwise: its decision or its code. */
export const isChanged = ({ oldDecision, oldCode, judged }: Compared): boolean =>
  judged.decision !== oldDecision || judged.refuseCode !== oldCode

/** What the rules of the set found in an order now. */
export const foundNow = ({ judged, ruleSetNo }: Compared, outcome: 'hit' | 'unknown'): string[] =>
  judged.found.filter(one => one.ruleSetNo === ruleSetNo && one.outcome === outcome).map(one => one.ruleNo)

/** Facts that are computed with the score are in no snapshot. */
const isStored = (fact: string) => !fact.startsWith('model.')

const countOutcome = (counts: Counts, { oldDecision, judged, bad, loss }: Compared) => {
  const at = `${oldDecision}>${judged.decision}`
  const cell = counts.matrix[at] ?? { count: 0, known: 0, bad: 0, loss: '0.00' }
  cell.count++
  if (bad !== null) {
    cell.known++
    if (bad) cell.bad++
    cell.loss = add(cell.loss, loss)
  }
  counts.matrix[at] = cell
}

const countRules = (counts: Counts, one: Compared) => {
  const of = (ruleNo: string): Hits => {
    counts.rules[ruleNo] ??= { before: 0, after: 0, unknown: 0 }
    return counts.rules[ruleNo]
  }
  for (const ruleNo of one.oldHits) of(ruleNo).before++
  for (const ruleNo of foundNow(one, 'hit')) of(ruleNo).after++
  for (const ruleNo of foundNow(one, 'unknown')) of(ruleNo).unknown++
}

const countGroups = (counts: Counts, { oldDecision, judged, productNo, loanKind, channel }: Compared) => {
  const [was, is] = [oldDecision === 'refuse', judged.decision === 'refuse']
  for (const at of [`product ${productNo}`, `loanKind ${loanKind}`, `channel ${channel}`]) {
    const group = counts.groups[at] ?? { count: 0, before: 0, after: 0, swapIn: 0, swapOut: 0 }
    group.count++
    if (was) group.before++
    if (is) group.after++
    if (was && !is) group.swapIn++
    if (is && !was) group.swapOut++
    counts.groups[at] = group
  }
}

/** Adds an order to what was counted. */
export const count = (counts: Counts, one: Compared): void => {
  countOutcome(counts, one)
  countRules(counts, one)
  countGroups(counts, one)
  if (isChanged(one)) counts.changed++
  if (one.factsUsed.some(fact => isStored(fact) && !(fact in one.facts))) counts.lacking++
}

const sumOf = (counts: Counts, of: (was: string, is: string) => boolean): Outcome => {
  const sum: Outcome = { count: 0, known: 0, bad: 0, loss: '0.00' }
  for (const [at, cell] of Object.entries(counts.matrix)) {
    const [was = '', is = ''] = at.split('>')
    if (!of(was, is)) continue
    sum.count += cell.count
    sum.known += cell.known
    sum.bad += cell.bad
    sum.loss = add(sum.loss, cell.loss)
  }
  return sum
}

/** The figures of a whole test. */
export const figuresOf = (counts: Counts) => {
  const all = sumOf(counts, () => true)
  const newlyRefused = sumOf(counts, (was, is) => was !== 'refuse' && is === 'refuse')
  const passed = sumOf(counts, (_, is) => is !== 'refuse')
  return {
    known: all.known,
    refusedBefore: sumOf(counts, was => was === 'refuse').count,
    refusedAfter: sumOf(counts, (_, is) => is === 'refuse').count,
    swapIn: sumOf(counts, (was, is) => was === 'refuse' && is !== 'refuse').count,
    swapOut: newlyRefused.count,
    knownRefused: newlyRefused.known,
    badRefused: newlyRefused.bad,
    passed: passed.count,
    knownPassed: passed.known,
    badPassed: passed.bad,
    lossPassed: passed.loss,
  }
}
