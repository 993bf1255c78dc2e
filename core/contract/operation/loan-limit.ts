import { z } from 'zod'
import { merchantLoanLimit } from '../../rules/machines/operation/merchant-loan-limit.ts'
import { blockedBy } from '../blocked.ts'
import { command, list, noun, read, results } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { loanKinds } from '../order/levels.ts'

/** How full a limit is: below 80 %, from there on, nothing left, or closed by hand. */
export const limitStates = dictionary('LIMIT_STATE', ['open', 'nearly', 'used', 'suspended'])

const perm = '/AdminContent/OperationSystem/MerchantLoanAmountManagement'
const base = '/loansLimit'
const count = () => field.int().min(0, 'validation.wrongValue').max(1_000_000, 'validation.wrongValue')

const Row = z.object({
  limitNo: field.key(),
  merchantNo: field.merchant(),
  merchantName: field.text(),
  orgName: field.text(),
  /** Null for all products, and for all loans. */
  productNo: field.product().nullable(),
  productName: field.text().nullable(),
  loanKind: field.dict(loanKinds).nullable(),
  limitState: field.dict(limitStates),
  suspendStatus: field.state(merchantLoanLimit),
  suspendReason: field.text(200).nullable(),
  /** What may be paid out on a day; null where nobody has set a limit. */
  dailyLimit: field.money().nullable(),
  dailyPayouts: field.int().nullable(),
  /** Of today alone; null on every other day. */
  dayLimit: field.money().nullable(),
  dayPayouts: field.int().nullable(),
  /** What was paid out today, what is on its way with it, and what is left. */
  usedAmount: field.money(),
  reservedAmount: field.money(),
  remainingAmount: field.money().nullable(),
  usedPercent: field.percent().nullable(),
  usedPayouts: field.int(),
  /** Approved orders that wait for this merchant's limits. */
  waitingCount: field.int(),
  waitingAmount: field.money(),
  outstandingPrincipal: field.money(),
  outstandingLimit: field.money().nullable(),
  /** Hours that the rest lasts at the pace of the last two hours; null where nothing went out in them. */
  hoursLeft: field.int().nullable(),
  updatedBy: field.user(),
  updatedTime: field.time(),
  version: z.int(),
  pendingApproval: field.user().nullable(),
  blockedBy: blockedBy(),
})
/** A lending limit of a merchant: for everything it lends, a product, a kind of loan, or both. */
export type LoanLimit = z.output<typeof Row>

const on = (event: string) => ({ machine: merchantLoanLimit, event, key: 'limitNo' })
const many = { limitNos: z.array(field.key()).min(1).max(200) }
const amounts = {
  dailyLimit: field.money(),
  dailyPayouts: count().optional(),
  outstandingLimit: field.money().optional(),
}
/** A change that waits for a second person has the number of the request. */
const asked = z.object({ version: z.int(), approvalNo: field.key().nullable() })

const Waiting = z.object({
  loanCode: field.key(),
  orderNo: field.key(),
  amount: field.money(),
  waitingSince: field.time(),
})
const Hour = z.object({ hour: field.int(), amount: field.money(), count: field.int() })
const Change = z.object({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() })

/** Calls of the lending limits that payouts respect. */
export const loanLimit = noun('operation/loan-limit', {
  page: list(`${base}/page`, {
    perm,
    row: Row,
    filters: {
      orgNo: field.organization().optional(),
      merchantNo: z.array(field.merchant()).optional(),
      productNo: z.array(field.product()).optional(),
      loanKind: z.array(field.dict(loanKinds)).optional(),
      limitState: z.array(field.dict(limitStates)).optional(),
      waiting: field.flag().optional(),
    },
    sort: ['merchantName', 'dailyLimit', 'usedAmount', 'updatedTime'],
    defaultSort: 'merchantName',
    totals: ['dailyLimit', 'usedAmount', 'reservedAmount', 'waitingCount', 'waitingAmount', 'outstandingPrincipal'],
    exported: { as: 'loanLimits', perm: 'org:loanLimit:export' },
  }),
  today: read(`${base}/today`, {
    perm,
    input: { limitNo: field.key() },
    output: z.object({ byHour: z.array(Hour), waiting: z.array(Waiting) }),
  }),
  history: read(`${base}/history`, {
    perm,
    input: { limitNo: field.key() },
    output: z.object({
      list: z.array(
        z.object({
          version: z.int(),
          event: z.string(),
          changedBy: z.string(),
          changedTime: field.time(),
          changes: z.array(Change),
        }),
      ),
    }),
  }),
  /** A further limit, which can only make narrower what the merchant's own allows. */
  add: command({
    path: `${base}/add`,
    perm: 'org:loanLimit:update',
    audit: 'loanLimit.add',
    input: z.strictObject({
      merchantNo: field.merchant(),
      productNo: field.product().optional(),
      loanKind: field.dict(loanKinds).optional(),
      ...amounts,
    }),
    output: z.object({ limitNo: field.key() }),
  }),
  /** A lower limit holds at once; a higher one when a second person agrees. */
  save: command({
    path: `${base}/save`,
    perm: 'org:loanLimit:update',
    audit: 'loanLimit.save',
    on: on('limit.set'),
    input: z.strictObject({ limitNo: field.key(), version: z.int(), ...amounts }),
    output: asked,
  }),
  /** The limit of today alone; from midnight on the daily one holds again. */
  day: command({
    path: `${base}/day`,
    perm: 'org:loanLimit:update',
    audit: 'loanLimit.day',
    on: on('limit.set'),
    input: z.strictObject({
      limitNo: field.key(),
      version: z.int(),
      dayLimit: field.money(),
      dayPayouts: count().optional(),
    }),
    output: asked,
  }),
  suspend: command({
    path: `${base}/suspend`,
    perm: 'org:loanLimit:suspend',
    audit: 'loanLimit.suspend',
    on: { machine: merchantLoanLimit, event: 'limit.suspend', key: 'limitNos' },
    input: z.strictObject({ ...many, reason: field.longText(200) }),
    output: results,
  }),
  /** Each waits for a second person. */
  resume: command({
    path: `${base}/resume`,
    perm: 'org:loanLimit:suspend',
    audit: 'loanLimit.resume',
    on: { machine: merchantLoanLimit, event: 'limit.resume', key: 'limitNos' },
    input: z.strictObject(many),
    output: results,
  }),
  /** What the merchants of an organization may pay out on a day together; empty for no such limit. A second person agrees. */
  organization: command({
    path: `${base}/organization`,
    perm: 'org:loanLimit:update',
    audit: 'loanLimit.organization',
    input: z.strictObject({ orgNo: field.organization(), dailyLimit: field.money().optional() }),
    output: z.object({ approvalNo: field.key() }),
  }),
})
