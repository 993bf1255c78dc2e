import { type AccountKind, accountKinds, type LedgerKey } from './accounts.ts'

/** What a posting may hold: its accounts by side, the keys of its lines, and its value date. */
export type PostingRule = {
  when: string
  debit: readonly AccountKind[]
  credit: readonly AccountKind[]
  /** It may be booked the other way round as well. */
  inverse?: true
  /** What every line of it carries. */
  keys: readonly LedgerKey[]
  /** Its lines of what an order owes, or will have earned, name their bill. */
  billed?: true
  /** The day on which it counts: that of the posting, one that the caller gives, or that of the journal taken back. */
  valueDate: 'posting' | 'given' | 'reversed'
  /** Which day a given one is. */
  counts?: string
}

const rule = <const R extends PostingRule>(declared: R): R => declared

const ofCode = ['orderNo', 'loanCode', 'customerNo', 'merchantNo'] as const
const ofOrder = ['orderNo', 'customerNo', 'merchantNo'] as const
const ofRecord = ['orderNo', 'repaymentNo', 'customerNo', 'merchantNo'] as const
const deferred = ['deferred_interest', 'deferred_fee'] as const
const receivables = ['penalty_rcv', 'fee_rcv', 'interest_rcv', 'principal'] as const
const recordDay = 'the value date of the record'

