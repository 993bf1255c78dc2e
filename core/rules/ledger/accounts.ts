import type { Component } from '../loan/components.ts'

/** What a line of the ledger may be found by. */
export const ledgerKeys = [
  'orderNo',
  'billNo',
  'loanCode',
  'flowNo',
  'repaymentNo',
  'customerNo',
  'merchantNo',
] as const
/** One value of {@link ledgerKeys}. */
export type LedgerKey = (typeof ledgerKeys)[number]
/** What a line of a receivable or an income is made of. */
export type LedgerComponent = Component | 'extensionFee'

type Declared = {
  /** The object whose balance an account keeps, as in `principal:LO…`; none where there is one account for all. */
  of?:
    | LedgerKey
    | 'fundAccountNo'
    | 'lender'
    | 'externalId'
    | 'refundNo'
    | 'transferNo'
    | 'withdrawNo'
    | 'rechargeNo'
    | 'channel'
  /** Its balance is kept as it changes; incomes and expenses are summed when somebody asks. */
  kept?: true
  /** Its lines say which of these they are. */
  components?: readonly LedgerComponent[]
  holds: string
}

const fees = ['serviceFee', 'managementFee'] as const
const penalties = ['lateFee', 'liquidatedDamages'] as const

/** Every kind of account. A debit is plus, a credit minus; what is owed to others is therefore below zero. */
export const accounts = {
  bank: { of: 'fundAccountNo', kept: true, holds: 'money of ours with a channel or a bank' },
  owner_funds: { of: 'lender', holds: 'what the lender put in, less what was taken out' },
  payout_in_flight: { of: 'loanCode', kept: true, holds: 'a payout that was sent and whose end is not known' },
  payout_exception: { of: 'externalId', kept: true, holds: 'a payment that nobody expected, until it is explained' },
  principal: { of: 'orderNo', kept: true, components: ['principal'], holds: 'principal that an order owes' },
  interest_rcv: { of: 'orderNo', kept: true, components: ['interest'], holds: 'interest that an order owes' },
  fee_rcv: { of: 'orderNo', kept: true, components: fees, holds: 'fees that an order owes' },
  penalty_rcv: { of: 'orderNo', kept: true, components: penalties, holds: 'penalties that an order owes' },
  bad_debt_rcv: { of: 'orderNo', kept: true, components: ['principal'], holds: 'principal that is shown as bad debt' },
  deferred_interest: {
    of: 'orderNo',
    kept: true,
    components: ['interest'],
    holds: 'interest that is owed but not earned',
  },
  deferred_fee: { of: 'orderNo', kept: true, components: fees, holds: 'fees that are owed but not earned' },
  suspense: { of: 'flowNo', kept: true, holds: 'money received that is not applied' },
  overpayment: { of: 'customerNo', kept: true, holds: 'money held for a customer' },
  refund_payable: { of: 'refundNo', kept: true, holds: 'money promised back to a customer' },
  refund_in_flight: { of: 'refundNo', kept: true, holds: 'a refund that was sent and whose end is not known' },
  transfer_in_flight: { of: 'transferNo', kept: true, holds: 'money on its way between accounts of ours' },
  wallet: { of: 'customerNo', kept: true, holds: 'rewards of a customer' },
  wallet_in_flight: { of: 'withdrawNo', kept: true, holds: 'a withdrawal of rewards whose end is not known' },
  merchant: { of: 'merchantNo', kept: true, holds: 'what a merchant paid in advance for services' },
  staff_benefit_in_flight: {
    of: 'rechargeNo',
    kept: true,
    holds: 'a phone bill that was sent and whose end is not known',
  },
  interest_income: { components: ['interest'], holds: 'interest earned' },
  fee_income: { components: fees, holds: 'fees earned' },
  penalty_income: { components: penalties, holds: 'penalties charged' },
  extension_income: { components: ['extensionFee'], holds: 'fees for extensions' },
  service_income: { holds: 'services sold to merchants' },
  other_income: { holds: 'differences in our favour' },
  exemption_expense: { holds: 'interest, fees and penalties forgiven' },
  small_balance_expense: { holds: 'small residues of principal given up' },
  coupon_expense: { holds: 'discounts by coupon' },
  reward_expense: { holds: 'rewards to customers' },
  staff_benefit_expense: { holds: 'phone bills of staff' },
  channel_cost: { of: 'channel', holds: 'what a channel charges for payments' },
  other_expense: { holds: 'differences to our disadvantage' },
} as const satisfies Record<string, Declared>
/** The code of an account in the chart of accounts. */
export type AccountKind = keyof typeof accounts

/** All accounts of the chart. */
export const accountKinds = Object.keys(accounts) as AccountKind[]
/** Kinds whose balance is kept. */
export const keptKinds = accountKinds.filter(kind => 'kept' in accounts[kind])

/** An account apart: its kind, and the number of the object it is of. Null where there is no such account. */
export const readAccount = (code: string): { kind: AccountKind; of: string | null } | null => {
  const at = code.indexOf(':')
  const name = at < 0 ? code : code.slice(0, at)
  if (!Object.hasOwn(accounts, name)) return null
  const kind = name as AccountKind
  const of = at < 0 ? null : code.slice(at + 1)
  return of !== '' && 'of' in accounts[kind] === (of !== null) ? { kind, of } : null
}
