import { Decimal, gt, lt, type Money, min, round } from '../money.ts'
import { offeredAmount, type PriceCell } from '../risk-price.ts'
import { type Decision, decide, type ModelLevel, type RuleHit, type ScoreLimits, type Scoring } from '../score.ts'
import type { FactValues } from './facts.ts'
import type { RuleSet } from './rule.ts'
import { type RuleFound, runRules, sayRules } from './rule-sets.ts'

type BandDecision = 'approve' | 'review' | 'refuse'
/** Why nothing could be decided: no plan is in force, something failed, or it took too long. */
export type Incomplete = 'no_plan' | 'fault' | 'timeout'
/** A list that an applicant is on. */
export type ListMet = { nameListNo: string; listEffect: string }

/** What a decision rests on besides facts and rules: stored with it, so that it can be computed again. */
export type Inputs = {
  requestedAmount: Money
  monthlyIncome: Money
  remainingLimit: Money
  settledLoans: number
  limits: ScoreLimits
  manualReview: boolean
  autoApproveMax: Money | null
  scoring: Scoring & { bandDecision: BandDecision }
  /** What the cut-off makes of each level, for loans of this kind; decisions of before bands bounded amounts hold no share. */
  bands: readonly { modelLevel: string; bandDecision: BandDecision; maxAmountRate?: string }[]
  lists: readonly ListMet[]
  /** What the level is lent; null where the product alone prices. */
  cell: PriceCell | null
  verifyResult: string
  /** The price is above what the law allows. */
  overCap: boolean
  /** Everything went to people when it was decided. */
  manualAll?: true
  /** Nothing could be decided. */
  incomplete?: Incomplete
}

/** What was found and decided. */
export type Judged = {
  decision: 'refuse' | 'review' | 'approve' | 'incomplete'
  refuseCode: string | null
  modelScore: number | null
  modelLevel: ModelLevel | null
  suggestedAmount: Money | null
  ruleHits: RuleHit[]
  found: RuleFound[]
}

/** What rules and lists made of an application, before its price. */
export type Ruled = { found: RuleFound[]; scored: Decision; isDoubtful: boolean }

const levels: readonly ModelLevel[] = ['A', 'B', 'C', 'D', 'E']

/** The level after rules moved it down, with what the cut-off makes of it. */
const lowered = ({ scoring, bands }: Pick<Inputs, 'scoring' | 'bands'>, steps: number): Inputs['scoring'] => {
  if (steps === 0 || !scoring.modelLevel) return scoring
  const at = Math.min(levels.length - 1, levels.indexOf(scoring.modelLevel) + steps)
  const modelLevel = levels[at] as ModelLevel
  const bandDecision = bands.find(band => band.modelLevel === modelLevel)?.bandDecision ?? 'review'
  return { ...scoring, modelLevel, bandDecision, isRefused: bandDecision === 'refuse' }
}

/** A list that refuses decides before rules and score do; every list is named. */
const withLists = (scored: Decision, lists: readonly ListMet[]): Decision => {
  if (lists.length === 0) return scored
  const met = lists.map(
    ({ nameListNo, listEffect }): RuleHit => ({
      ruleNo: nameListNo,
      outcome: listEffect === 'refuse' ? 'refuse' : 'points',
      points: 0,
    }),
  )
  const ruleHits = [...met, ...scored.ruleHits]
  return lists.some(hit => hit.listEffect === 'refuse')
    ? { ...scored, suggestedAmount: null, refuseCode: 'MR_LIST', ruleHits }
    : { ...scored, ruleHits }
}

type BeforePrice = Omit<Inputs, 'cell' | 'verifyResult' | 'overCap' | 'manualReview' | 'autoApproveMax'>

/** Runs the rules of all stages; those of stage credit know what the model said. */
export const ruled = (sets: readonly RuleSet[], facts: FactValues, inputs: BeforePrice): Ruled => {
  const { scoring, lists, limits } = inputs
  const whitelisted = lists.some(hit => hit.listEffect === 'skip')
  const early = runRules(sets, facts, { stages: ['admission', 'antifraud'], whitelisted })
  const known = { ...facts, 'model.score': scoring.modelScore, 'model.level': scoring.modelLevel }
  const found = [...early, ...runRules(sets, known, { stages: ['credit'], whitelisted })]
  const said = sayRules(found)
  const level = lowered(inputs, said.downgradeSteps)
  return {
    found,
    scored: withLists(decide(inputs, limits, level, said.refusals), lists),
    // Only the bands that say so are lent to without a person.
    isDoubtful: said.isDoubtful || level.bandDecision !== 'approve' || lists.some(hit => hit.listEffect === 'review'),
  }
}

