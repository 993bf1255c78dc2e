import { Decimal, lt, type Money, max, min, round } from './money.ts'

/** What machine review knows about an application when it decides. Only these facts count; who somebody is does not. */
export type Facts = {
  /** Whole years on the day of the application. */
  age: number
  monthlyIncome: Money
  requestedAmount: Money
  /** What is left of the customer's credit limit. */
  remainingLimit: Money
  contactCount: number
  /** Contacts who are customers with an overdue loan. */
  overdueContacts: number
  rooted: boolean
  emulator: boolean
  /** Other customers who applied from the same device. */
  sharedDeviceCount: number
  /** Loans of this customer in any app that are paid out and not settled. */
  openLoans: number
  settledLoans: number
  /** Days the customer was or is overdue at worst, over all earlier loans. */
  maxOverdueDays: number
  overdueNow: boolean
  /** Refused applications of the last 30 days. */
  recentRefusals: number
  /** Whether the wallet is on the customer's own phone and in the customer's name. */
  ownWallet: boolean
}

/** The limits of the product that was asked for; whole shillings. */
export type ScoreLimits = { minAmount: Money; maxAmount: Money; amountStep: Money }

/** Risk level, best first. */
export type ModelLevel = 'A' | 'B' | 'C' | 'D' | 'E'
/** One rule that spoke: `refuse` ends the review, `points` moved the score. */
export type RuleHit = { ruleNo: string; outcome: 'refuse' | 'points'; points: number }

/** The result of scoring, with every part that led to it. */
export type Score = {
  /** 300 to 850. */
  modelScore: number
  modelLevel: ModelLevel
  /** At most what was asked, on the product's step; null where nothing is suggested. */
  suggestedAmount: Money | null
  /** The first refusal in the order of the rules; null when a person or the product decides. */
  refuseCode: MachineRefuseCode | null
  ruleHits: RuleHit[]
}

/** Codes with which a machine refuses; every one is a level 2 refuse code. */
export const machineRefuseCodes = [
  'MR_AGE',
  'MR_DEVICE',
  'MR_SHARED_DEVICE',
  'MR_OVERDUE',
  'MR_HISTORY',
  'MR_LIMIT',
  'MR_SCORE',
  'MR_AMOUNT',
  'MR_LIST',
] as const
/** Why machine review refuses. */
export type MachineRefuseCode = (typeof machineRefuseCodes)[number]

const youngest = 18
const oldest = 65
const lowest = 300
const highest = 850
const start = 600

/** Asked in this order; the first that holds gives the code. */
const refusals: readonly [MachineRefuseCode, (facts: Facts) => boolean][] = [
  ['MR_AGE', facts => facts.age < youngest || facts.age > oldest],
  ['MR_DEVICE', facts => facts.emulator],
  ['MR_SHARED_DEVICE', facts => facts.sharedDeviceCount >= 3],
  ['MR_OVERDUE', facts => facts.overdueNow],
  ['MR_HISTORY', facts => facts.maxOverdueDays > 30],
]

const incomePoints = ({ monthlyIncome, requestedAmount }: Facts): number => {
  const months = new Decimal(requestedAmount).div(Decimal.max(monthlyIncome, 1))
  if (months.lte('0.15')) return 90
  if (months.lte('0.3')) return 60
  if (months.lte('0.6')) return 20
  return months.lte(1) ? -20 : -80
}

/** The scorecard: what each fact adds to the start. */
const card: readonly [string, (facts: Facts) => number][] = [
  ['SC_INCOME', incomePoints],
  ['SC_AGE', facts => (facts.age >= 25 && facts.age <= 55 ? 20 : -10)],
  ['SC_SETTLED', facts => 25 * Math.min(facts.settledLoans, 4)],
  ['SC_ON_TIME', facts => (facts.settledLoans > 0 && facts.maxOverdueDays === 0 ? 30 : 0)],
  ['SC_LATE', facts => (facts.maxOverdueDays > 7 ? -80 : facts.maxOverdueDays > 0 ? -25 : 0)],
  ['SC_OPEN_LOANS', facts => -50 * Math.min(facts.openLoans, 4)],
  ['SC_CONTACTS', facts => (facts.contactCount >= 3 ? 20 : facts.contactCount === 2 ? 10 : 0)],
  ['SC_OVERDUE_CONTACTS', facts => -30 * Math.min(facts.overdueContacts, 3)],
  ['SC_ROOTED', facts => (facts.rooted ? -60 : 0)],
  ['SC_SHARED_DEVICE', facts => -40 * Math.min(facts.sharedDeviceCount, 2)],
  ['SC_REFUSALS', facts => -30 * Math.min(facts.recentRefusals, 3)],
  ['SC_WALLET', facts => (facts.ownWallet ? 10 : -40)],
]

