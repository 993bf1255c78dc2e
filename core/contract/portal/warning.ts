import { z } from 'zod'
import { warning as warningMachine } from '../../rules/machines/platform/warning.ts'
import { blockedBy } from '../blocked.ts'
import { command, list, noun, read, results } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'

/** How urgent a warning is, least first. */
export const warningLevels = dictionary('WARNING_LEVEL', ['info', 'warning', 'critical'])
/** Conditions that are watched; each has its rule in the system that knows it. */
export const warningTypes = dictionary('WARNING_TYPE', [
  'payout_unknown',
  'payout_exception',
  'balance_low',
  'channel_failing',
  'writeoff_error',
  'recon_diff',
  'job_failed',
  'config_start_failed',
  'price_over_cap',
  'model_shifted',
  'model_not_loaded',
  'challenger_stopped',
  'rules_milder',
  'machine_incomplete',
  'outbox_dead',
  'airtime_unknown',
  'message_balance_low',
  'merchant_balance_low',
  'merchant_contract_ending',
  'launch_cost_doubled',
  'audit_waiting',
  'allot_stuck',
  'call_system_down',
  'login_attack',
  'mass_reveal',
  'schedule_abnormal',
])

const Row = z.object({
  warningNo: field.key(),
  warningLevel: field.dict(warningLevels),
  warningType: field.dict(warningTypes),
  /** What happened, in the language of the reader. */
  title: z.string(),
  /** The record, or the first of several. */
  objectNo: field.key().nullable(),
  /** Where it is dealt with; null where there is no such page. */
  route: z.string().nullable(),
  merchantName: z.string().nullable(),
  firstTime: field.time(),
  lastTime: field.time(),
  occurCount: field.int(),
  /** From the first time until now, or until it ended. */
  ageMinutes: field.minutes(),
  warningStatus: field.state(warningMachine),
  ackName: field.user().nullable(),
  ackTime: field.time().nullable(),
  version: z.int(),
  blockedBy: blockedBy(),
})
export type WarningRow = z.output<typeof Row>

const Detail = z.object({
  warningNo: field.key(),
  /** What happened, in one sentence with numbers. */
  content: z.string(),
  /** The rule, with its threshold. */
  rule: z.string(),
  /** What to do next. */
  next: z.string(),
  affected: z.array(z.object({ objectNo: field.key(), route: z.string().nullable() })).max(10),
  resolveTime: field.time().nullable(),
  /** Nobody, where its cause was gone. */
  resolveName: field.user().nullable(),
  resolveRemark: z.string().nullable(),
})

const Occurrence = z.object({
  occurrenceNo: z.int(),
  warningNo: field.key(),
  at: field.time(),
  content: z.string(),
})

const key = { warningNo: field.key() }

/** Warnings to duty leads. Everybody signed in may ask; who sees which follows from the permission of its type and the data rule. */
export const warning = noun('portal/warning', {
  page: list('/common/warning/page', {
    row: Row,
    filters: {
      warningLevel: z.array(field.dict(warningLevels)).optional(),
      warningType: z.array(field.dict(warningTypes)).optional(),
      warningStatus: z.array(field.state(warningMachine)).optional(),
      merchantNo: z.array(field.merchant()).optional(),
      firstTime: field.dateRange().optional(),
      warningNo: field.key().optional(),
    },
    sort: ['firstTime', 'lastTime'],
    defaultSort: '-lastTime',
  }),
  detail: read('/common/warning/detail', { input: key, output: Detail }),
  occurrences: list('/common/warning/occurrence/page', {
    row: Occurrence,
    filters: { warningNo: field.key().optional() },
    sort: ['at'],
    defaultSort: '-at',
  }),
  /** How many are open, and the newest critical one that nobody has taken on. */
  alert: read('/common/warning/alert', {
    input: {},
    output: z.object({
      open: field.int(),
      critical: z.object({ count: field.int(), warningNo: field.key(), title: z.string() }).nullable(),
    }),
  }),
  /** Takes them on: the first person wins. */
  ack: command({
    path: '/common/warning/ack',
    audit: 'warning.ack',
    on: { machine: warningMachine, event: 'warning.ack', key: 'warningNos' },
    input: z.strictObject({ warningNos: z.array(field.key()).min(1).max(100) }),
    output: results,
  }),
  /** Ends one whose cause no rule can see to be gone. */
  resolve: command({
    path: '/common/warning/resolve',
    audit: 'warning.resolve',
    on: { machine: warningMachine, event: 'warning.resolve', key: 'warningNo' },
    input: z.strictObject({ ...key, version: z.int(), remark: field.text(30) }),
    output: z.object({ version: z.int() }),
  }),
})