/** Every posting there is: debit plus, credit minus, all lines of one add up to nothing. */
export const postings = {
  P0: rule({
    when: 'own funds put in (or, the other way, taken out); opening balance of an own account',
    debit: ['bank'],
    credit: ['owner_funds'],
    inverse: true,
    keys: [],
    valueDate: 'posting',
  }),
  P1a: rule({
    when: 'payout dispatched',
    debit: ['payout_in_flight'],
    credit: ['bank'],
    keys: ofCode,
    valueDate: 'posting',
  }),
  P1b: rule({
    when: 'payout succeeded; fees kept up front are income',
    debit: ['principal'],
    credit: ['payout_in_flight', 'fee_income'],
    keys: ofCode,
    valueDate: 'given',
    counts: 'the day of the payment',
  }),
  P1c: rule({
    when: 'payout failed',
    debit: ['bank'],
    credit: ['payout_in_flight'],
    keys: ofCode,
    valueDate: 'posting',
  }),
  P1d: rule({
    when: 'payout taken back, its money having come back as a flow',
    debit: ['suspense', 'fee_income'],
    credit: ['principal'],
    keys: ofCode,
    valueDate: 'given',
    counts: 'the day the money came back',
  }),
  P1e: rule({
    when: 'a payment that nobody expected',
    debit: ['payout_exception'],
    credit: ['bank'],
    keys: ofCode,
    valueDate: 'posting',
  }),
  P2a: rule({
    when: 'bills made',
    debit: ['interest_rcv', 'fee_rcv'],
    credit: deferred,
    keys: ofOrder,
    billed: true,
    valueDate: 'given',
    counts: 'the day of the payout',
  }),
  P2b: rule({
    when: 'penalty of a bill for one business date',
    debit: ['penalty_rcv'],
    credit: ['penalty_income'],
    keys: ofOrder,
    billed: true,
    valueDate: 'given',
    counts: 'the date that is charged',
  }),
  P2c: rule({
    when: 'interest or fees earned, because they were paid or forgiven',
    debit: deferred,
    credit: ['interest_income', 'fee_income'],
    keys: ofOrder,
    billed: true,
    valueDate: 'given',
    counts: recordDay,
  }),
  P2d: rule({
    when: 'early settlement pro rata: what would have been earned later is not owed',
    debit: deferred,
    credit: ['interest_rcv', 'fee_rcv'],
    keys: ofOrder,
    billed: true,
    valueDate: 'given',
    counts: recordDay,
  }),
  P3: rule({
    when: 'money received',
    debit: ['bank'],
    credit: ['suspense'],
    keys: ['flowNo'],
    valueDate: 'given',
    counts: 'the day it arrived',
  }),
  P4: rule({
    when: 'money received applied to an order',
    debit: ['suspense'],
    credit: receivables,
    keys: ofRecord,
    billed: true,
    valueDate: 'given',
    counts: recordDay,
  }),
  P4b: rule({
    when: 'more received than was owed',
    debit: ['suspense'],
    credit: ['overpayment'],
    keys: ['customerNo', 'merchantNo'],
    valueDate: 'given',
    counts: recordDay,
  }),
  P4c: rule({
    when: 'money held for a customer applied to an order',
    debit: ['overpayment'],
    credit: receivables,
    keys: ofRecord,
    billed: true,
    valueDate: 'given',
    counts: recordDay,
  }),
  P5: rule({
    when: 'interest, fees or penalties forgiven',
    debit: ['exemption_expense'],
    credit: ['penalty_rcv', 'fee_rcv', 'interest_rcv'],
    keys: ofOrder,
    billed: true,
    valueDate: 'given',
    counts: recordDay,
  }),
  P6: rule({
    when: 'extension paid: its fee first, then what is due',
    debit: ['suspense'],
    credit: ['extension_income', ...receivables],
    keys: ofRecord,
    billed: true,
    valueDate: 'given',
    counts: recordDay,
  }),
  P7a: rule({
    when: 'refund asked for',
    debit: ['overpayment'],
    credit: ['refund_payable'],
    keys: ['customerNo'],
    valueDate: 'posting',
  }),
  P7b: rule({
    when: 'refund sent',
    debit: ['refund_in_flight'],
    credit: ['bank'],
    keys: ['customerNo'],
    valueDate: 'posting',
  }),
  P7c: rule({
    when: 'refund succeeded',
    debit: ['refund_payable'],
    credit: ['refund_in_flight'],
    keys: ['customerNo'],
    valueDate: 'posting',
  }),
  P7d: rule({
    when: 'refund failed',
    debit: ['bank'],
    credit: ['refund_in_flight'],
    keys: ['customerNo'],
    valueDate: 'posting',
  }),
  'P7-REV': rule({
    when: 'refund closed without a payment',
    debit: ['refund_payable'],
    credit: ['overpayment'],
    keys: ['customerNo'],
    valueDate: 'posting',
  }),
  P9a: rule({
    when: 'principal shown as bad debt, where that is switched on',
    debit: ['bad_debt_rcv'],
    credit: ['principal'],
    keys: ofOrder,
    valueDate: 'posting',
  }),
  P9b: rule({
    when: 'principal no longer shown as bad debt',
    debit: ['principal'],
    credit: ['bad_debt_rcv'],
    keys: ofOrder,
    valueDate: 'posting',
  }),
  P10: rule({
    when: 'discount by coupon',
    debit: ['coupon_expense'],
    credit: ['interest_rcv', 'fee_rcv'],
    keys: ofOrder,
    billed: true,
    valueDate: 'given',
    counts: recordDay,
  }),
  P11a: rule({
    when: 'transfer between own accounts sent',
    debit: ['transfer_in_flight'],
    credit: ['bank'],
    keys: [],
    valueDate: 'posting',
  }),
  P11b: rule({
    when: 'transfer arrived',
    debit: ['bank'],
    credit: ['transfer_in_flight'],
    keys: [],
    valueDate: 'posting',
  }),
  P11c: rule({
    when: 'transfer failed, its money back where it came from',
    debit: ['bank'],
    credit: ['transfer_in_flight'],
    keys: [],
    valueDate: 'posting',
  }),
  P12r: rule({
    when: 'reward given',
    debit: ['reward_expense'],
    credit: ['wallet'],
    keys: ['customerNo'],
    valueDate: 'posting',
  }),
  P12a: rule({
    when: 'withdrawal of rewards sent',
    debit: ['wallet'],
    credit: ['wallet_in_flight'],
    keys: ['customerNo'],
    valueDate: 'posting',
  }),
  P12b: rule({
    when: 'withdrawal succeeded',
    debit: ['wallet_in_flight'],
    credit: ['bank'],
    keys: ['customerNo'],
    valueDate: 'posting',
  }),
  P12c: rule({
    when: 'withdrawal cancelled, its money back in the wallet',
    debit: ['wallet_in_flight'],
    credit: ['wallet'],
    keys: ['customerNo'],
    valueDate: 'posting',
  }),
  P13: rule({
    when: 'merchant tops up, or uses services; the other way round when services are given back',
    debit: ['bank', 'merchant'],
    credit: ['merchant', 'service_income'],
    inverse: true,
    keys: ['merchantNo'],
    valueDate: 'posting',
  }),
  P14a: rule({
    when: 'phone bill of staff sent',
    debit: ['staff_benefit_in_flight'],
    credit: ['bank'],
    keys: [],
    valueDate: 'posting',
  }),
  P14b: rule({
    when: 'phone bill succeeded',
    debit: ['staff_benefit_expense'],
    credit: ['staff_benefit_in_flight'],
    keys: [],
    valueDate: 'posting',
  }),
  P14c: rule({
    when: 'phone bill failed',
    debit: ['bank'],
    credit: ['staff_benefit_in_flight'],
    keys: [],
    valueDate: 'posting',
  }),
  P15: rule({
    when: 'adjustment of a difference, named line by line and agreed to by two people',
    debit: accountKinds,
    credit: accountKinds,
    keys: [],
    valueDate: 'given',
    counts: 'the day of the difference',
  }),
  P16: rule({
    when: 'what a channel charges for a payment',
    debit: ['channel_cost'],
    credit: ['bank'],
    keys: [],
    valueDate: 'posting',
  }),
  P17: rule({
    when: 'small residue of principal given up, after everything else was',
    debit: ['small_balance_expense'],
    credit: ['principal'],
    keys: ofOrder,
    billed: true,
    valueDate: 'given',
    counts: recordDay,
  }),
  P18: rule({
    when: 'a reference paid late that nothing waited for any more: refund, transfer, withdrawal or phone bill',
    debit: ['payout_exception'],
    credit: ['bank'],
    keys: [],
    valueDate: 'posting',
  }),
  'P-REV': rule({
    when: 'a journal taken back by its exact negation, once',
    debit: accountKinds,
    credit: accountKinds,
    keys: [],
    valueDate: 'reversed',
  }),
} as const satisfies Record<string, PostingRule>

/** The code of a posting, as in `docs/ledger.md`. */
export type PostingCode = keyof typeof postings
/** What is posted as such; a reversal follows from the journal that it takes back. */
export type DirectCode = Exclude<PostingCode, 'P-REV'>
