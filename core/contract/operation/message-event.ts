import { dictionary } from '../fields.ts'

export { kindDict as contactKindDict } from '../merchant/contact-block.ts'

/** Whom a message is for. */
export const contactTypes = dictionary('CONTACT_TYPE', ['self', 'emergency', 'other'])

/** Values of a text. What is true in `debt` is said to nobody but the customer. */
export const messageValues = {
  customerName: { example: 'Nakato Grace', debt: false },
  brand: { example: 'Kasa', debt: false },
  hotline: { example: '0800200300', debt: false },
  code: { example: '482913', debt: false },
  life: { example: '10', debt: false },
  orderNo: { example: 'LO202603020001', debt: true },
  loanAmount: { example: 'UGX 300,000', debt: true },
  amountReceived: { example: 'UGX 285,000', debt: true },
  totalDue: { example: 'UGX 342,000', debt: true },
  amountDue: { example: 'UGX 171,000', debt: true },
  dueDate: { example: '16 Mar 2026', debt: true },
  daysOverdue: { example: '3', debt: true },
  amountPaid: { example: 'UGX 171,000', debt: true },
  outstanding: { example: 'UGX 171,000', debt: true },
  payCode: { example: '83920174', debt: true },
  refundAmount: { example: 'UGX 5,000', debt: true },
  couponName: { example: 'Punguzo 5000', debt: false },
  couponAmount: { example: 'UGX 5,000', debt: false },
  quotaAmount: { example: 'UGX 100,000', debt: true },
  quotaUntil: { example: '16 Mar 2026', debt: true },
  linkAmount: { example: 'UGX 50,000', debt: true },
  payLink: { example: 'https://kasa.example/pay/3f9c2a7be1d04c58', debt: true },
  linkUntil: { example: '16 Mar 2026, 18:00', debt: true },
} as const
/** A value that a text may name. */
export type MessageValue = keyof typeof messageValues

const person = ['customerName', 'brand', 'hotline'] as const
const code = ['code', 'life', 'brand'] as const
const bill = [...person, 'orderNo', 'amountDue', 'dueDate', 'payCode'] as const

type Event = {
  values: readonly MessageValue[]
  /** Customers must learn of it: its node keeps a channel and is not switched off. */
  kept?: true
}

/** What happens that customers may hear of, with the values that a text of it may name. */
export const messageEvents = {
  'code.register': { values: code, kept: true },
  'code.login': { values: code, kept: true },
  'code.reset_password': { values: code, kept: true },
  'code.bind_account': { values: code, kept: true },
  'code.withdraw': { values: code, kept: true },
  'code.staff_login': { values: code, kept: true },
  'order.submitted': { values: [...person, 'orderNo', 'loanAmount'] },
  'order.approved': { values: [...person, 'orderNo', 'loanAmount'], kept: true },
  'order.refused': { values: [...person, 'orderNo'], kept: true },
  'order.machineRefused': { values: [...person, 'orderNo'], kept: true },
  'payout.success': {
    values: [...person, 'orderNo', 'loanAmount', 'amountReceived', 'totalDue', 'dueDate', 'payCode'],
    kept: true,
  },
  'payout.failed': { values: [...person, 'orderNo'] },
  'bill.dueIn2': { values: bill },
  'bill.dueToday': { values: bill },
  'bill.overdue': { values: [...bill, 'daysOverdue'] },
  'repay.received': { values: [...person, 'orderNo', 'amountPaid', 'outstanding'], kept: true },
  'repay.settled': { values: [...person, 'orderNo', 'amountPaid'], kept: true },
  'refund.success': { values: [...person, 'refundAmount'] },
  'coupon.issued': { values: [...person, 'couponName', 'couponAmount'] },
  'quota.offered': { values: [...person, 'quotaAmount', 'quotaUntil'] },
  'payLink.sent': { values: [...person, 'linkAmount', 'payLink', 'linkUntil'] },
  manual: { values: [...person, 'orderNo', 'amountDue', 'dueDate', 'daysOverdue', 'payCode'] },
} as const satisfies Readonly<Record<string, Event>>
/** The key of an event. */
export type MessageEvent = keyof typeof messageEvents

const keys = Object.keys(messageEvents) as [MessageEvent, ...MessageEvent[]]
/** Events by their keys. */
export const messageEventDict = dictionary('MESSAGE_EVENT', keys)

/** The values that a text of an event may name. */
export const valuesOfEvent = (event: MessageEvent): readonly MessageValue[] => messageEvents[event].values

/** Whether customers must learn of an event. */
export const isKeptEvent = (event: MessageEvent): boolean => (messageEvents[event] as Event).kept === true

/** Places that say to somebody else that the customer owes money. */
export const debtPlaces = (Object.keys(messageValues) as MessageValue[]).filter(name => messageValues[name].debt)

/** Words of debt that nobody but the customer reads, in the languages of the texts. */
export const debtWords = [
  ...[
    'loan',
    'loans',
    'debt',
    'debts',
    'overdue',
    'owe',
    'owes',
    'repay',
    'repayment',
    'arrears',
    'borrower',
    'default',
  ],
  ...['mkopo', 'mikopo', 'deni', 'madeni', 'anadaiwa', 'marejesho', 'rejesho', 'kulipa'],
  ...['借款', '贷款', '欠款', '逾期', '还款', '债务', '催收'],
]

/** Why a message was not sent: the reasons of the contact guard, and those of its node. */
export const messageBlocks = dictionary('MESSAGE_BLOCK_REASON', [
  'invalid_phone',
  'erased',
  'opted_out',
  'blacklisted',
  'complaint_open',
  'wrong_number',
  'not_needed',
  'cap_reached',
  'number_in_call',
  'outside_hours',
  'missing_value',
  'node_off',
  'sensitive_word',
  'no_template',
])