/** Where each level begins, and which share of a month's income it is good for. */
const levels: readonly [level: ModelLevel, from: number, incomeShare: string][] = [
  ['A', 720, '1'],
  ['B', 660, '0.8'],
  ['C', 600, '0.6'],
  ['D', 520, '0.4'],
  ['E', lowest, '0'],
]

const onStep = (amount: Money, step: Money): Money => round(new Decimal(amount).div(step).floor().times(step))

/** Whole years between a birth date and a day, both `YYYY-MM-DD`. */
export const ageOn = (birthDate: string, day: string): number => {
  const years = Number(day.slice(0, 4)) - Number(birthDate.slice(0, 4))
  return day.slice(5) < birthDate.slice(5) ? years - 1 : years
}

/** The credit limit that a new customer starts with: a month's income on the product's step, inside the product's range. */
export const startingLimit = (monthlyIncome: Money, { minAmount, maxAmount, amountStep }: ScoreLimits): Money =>
  max(minAmount, min(maxAmount, onStep(monthlyIncome, amountStep)))

/** What a model says of an application: nothing of it is known without a score, and a person looks at it. */
export type Scoring = {
  modelScore: number | null
  modelLevel: ModelLevel | null
  /** The level is one that is not lent to. */
  isRefused: boolean
  /** What moved the score. */
  hits: readonly RuleHit[]
}
/** A decision that may rest on no score. */
export type Decision = Omit<Score, 'modelScore' | 'modelLevel' | 'refuseCode'> &
  Pick<Scoring, 'modelScore' | 'modelLevel'> & { refuseCode: string | null }
/** A rule that refuses, with the code that it refuses with. */
export type Refusal = { ruleNo: string; refuseCode: string }

const fixedRefusals = (facts: Facts): Refusal[] =>
  refusals.filter(([, holds]) => holds(facts)).map(([code]) => ({ ruleNo: code, refuseCode: code }))

/** The decision of machine review at what rules and the model say: the same facts always give the same answer, and every part of it is listed. */
export const decide = (
  facts: Pick<Facts, 'monthlyIncome' | 'requestedAmount' | 'remainingLimit'>,
  limits: ScoreLimits,
  scoring: Scoring,
  refused: readonly Refusal[],
): Decision => {
  const { modelScore, modelLevel, isRefused, hits } = scoring
  const incomeShare = levels.find(([level]) => level === modelLevel)?.[2]
  // Without a level it is a person who finds how much is bearable.
  const bearable = incomeShare ? round(new Decimal(facts.monthlyIncome).times(incomeShare)) : facts.requestedAmount
  const suggested = onStep(
    min(facts.requestedAmount, limits.maxAmount, facts.remainingLimit, bearable),
    limits.amountStep,
  )
  const own: MachineRefuseCode[] = []
  if (lt(facts.remainingLimit, limits.minAmount)) own.push('MR_LIMIT')
  if (isRefused) own.push('MR_SCORE')
  else if (lt(suggested, limits.minAmount)) own.push('MR_AMOUNT')
  const found = [...refused, ...own.map(code => ({ ruleNo: code, refuseCode: code }))]
  return {
    modelScore,
    modelLevel,
    suggestedAmount: found.length ? null : suggested,
    refuseCode: found[0]?.refuseCode ?? null,
    ruleHits: [...found.map(({ ruleNo }): RuleHit => ({ ruleNo, outcome: 'refuse', points: 0 })), ...hits],
  }
}

/** The same at the first scorecard, which its champion was made of. */
export const score = (facts: Facts, limits: ScoreLimits): Score => {
  const hits = card
    .map(([ruleNo, points]): RuleHit => ({ ruleNo, outcome: 'points', points: points(facts) }))
    .filter(hit => hit.points !== 0)
  const total = hits.reduce((sum, hit) => sum + hit.points, start)
  const modelScore = Math.max(lowest, Math.min(highest, total))
  const [modelLevel] = levels.find(([, from]) => modelScore >= from) ?? (['E', lowest, '0'] as const)
  const scoring = { modelScore, modelLevel, isRefused: modelLevel === 'E', hits }
  const decided = decide(facts, limits, scoring, fixedRefusals(facts))
  return { ...decided, refuseCode: decided.refuseCode as MachineRefuseCode | null, modelScore, modelLevel }
}
