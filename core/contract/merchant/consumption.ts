import { z } from 'zod'
import { consumptionRecord } from '../../rules/machines/merchant/consumption-record.ts'
import { Journal } from '../after-loan/loan.ts'
import { blockedBy } from '../blocked.ts'
import { command, endpoint, list, noun, read } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { unitPrice } from './consumption-type.ts'
import { meters, units } from './meters.ts'

/** What consumption is added up by. */
const summaryParts = dictionary('CONSUMPTION_BY', ['day', 'type', 'merchant'])

const perm = 'merchant:consumption:page'
const base = '/merchant/consumption'

/** What a merchant used of a service on a day, at one price. */
export const ConsumptionRow = z.object({
  consumptionNo: field.key(),
  businessDate: field.date(),
  merchantNo: field.merchant(),
  merchantName: field.text(),
  orgName: field.text(),
  typeNo: field.option('CONSUMPTION_TYPE'),
  meter: field.dict(meters),
  unit: field.dict(units),
  /** No price held on the day: it is charged nothing. */
  unpriced: field.flag(),
  unitPrice: unitPrice(),
  quantity: field.int(),
  consumptionAmount: field.money(),
  reversedQuantity: field.int(),
  reversedAmount: field.money(),
  consumptionStatus: field.state(consumptionRecord),
  /** Which journal posted it; null while it grows, and where it came to nothing. */
  journalNo: field.int().nullable(),
  postedTime: field.time().nullable(),
  /** The merchant's wallet right after it was posted. */
  balanceAfter: z.string().meta({ kind: 'money' }).nullable(),
  /** What would still be given back, and what the wallet has now. */
  leftQuantity: field.int(),
  leftAmount: field.money(),
  walletBalance: z.string().meta({ kind: 'money' }),
  version: z.int(),
  pendingApproval: field.user().nullable(),
  blockedBy: blockedBy(),
})
export type ConsumptionRow = z.output<typeof ConsumptionRow>

const EventRow = z.object({
  eventNo: field.key(),
  consumptionNo: field.key(),
  meter: field.dict(meters),
  subjectNo: field.key(),
  quantity: field.int(),
  eventTime: field.time(),
})

const Reversal = z.object({
  reversalNo: field.key(),
  quantity: field.int(),
  amount: field.money(),
  reason: field.text(200),
  makerName: field.user(),
  checkerName: field.user(),
  reversedTime: field.time(),
})

const Summed = z.object({
  name: field.text(),
  meter: field.dict(meters).nullable(),
  quantity: field.int(),
  amount: field.money(),
})

const signed = () => z.string().meta({ kind: 'money' })
const StatementLine = z.object({
  kind: field.dict(dictionary('STATEMENT_KIND', ['recharge', 'consumption', 'given_back', 'recharge_reversed'])),
  meter: field.dict(meters).nullable(),
  quantity: field.int().nullable(),
  amount: signed(),
})
const Statement = z.object({
  merchantName: field.text(),
  month: field.month(),
  opening: signed(),
  lines: z.array(StatementLine),
  closing: signed(),
  /** What the ledger says; a statement that says something else is not handed out. */
  ledger: signed(),
  agrees: field.flag(),
})
export type Statement = z.output<typeof Statement>
/** A table to go on with, or the page that the merchant is sent. */
const statementFormats = dictionary('STATEMENT_FORMAT', ['pdf', 'xlsx', 'csv'])
const ofMonth = { merchantNo: field.merchant(), month: field.month() }

/** Calls of what merchants used, event by event and day by day. */
export const consumption = noun('merchant/consumption', {
  page: list(`${base}/page`, {
    perm,
    row: ConsumptionRow,
    filters: {
      merchantNo: z.array(field.merchant()).optional(),
      orgNo: field.organization().optional(),
      typeNo: field.option('CONSUMPTION_TYPE').optional(),
      meter: z.array(field.dict(meters)).optional(),
      businessDate: field.dateRange().optional(),
      consumptionStatus: z.array(field.state(consumptionRecord)).optional(),
      unpriced: field.flag().optional(),
      consumptionNo: field.key(2000).optional(),
    },
    totals: ['quantity', 'consumptionAmount', 'reversedAmount'],
    sort: ['businessDate', 'consumptionAmount', 'quantity'],
    defaultSort: '-businessDate',
    exported: { as: 'consumptions', perm: 'merchant:consumption:export' },
  }),
  events: list(`${base}/event/page`, {
    perm,
    row: EventRow,
    filters: { consumptionNo: field.key().optional() },
    sort: ['eventTime'],
    defaultSort: 'eventTime',
  }),
  detail: read(`${base}/detail`, {
    perm,
    input: { consumptionNo: field.key() },
    output: z.object({
      record: ConsumptionRow,
      /** Events by the hour of the day. */
      byHour: z.array(z.object({ hour: field.int(), quantity: field.int() })),
      reversals: z.array(Reversal),
      journals: z.array(Journal),
    }),
  }),
  summary: endpoint({
    method: 'POST',
    path: `${base}/summary`,
    perm,
    input: z
      .strictObject({ from: field.date(), to: field.date(), by: field.dict(summaryParts) })
      .refine(({ from, to }) => from <= to && Date.parse(to) - Date.parse(from) < 93 * 86_400_000, {
        path: ['to'],
        message: 'validation.wrongValue',
      }),
    output: z.object({
      list: z.array(Summed),
      perDay: field.money(),
      /** The mean of a day in the seven days before the last seven, and in these; and of a merchant's dearest orders the services. */
      lastWeek: field.money(),
      thisWeek: field.money(),
    }),
  }),
  /** Orders that cost their merchants most in services, in the last 30 days. */
  dearest: read(`${base}/dearest`, {
    perm,
    input: {},
    output: z.object({
      list: z.array(z.object({ orderNo: field.key(), merchantName: field.text(), amount: field.money() })),
    }),
  }),
  statement: read(`${base}/statement`, { perm, input: ofMonth, output: Statement }),
  statementFile: endpoint({
    method: 'GET',
    path: `${base}/statement/file`,
    perm,
    writes: true,
    file: true,
    input: z.strictObject({ ...ofMonth, exportFormat: field.dict(statementFormats) }),
    output: z.null(),
  }),
  /** Asks a second person to give back what was charged, in part or all of it. */
  reverse: command({
    path: `${base}/reverse`,
    perm: 'merchant:consumption:reverse',
    audit: 'consumption.reverse',
    money: 'moves',
    on: { machine: consumptionRecord, event: 'consumption.reverse', key: 'consumptionNo' },
    input: z.strictObject({
      consumptionNo: field.key(),
      version: z.int(),
      quantity: field.int().min(1, 'validation.wrongValue').max(100_000_000, 'validation.wrongValue'),
      reason: field.longText(200),
      evidence: field.file('attachment'),
    }),
    output: z.object({ approvalNo: field.key(), amount: field.money() }),
  }),
})
