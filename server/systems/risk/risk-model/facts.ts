import { Decimal } from '../../../../core/rules/money.ts'
import type { FactKey } from '../../../../core/rules/risk/facts.ts'
import type { Facts } from '../../../../core/rules/score.ts'
import type { FactValues } from './content.ts'

/** Facts of the catalogue that a model may look at: those that are known before any service is asked. */
const offered = [
  'order.amount',
  'order.loanKind',
  'order.incomeShare',
  'customer.age',
  'history.settledCount',
  'history.settledOnTime',
  'history.maxOverdueDays',
  'history.openOrderCount',
  'history.refusedCount30d',
  'device.accountCount',
  'device.rooted',
  'device.emulator',
  'contacts.count',
  'contacts.overdueCount',
  'wallet.sameAsPhone',
] as const satisfies readonly FactKey[]

/** Whether models may look at a fact of that name. */
export const knownFact = (name: string): boolean => (offered as readonly string[]).includes(name)

/** What machine review knows, by the names of facts. */
export const factValues = (facts: Facts, loanKind: string): FactValues => ({
  'order.amount': Number(facts.requestedAmount),
  'order.loanKind': loanKind,
  'order.incomeShare': new Decimal(facts.requestedAmount).div(Decimal.max(facts.monthlyIncome, 1)).toNumber(),
  'customer.age': facts.age,
  'history.settledCount': facts.settledLoans,
  'history.settledOnTime': facts.maxOverdueDays === 0 ? facts.settledLoans : 0,
  'history.maxOverdueDays': facts.maxOverdueDays,
  'history.openOrderCount': facts.openLoans,
  'history.refusedCount30d': facts.recentRefusals,
  'device.accountCount': facts.sharedDeviceCount,
  'device.rooted': facts.rooted,
  'device.emulator': facts.emulator,
  'contacts.count': facts.contactCount,
  'contacts.overdueCount': facts.overdueContacts,
  'wallet.sameAsPhone': facts.ownWallet,
})
