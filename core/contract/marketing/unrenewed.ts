import { z } from 'zod'
import { smsTask } from '../../rules/machines/marketing/sms-task.ts'
import { config } from '../config.ts'
import type { Flaw } from '../config-versions.ts'
import { endpoint, noun, read } from '../endpoint.ts'
import { field } from '../fields.ts'
import { messageBlocks } from '../operation/message-event.ts'
import { loanKinds, memberLevels } from '../order/levels.ts'

/** Most days on which a rule sends a text, and how long after the loan was settled. */
const maxSteps = 10
const lastDay = 180
const between = (min: number, max: number) =>
  field.int().min(min, 'validation.wrongValue').max(max, 'validation.wrongValue')

/** Whom a rule means, and what they get. */
const target = {
  merchantNos: z.array(field.merchant()).min(1, 'validation.infoComplete').max(50),
  /** Of the loan that was settled. */
  loanKind: field.dict(loanKinds),
  /** None: all. */
  memberLevels: z.array(field.dict(memberLevels)).max(memberLevels.values.length).optional(),
  sendDays: field.rows({ daysAfter: between(1, lastDay), templateNo: field.option('MARKETING_TEXT') }, maxSteps, [
    { daysAfter: 3, templateNo: 'ST1' },
  ]),
  /** How late the settled loan may have been; 0: never late. */
  maxOverdueDays: between(0, 365),
  /** Texts to one customer after one loan. */
  perCustomerMax: between(1, maxSteps),
}

const form = {
  configName: field.text(30),
  ...target,
  textTime: field.clock('08:00', '19:59'),
  effectiveTime: field.time(),
}

type Step = { daysAfter?: unknown; templateNo?: unknown }
/** Days stand once, in their order, each with its text. */
const flaw = ({ sendDays }: Readonly<Record<string, unknown>>): Flaw | null => {
  if (!Array.isArray(sendDays)) return null
  const rows = sendDays as readonly Step[]
  if (rows.length === 0 || rows.some(({ daysAfter, templateNo }) => daysAfter === undefined || !templateNo))
    return { path: 'sendDays', message: 'validation.infoComplete' }
  const rises = rows.every(({ daysAfter }, at) => at === 0 || Number(daysAfter) > Number(rows[at - 1]?.daysAfter))
  return rises ? null : { path: 'sendDays', message: 'validation.daysRise' }
}

/** Rules by which customers who repaid and did not borrow again get texts. */
export const unrenewedRules = config({
  name: 'unrenewed',
  path: '/marketing/manage/unrenewed',
  area: 'mkt:unrenewed',
  table: 'unrenewed_config',
  key: 'configNo',
  row: {
    ...form,
    memberLevels: z.array(field.dict(memberLevels)).nullable(),
    merchants: field.text(500),
    dayOffsets: field.text(),
    texts: field.text(500),
    /** Customers of the next seven days, a day. */
    customersADay: field.int(),
    costADay: field.money().nullable(),
    lastRunDate: field.date().nullable(),
    lastSent: field.int().nullable(),
    /** Who applied within 7 days of a text, of the last 30 days. */
    borrowedAgain: field.int(),
    borrowedShare: z.number().nullable(),
  },
  form,
  flaw,
  filters: {
    configName: field.text(30).optional(),
    merchantNo: z.array(field.merchant()).optional(),
    templateNo: field.option('MARKETING_TEXT').optional(),
    loanKind: z.array(field.dict(loanKinds)).optional(),
    updatedTime: field.dateRange().optional(),
  },
  sort: ['effectiveTime'],
})

const Day = z.object({
  businessDate: field.date(),
  customersMatched: field.int(),
  recipientCount: field.int(),
  customersLeftOut: field.int(),
  blocks: z.array(z.object({ blockReason: field.dict(messageBlocks), count: field.int() })),
  segmentsTotal: field.int(),
  /** By what vendors charged for a part of late; null while that is not known. */
  costEstimate: field.money().nullable(),
})
/** What a rule would do on a day. */
export type UnrenewedDay = z.output<typeof Day>

const Run = z.object({
  taskNo: field.key(),
  businessDate: field.date(),
  smsTaskStatus: field.state(smsTask),
  customersMatched: field.int(),
  customersLeftOut: field.int(),
  textsTaken: field.int(),
  textsArrived: field.int(),
  failedCount: field.int(),
  textsUnknown: field.int(),
  borrowedAgain: field.int(),
})
export type UnrenewedRun = z.output<typeof Run>

const perm = 'mkt:unrenewed:page'

/** Calls of the rules, what one would do in the coming week, and what it has done. */
export const unrenewed = noun('marketing/unrenewed', {
  ...unrenewedRules.calls,
  preview: endpoint({
    method: 'POST',
    path: '/marketing/manage/unrenewed/preview',
    perm,
    input: z.strictObject({ configNo: field.key().optional(), ...target }).superRefine((given, context) => {
      const found = flaw(given)
      if (found) context.addIssue({ code: 'custom', path: [found.path], message: found.message })
    }),
    output: z.object({ list: z.array(Day) }),
  }),
  runs: read('/marketing/manage/unrenewed/run/page', {
    perm,
    input: { configNo: field.key() },
    output: z.object({ list: z.array(Run) }),
  }),
})
