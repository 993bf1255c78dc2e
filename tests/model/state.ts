import type { Terms } from '../../core/rules/loan/terms.ts'
import { can, rowsOf, targetOf } from '../../core/rules/machines/machine.ts'
import { type MachineName, machines } from '../../core/rules/machines/machines.ts'
import { type Applied, type Bill, billsAt, isOpen, type Loan } from './bills.ts'
import type { Cents } from './sums.ts'

/** A refusal that the model foresees, by its catalogue code. */
export class Refused extends Error {
  readonly code: number
  constructor(code: number) {
    super(`refused with ${code}`)
    this.code = code
  }
}
export const refuse = (code: number): never => {
  throw new Refused(code)
}

/** What the network will say when it is asked about a payment. */
export type Truth =
  | 'success'
  | 'failure'
  | 'payeeInvalid'
  | 'pending'
  | 'notFound'
  | 'silent'
  | 'otherAmount'
  | 'otherPayee'
/** What the network says to a send. */
export type Reply = 'accepted' | 'success' | 'failure' | 'payeeInvalid' | 'silent' | 'exists'

export type Payee = { wallet: string; name: string }
export type Attempt = {
  id: string
  no: number
  status: string
  account: string
  sentAt: number | null
  notFoundSince: number | null
  serialNo: string | null
  truth: Truth
}
export type Code = {
  loanCode: string
  seq: number
  status: string
  attemptNo: number
  payee: Payee
  verify: string
  failType: string | null
  waitReason: string | null
  account: string
  serialNo: string | null
  attempts: Attempt[]
  askedAt: number | null
  /** What one person said became of it, until a second one speaks. */
  said: { result: 'success' | 'failure'; serialNo: string | null; date: string; by: string } | null
}
export type Entry = {
  repaymentNo: string
  type: string
  status: string
  amount: Cents
  overflow: Cents
  shortfall: Cents
  settledOrder: boolean
  at: string
  flows: { flow: Receipt['serialNo']; amount: Cents }[]
  fromOverflow: boolean
  applied: Applied
}
export type Order = {
  orderNo: string
  payCode: string
  status: string
  payee: Payee
  verify: string
  terms: Terms
  amount: Cents
  payout: Cents
  upfront: Cents
  loan: Loan | null
  codes: Code[]
  records: Entry[]
}
export type Receipt = {
  flowNo: string | null
  serialNo: string
  status: string
  amount: Cents
  applied: Cents
  entryTime: string
  /** What is known of it: what staff typed, or what the network said. */
  source: 'typed' | 'callback'
  account: string
  wait: string | null
}
export type Approval = {
  no: string
  kind: 'cancelPaid' | 'rollback' | 'voidFlow' | 'confirmFlow'
  /** The loan code, record or serial number it is about. */
  about: string
  status: string
  expires: number
}
export type Job =
  | { queue: 'dispatch'; code: string; at: number }
  | { queue: 'send' | 'resend'; attempt: string; at: number }
  | { queue: 'ask'; attempt: string; claim: boolean; at: number }
  | { queue: 'payIn'; event: string; round: number; at: number }
export type PayIn = {
  event: string
  ref: string
  serialNo: string
  amount: Cents
  stated: Cents
  reference: string
  paidAt: string
  payer: string
  truth: 'success' | 'failure' | 'pending' | 'notFound'
  outcome: string | null
}

/** Everything the model knows of one customer with two orders, at a merchant of their own. */
export type Life = {
  lot: number
  customerNo: string
  phone: string
  limits: { shortfall: Cents; principal: Cents; overflow: Cents; month: Cents }
  orders: Order[]
  receipts: Receipt[]
  approvals: Approval[]
  bank: Record<string, Cents>
  exceptions: Record<string, Cents>
  overpayment: { credited: Cents; reapplied: Cents; status: string | null }
  payIns: PayIn[]
  jobs: Job[]
  replies: Reply[]
  sent: string[]
  recon: string[]
  heard: string[]
  today: string
  now: number
}

/** The state that an event leads to, or a refusal where its machine has no row for it. */
export const step = (name: MachineName, from: string, event: string, as?: string): string => {
  const machine = machines[name]
  if (!can(machine, from, event)) refuse(40901)
  const rows = rowsOf(machine, from, event).filter(row => !row.refused && (row.as === undefined || row.as === as))
  if (rows.length !== 1) throw new Error(`${machine.id} ${from} ${event}: ${rows.length} rows`)
  return targetOf(rows[0] as (typeof rows)[number], from)
}

export const newestCode = (order: Order): Code => order.codes.at(-1) as Code
export const posted = (order: Order): Entry[] => order.records.filter(record => record.status === 'posted')
export const isReversing = (order: Order): boolean => order.codes.some(code => code.status === 'reversing')

/** The bills of an order today; none once it was taken back. */
export const billsToday = (life: Life, order: Order): Bill[] =>
  order.loan && order.status !== 'cancelled'
    ? billsAt(
        order.loan,
        posted(order).map(record => record.applied),
        life.today,
      )
    : []

export const overdueDaysOf = (life: Life, order: Order): number =>
  order.status === 'funds_disbursed'
    ? Math.max(
        0,
        ...billsToday(life, order)
          .filter(isOpen)
          .map(bill => Math.round((Date.parse(life.today) - Date.parse(bill.dueDate)) / 86_400_000)),
      )
    : 0

/** Whether this is one person's account: the model's own memory of who the network says they are. */
export const verdictOf = (wallet: string): 'passed' | 'failed' | 'unavailable' =>
  (['passed', 'passed', 'failed', 'failed', 'unavailable'] as const)[Number(wallet.at(-1)) % 5] ?? 'passed'