/**
 * The most that the band of a level offers: its share of the greatest amount that the level is lent, on the product's step; null where
 * no band bounds it.
 */
export const mostOfBand = (
  { limits, bands, cell }: Pick<Inputs, 'limits' | 'bands' | 'cell'>,
  modelLevel: string | null,
): Money | null => {
  const rate = bands.find(band => band.modelLevel === modelLevel)?.maxAmountRate
  if (rate === undefined) return null
  const greatest = cell ? min(limits.maxAmount, cell.amountMax) : limits.maxAmount
  const steps = new Decimal(greatest).times(rate).div(100).div(limits.amountStep).floor()
  return round(steps.times(limits.amountStep))
}

/** The offer of band and price grid: never more than was found to be bearable. */
export const offered = (
  scored: Decision,
  given: Pick<Inputs, 'limits' | 'settledLoans' | 'cell' | 'bands'>,
): Decision => {
  if (!scored.suggestedAmount) return scored
  const { limits, settledLoans, cell } = given
  const most = mostOfBand(given, scored.modelLevel)
  const bearable = most === null ? scored.suggestedAmount : min(scored.suggestedAmount, most)
  const suggestedAmount = cell
    ? offeredAmount(limits, cell, bearable, settledLoans)
    : lt(bearable, limits.minAmount)
      ? null
      : bearable
  if (suggestedAmount) return { ...scored, suggestedAmount }
  const refused: RuleHit = { ruleNo: 'MR_AMOUNT', outcome: 'refuse', points: 0 }
  return { ...scored, suggestedAmount: null, refuseCode: 'MR_AMOUNT', ruleHits: [refused, ...scored.ruleHits] }
}

/** Only the best go without a person, only at a lawful price, and only to an account that is proven theirs. */
export const decisionOf = (
  { suggestedAmount, refuseCode }: Pick<Decision, 'suggestedAmount' | 'refuseCode'>,
  isDoubtful: boolean,
  given: Pick<Inputs, 'manualReview' | 'autoApproveMax' | 'verifyResult' | 'overCap' | 'manualAll'>,
): Exclude<Judged['decision'], 'incomplete'> => {
  if (given.manualAll) return 'review'
  if (refuseCode || !suggestedAmount) return 'refuse'
  const isLarge = given.autoApproveMax !== null && gt(suggestedAmount, given.autoApproveMax)
  const isForPerson = given.manualReview || isDoubtful || isLarge || given.verifyResult !== 'passed' || given.overCap
  return isForPerson ? 'review' : 'approve'
}

/** What was decided of an offer. While everything goes to people, a reason to refuse stands among the hits and refuses nobody. */
export const concluded = (
  { found, isDoubtful }: Pick<Ruled, 'found' | 'isDoubtful'>,
  offer: Decision,
  given: Parameters<typeof decisionOf>[2],
): Judged => {
  const { modelScore, modelLevel, suggestedAmount, ruleHits } = offer
  const decision = decisionOf(offer, isDoubtful, given)
  const refuseCode = given.manualAll ? null : offer.refuseCode
  return { decision, refuseCode, modelScore, modelLevel, suggestedAmount, ruleHits, found }
}

/** Neither approved nor refused: it is tried again, and at last a person decides. */
export const undecided: Judged = {
  decision: 'incomplete',
  refuseCode: null,
  modelScore: null,
  modelLevel: null,
  suggestedAmount: null,
  ruleHits: [{ ruleNo: 'machine.incomplete', outcome: 'points', points: 0 }],
  found: [],
}

/** A decision from what it rests on: the same facts, inputs and versions always give the same one. */
export const judge = (sets: readonly RuleSet[], facts: FactValues, inputs: Inputs): Judged => {
  if (inputs.incomplete) return undecided
  const rules = ruled(sets, facts, inputs)
  return concluded(rules, offered(rules.scored, inputs), inputs)
}
