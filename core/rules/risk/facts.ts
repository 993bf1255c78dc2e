/** What a fact can be. */
export type FactType = 'int' | 'double' | 'string' | 'bool' | 'list'
/** Facts of one evaluation by `group.key`; one that is not known is absent. Money is whole shillings, shares go from 0 to 1. */
export type FactValues = Readonly<Record<string, number | string | boolean | readonly string[] | null | undefined>>

const fact = <T extends FactType>(
  type: T,
  unit: 'shillings' | 'days' | 'years' | 'count' | 'share' | 'none' = 'none',
) => ({
  type,
  unit,
})

/**
 * The catalogue: a fact is code with a test, not configuration. Sex, marital status, religion, tribe, language, disability, names and free text
 * are no facts, so that no rule can look at them.
 */
export const riskFacts = {
  'order.amount': fact('int', 'shillings'),
  'order.loanKind': fact('string'),
  /** The amount asked for, as a share of a month's income. */
  'order.incomeShare': fact('double', 'share'),
  'order.term': fact('int', 'days'),
  /** Hour of the application in Kampala, 0 to 23. */
  'order.hour': fact('int'),
  'order.productNo': fact('string'),
  'customer.age': fact('int', 'years'),
  'customer.registeredDays': fact('int', 'days'),
  /** What is left of the credit limit. */
  'customer.remainingLimit': fact('int', 'shillings'),
  'history.settledCount': fact('int', 'count'),
  /** Settled loans of a customer who was never late. */
  'history.settledOnTime': fact('int', 'count'),
  'history.maxOverdueDays': fact('int', 'days'),
  /** Overdue now with a loan of the same person in any app. */
  'history.overdueNow': fact('bool'),
  'history.openOrderCount': fact('int', 'count'),
  'history.refusedCount30d': fact('int', 'count'),
  'history.applyCount24h': fact('int', 'count'),
  'history.applyCount7d': fact('int', 'count'),
  /** Missing while nothing was settled. */
  'history.daysSinceSettled': fact('int', 'days'),
  /** Other customers who applied from the device in the last 30 days. */
  'device.accountCount': fact('int', 'count'),
  'device.rooted': fact('bool'),
  'device.emulator': fact('bool'),
  /** People whom the customer named. */
  'contacts.count': fact('int', 'count'),
  'contacts.overdueCount': fact('int', 'count'),
  /** The wallet is on the customer's own phone and in their name. */
  'wallet.sameAsPhone': fact('bool'),
  /** Other customers who applied with the same wallet. */
  'wallet.sharedByCustomers': fact('int', 'count'),
  /** Numbers of the lists that the applicant is on. */
  'lists.hits': fact('list'),
  /** Only in stage credit, and missing where no model said anything. */
  'model.score': fact('int'),
  'model.level': fact('string'),
} as const satisfies Record<string, { type: FactType; unit: string }>

/** The name of a fact: `history.maxOverdueDays`. */
export type FactKey = keyof typeof riskFacts
/** All facts in the order of the catalogue. */
export const factKeys = Object.keys(riskFacts) as FactKey[]
/** Facts that only rules of stage credit may look at: before it no model has spoken. */
export const creditFacts: readonly string[] = ['model.score', 'model.level']

/** Whether something is the name of a fact. */
export const isFact = (name: string): name is FactKey => Object.hasOwn(riskFacts, name)

/** The types by group, as an expression declares them. */
export const factGroups = (): Map<string, Record<string, FactType>> => {
  const groups = new Map<string, Record<string, FactType>>()
  for (const key of factKeys) {
    const [group = '', name = ''] = key.split('.')
    groups.set(group, { ...groups.get(group), [name]: riskFacts[key].type })
  }
  return groups
}
