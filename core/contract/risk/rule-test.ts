import { z } from 'zod'
import { instance, type Machine } from '../../rules/machines/machine.ts'
import { jobRun } from '../../rules/machines/platform/job-run.ts'
import { command, list, noun, read } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { loanKinds } from '../order/levels.ts'
import { riskDecisions } from './rule-set.ts'

/** Most past orders that a version is tested on. */
export const mostTested = 100_000
/** Fewest past orders, and most days since, of a test that a version is submitted with. */
export const fewestOrders = 200
export const testDays = 7

const page = 'risk:ruleSet:page'
const test = 'risk:ruleSet:test'
const decisions = riskDecisions
/** What the orders of a test are grouped by. */
const groupings = dictionary('RULE_TEST_GROUP', ['product', 'loanKind', 'channel'])

const scheduled = instance(jobRun, {
  table: 'risk_test_run',
  key: 'test_no',
  perms: { 'ops:job:run': test, '{area}:test': test },
})
/** M77 of tests: a person asks for one, and may cancel it. */
export const ruleTestMachine: Machine<keyof typeof scheduled.states> = {
  ...scheduled,
  status: 'test_status',
  leased: undefined,
  rows: scheduled.rows.map(row => (row.event === 'job.plan' ? { ...row, perm: test } : row)),
}

const sample = {
  sampleFrom: field.date(),
  sampleTo: field.date(),
  merchantNos: z.array(field.merchant()).max(50).optional(),
  productNos: z.array(field.product()).max(50).optional(),
  loanKinds: z.array(field.dict(loanKinds)).max(2).optional(),
  sampleMost: field.int().min(1, 'validation.wrongValue').max(mostTested, 'validation.wrongValue'),
  /** The same seed takes the same orders of the same period. */
  seed: field.int().min(0, 'validation.wrongValue').max(999_999_999, 'validation.wrongValue'),
}
const Asked = z
  .strictObject({ versionNo: field.option('RULE_SET_VERSION'), ...sample })
  .superRefine((given, context) => {
    const { sampleFrom, sampleTo } = given
    if (sampleFrom > sampleTo || Date.parse(sampleTo) - Date.parse(sampleFrom) >= 366 * 86_400_000)
      context.addIssue({ code: 'custom', path: ['sampleTo'], message: 'validation.wrongValue' })
  })

const share = () => field.percent().nullable()

const Row = z.object({
  testNo: field.key(),
  ruleSetNo: field.key(),
  ruleSetName: field.text(64),
  /** The version that is tested, as it was when the test was asked for. */
  versionNo: field.key(),
  testStatus: field.state(ruleTestMachine),
  doneCount: field.int(),
  /** Orders of the sample; null until it is taken. */
  sampleCount: field.int().nullable(),
  /** Orders whose outcome is known. */
  knownCount: field.int(),
  /** Orders whose snapshot lacks a fact that the version asks for. */
  unknownFactCount: field.int(),
  refuseRateBefore: share(),
  refuseRate: share(),
  /** Not refused any more. */
  swapIn: field.int(),
  /** Newly refused. */
  swapOut: field.int(),
  /** Orders with another decision or code than before. */
  changedCount: field.int(),
  /** Of the known orders that the version lets through. */
  badRate: share(),
  /** Principal that was lost on them. */
  lossAmount: field.money(),
  sampleFrom: field.date(),
  sampleTo: field.date(),
  seed: field.int(),
  createdBy: field.user(),
  createdTime: field.time(),
  finishedTime: field.time().nullable(),
  version: z.int(),
})
export type RuleTestRow = z.output<typeof Row>

const Cell = z.object({
  oldDecision: field.dict(decisions),
  newDecision: field.dict(decisions),
  count: field.int(),
  knownCount: field.int(),
  badRate: share(),
  lossAmount: field.money(),
})
const TestedRule = z.object({
  ruleNo: z.string(),
  ruleNameZh: field.text(),
  ruleNameEn: field.text(),
  ruleNameSw: field.text(),
  hitsBefore: field.int(),
  hitsAfter: field.int(),
  /** Orders of which the rule cannot tell. */
  unknownAfter: field.int(),
})
const Group = z.object({
  testGroup: field.dict(groupings),
  groupName: field.text(),
  count: field.int(),
  refusedBefore: field.int(),
  refusedAfter: field.int(),
  swapIn: field.int(),
  swapOut: field.int(),
})
const Detail = z.object({
  run: Row,
  passRate: share(),
  /** From this share on the test says little. */
  manyUnknown: field.flag(),
  merchantNos: z.array(field.merchant()),
  productNos: z.array(field.product()),
  loanKinds: z.array(field.dict(loanKinds)),
  sampleMost: field.int(),
  matrix: z.array(Cell),
  testedRules: z.array(TestedRule),
  groups: z.array(Group),
})
export type RuleTestDetail = z.output<typeof Detail>

const Changed = z.object({
  testRowNo: field.key(80),
  testNo: field.key(),
  orderNo: field.key(),
  merchantNo: field.merchant(),
  merchantName: field.text(),
  productNo: field.product(),
  productName: field.text(),
  loanKind: field.dict(loanKinds),
  oldDecision: field.dict(decisions),
  newDecision: field.dict(decisions),
  oldCode: field.text().nullable(),
  newCode: field.text().nullable(),
  /** Rules of the set that hit now and did not before, and those that do not hit any more. */
  newHits: field.text(4_000).nullable(),
  goneHits: field.text(4_000).nullable(),
  /** What became of the order; null where it is not known. */
  wentBad: field.flag().nullable(),
})

const one = { testNo: field.key() }

/** Tests of a version of a rule set on what was known of past orders. */
export const ruleTest = noun('risk/rule-test', {
  page: list('/risk/test/page', {
    perm: page,
    row: Row,
    filters: {
      ruleSetNo: field.key().optional(),
      testStatus: z.array(field.state(ruleTestMachine)).optional(),
      createdTime: field.dateRange().optional(),
    },
    sort: ['createdTime'],
    defaultSort: '-createdTime',
  }),
  detail: read('/risk/test/detail', { perm: page, input: one, output: Detail }),
  /** Orders that the version decides otherwise, of those that the reader sees. */
  orders: list('/risk/test/order/page', {
    perm: page,
    row: Changed,
    filters: {
      testNo: field.key().optional(),
      orderNo: field.key().optional(),
      oldDecision: z.array(field.dict(decisions)).optional(),
      newDecision: z.array(field.dict(decisions)).optional(),
    },
    sort: ['orderNo'],
    defaultSort: 'orderNo',
    exported: { as: 'riskTestOrders', perm: 'risk:decision:export' },
  }),
  run: command({
    path: '/risk/test/run',
    perm: test,
    audit: 'ruleTest.run',
    on: { machine: ruleTestMachine, event: 'job.plan', key: 'testNo' },
    input: Asked,
    output: z.object({ testNo: field.key() }),
  }),
  cancel: command({
    path: '/risk/test/cancel',
    perm: test,
    audit: 'ruleTest.cancel',
    on: { machine: ruleTestMachine, event: 'job.cancel', key: 'testNo' },
    input: z.strictObject(one),
    output: z.object({ testStatus: field.state(ruleTestMachine) }),
  }),
  retry: command({
    path: '/risk/test/retry',
    perm: test,
    audit: 'ruleTest.retry',
    on: { machine: ruleTestMachine, event: 'job.retry', key: 'testNo' },
    input: z.strictObject({ ...one, version: z.int() }),
    output: z.object({ testStatus: field.state(ruleTestMachine) }),
  }),
})
