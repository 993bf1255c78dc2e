import { z } from 'zod'
import { executeModes, onMissings, ruleActions, ruleModes, ruleResults, ruleStages } from '../../rules/risk/rule.ts'
import { config } from '../config.ts'
import type { Flaw } from '../config-versions.ts'
import { command, endpoint, list, noun, read } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { loanKinds, modelLevels } from '../order/levels.ts'
import { payeeResults } from '../payee.ts'

const stages = dictionary('RISK_STAGE', ruleStages)
const actions = dictionary('RULE_ACTION', ruleActions)
const modes = dictionary('RULE_MODE', ruleModes)
const results = dictionary('RULE_RESULT', ruleResults)
const missings = dictionary('RULE_ON_MISSING', onMissings)
const executes = dictionary('RULE_EXECUTE_MODE', executeModes)
export const riskDecisions = dictionary('RISK_DECISION', ['refuse', 'review', 'approve', 'incomplete'])
const incompletes = dictionary('RISK_INCOMPLETE', ['no_plan', 'fault', 'timeout'])
const units = dictionary('FACT_UNIT', ['shillings', 'days', 'years', 'count', 'share', 'none'])
const factTypes = dictionary('FACT_TYPE', ['int', 'double', 'string', 'bool', 'list'])

/** Most rules of a set. */
export const maxRules = 100

const rule = {
  /** Never changes once it is in force. */
  ruleNo: field.text(32).regex(/^[A-Za-z0-9._]{2,32}$/, 'validation.ruleNo'),
  ruleNameZh: field.text(64),
  ruleNameEn: field.text(64),
  ruleNameSw: field.text(64),
  expression: field.text(2_000),
  ruleAction: field.dict(actions),
  refuseCode: field.text(40).optional(),
  downgradeSteps: field.int().min(1, 'validation.wrongValue').max(4, 'validation.wrongValue').optional(),
  onMissing: field.dict(missings),
  ruleMode: field.dict(modes),
}
const example = [
  {
    ruleNo: 'LATE.15',
    ruleNameZh: '历史逾期超过15天',
    ruleNameEn: 'Over 15 days late before',
    ruleNameSw: 'Aliwahi kuchelewa zaidi ya siku 15',
    expression: 'history.maxOverdueDays > 15',
    ruleAction: 'review',
    onMissing: 'skip',
    ruleMode: 'shadow',
  },
] as const
const rules = () => field.rows(rule, maxRules, example)

const form = {
  executeMode: field.dict(executes),
  /** Applicants on a white list are not asked; lists and legal checks always are. */
  whitelistSkips: field.flag(),
  /** Whose orders are asked about; all where none is named. */
  merchantNos: z.array(field.merchant()).max(50).optional(),
  productNos: z.array(field.product()).max(50).optional(),
  loanKinds: z.array(field.dict(loanKinds)).max(2).optional(),
  rules: rules(),
}
type RuleRow = z.output<ReturnType<typeof rules>>[number]

const twice = (values: readonly string[]) => values.some((value, at) => values.indexOf(value) !== at)
/** What is wrong between rules of a set; what an expression means is checked by the server. */
const flaw = ({ rules: given }: Readonly<Record<string, unknown>>): Flaw | null => {
  const typed = form.rules.safeParse(given)
  if (!typed.success) return null
  const all: readonly RuleRow[] = typed.data
  if (all.length === 0) return { path: 'rules', message: 'validation.infoComplete' }
  if (twice(all.map(one => one.ruleNo))) return { path: 'rules', message: 'validation.ruleTwice' }
  if (twice(all.map(one => one.expression.replace(/\s+/g, ' ')))) return { path: 'rules', message: 'errors.exists' }
  if (all.some(one => (one.ruleAction === 'refuse') !== (one.refuseCode !== undefined)))
    return { path: 'rules', message: 'validation.ruleRefuseCode' }
  return all.some(one => (one.ruleAction === 'downgrade') !== (one.downgradeSteps !== undefined))
    ? { path: 'rules', message: 'validation.ruleSteps' }
    : null
}

/** Sets of rules that applications are asked by, each with dated versions. */
export const ruleSets = config({
  name: 'ruleSet',
  path: '/risk/ruleSet',
  area: 'risk:ruleSet',
  codes: { enable: 'risk:ruleSet:save', delete: 'risk:ruleSet:save' },
  table: 'risk_rule_set',
  key: 'ruleSetNo',
  row: {
    ruleSetName: field.text(64),
    stage: field.dict(stages),
    sort: field.place(),
    enforcedCount: field.int(),
    shadowCount: field.int(),
    offCount: field.int(),
    /** Of the decisions of the last seven days. */
    hitRate7: field.percent().nullable(),
    /** One person made it milder: until then it holds, unless a second person keeps it. */
    emergencyUntil: field.time().nullable(),
    /** The version of the row that is in force, which a second person keeps. */
    heldVersion: field.int().nullable(),
  },
  form: { ruleSetName: field.text(64), sort: field.place() },
  create: { stage: field.dict(stages) },
  versions: {
    form,
    flaw,
    emergency: 'risk:ruleSet:emergency',
    effect: {
      changedRules: field.int(),
      /** Past orders of the newest test of the version, and how many of them are refused before and after. */
      sampleCount: field.int(),
      refusedBefore: field.int(),
      refusedAfter: field.int(),
      newlyRefused: field.int(),
      /** Of the newly refused: those whose outcome is known, and those that went bad. */
      knownRefused: field.int(),
      badRefused: field.int(),
      newlyPassed: field.int(),
    },
  },
  filters: {
    ruleSetName: field.text().optional(),
    stage: z.array(field.dict(stages)).optional(),
    merchantNo: z.array(field.merchant()).optional(),
    productNo: z.array(field.product()).optional(),
    ruleAction: z.array(field.dict(actions)).optional(),
    ruleMode: z.array(field.dict(modes)).optional(),
    refuseCode: field.refuseCode().optional(),
    expression: field.text(100).optional(),
  },
  sort: ['stage', 'sort', 'ruleSetName', 'effectiveTime'],
  defaultSort: 'sort',
})

const perm = ruleSets.codes.page
const decisionPerm = 'risk:decision:page'

const Place = z.object({
  /** A key of words. */
  message: z.string(),
  detail: z.string(),
  start: field.int(),
  end: field.int(),
})

const Figure = z.object({
  ruleNo: z.string(),
  ruleNameZh: field.text(),
  ruleNameEn: field.text(),
  ruleNameSw: field.text(),
  expression: z.string(),
  ruleAction: field.dict(actions),
  refuseCode: z.string().nullable(),
  ruleMode: field.dict(modes),
  onMissing: field.dict(missings),
  factsUsed: z.array(z.string()),
  /** Decisions of the last seven days that asked the set. */
  asked7: field.int(),
  hits7: field.int(),
  unknown7: field.int(),
  /** Hits that were the only reason of a refusal. */
  onlyReason: field.int(),
  /** The last hit within 30 days. */
  lastHit: field.time().nullable(),
})
export type RuleFigure = z.output<typeof Figure>

const TriedRule = z.object({
  ruleNo: z.string(),
  outcome: field.dict(results),
  parts: z.array(z.object({ text: z.string(), outcome: field.dict(results) })),
  factValues: z.array(z.object({ fact: z.string(), value: z.string().nullable() })),
})
export type TriedRule = z.output<typeof TriedRule>

const Fact = z.object({
  fact: z.string(),
  factType: field.dict(factTypes),
  factUnit: field.dict(units),
  /** Of the snapshots of the last seven days. */
  missingShare: field.percent().nullable(),
  least: z.string().nullable(),
  median: z.string().nullable(),
  most: z.string().nullable(),
  /** The values that are seen most often. */
  top: z.array(z.string()),
})
export type Fact = z.output<typeof Fact>

const Decision = z.object({
  decisionNo: field.key(),
  decidedTime: field.time(),
  orderNo: field.key(),
  customerName: field.customerName(),
  productNo: field.product(),
  productName: field.text(),
  merchantNo: field.merchant(),
  merchantName: field.text(),
  loanKind: field.dict(loanKinds),
  riskDecision: field.dict(riskDecisions),
  refuseCode: field.text().nullable(),
  modelScore: field.int().nullable(),
  modelLevel: field.dict(modelLevels).nullable(),
  suggestedAmount: field.money().nullable(),
  durationMs: field.int(),
  /** The versions that decided. */
  usedVersions: z.string(),
})
export type RiskDecision = z.output<typeof Decision>

const Hit = z.object({
  ruleSetName: field.text(),
  ruleNo: z.string(),
  ruleNameZh: field.text(),
  ruleNameEn: field.text(),
  ruleNameSw: field.text(),
  ruleAction: field.dict(actions),
  ruleMode: field.dict(modes),
  outcome: field.dict(results),
  refuseCode: z.string().nullable(),
  acts: field.flag(),
  /** Only for who reads rule sets. */
  expression: z.string().nullable(),
  factValues: z.array(z.object({ fact: z.string(), value: z.string().nullable() })),
})

const AskedSet = z.object({
  ruleSetName: field.text(),
  stage: field.dict(stages),
  versionNo: z.string(),
  setHits: field.int(),
})

/** Why an order was decided as it was. Observed rules and expressions are answered only to who reads rule sets. */
const Detail = Decision.omit({ customerName: true }).extend({
  evalNo: field.int(),
  modelNo: z.string().nullable(),
  modelVersion: field.int().nullable(),
  /** Null where no plan was ever written, and every set and the base model decided. */
  planVersionNo: z.string().nullable(),
  bandDecision: z.string().nullable(),
  /** The share of the greatest amount that the band allows, and what it comes to; null where no band bounded the amount. */
  bandRate: field.percent().nullable(),
  bandMost: field.money().nullable(),
  /** Why nothing could be decided. */
  incompleteWhy: field.dict(incompletes).nullable(),
  manualAll: field.flag(),
  sets: z.array(AskedSet),
  priceVersionNo: z.string().nullable(),
  aboveCap: field.flag(),
  verifyResult: field.dict(payeeResults),
  lists: z.array(z.object({ nameListNo: z.string(), nameListName: field.text(), listEffect: z.string() })),
  hits: z.array(Hit),
  facts: z.array(z.object({ fact: z.string(), value: z.string().nullable() })),
  /** Computing it again from what was stored gives the same. */
  replays: field.flag(),
})
export type DecisionDetail = z.output<typeof Detail>

const one = { ruleSetNo: field.key(), version: z.int() }
const emergency = (event: string, key: string) => ({
  machine: ruleSets.versionMachine as NonNullable<typeof ruleSets.versionMachine>,
  event,
  key,
})

/** Calls of rule sets and of the decisions that they made. */
export const ruleSet = noun('risk/rule-set', {
  ...ruleSets.calls,
  /** The rules in force of a set with what they did in the last seven days. */
  figures: read('/risk/ruleSet/rule/list', {
    perm,
    input: { ruleSetNo: field.key() },
    output: z.object({ list: z.array(Figure) }),
  }),
  factList: read('/risk/fact/list', { perm, input: {}, output: z.object({ list: z.array(Fact) }) }),
  /** Says what is wrong with an expression, and where, as it is typed. */
  check: endpoint({
    method: 'POST',
    path: '/risk/expression/check',
    perm,
    input: z.strictObject({ expression: z.string().max(4_000), stage: field.dict(stages).optional() }),
    output: z.object({ factsUsed: z.array(z.string()), flaw: Place.nullable() }),
  }),
  /** Rules as they are typed, over what was known of one order; nothing is changed. */
  tryOn: endpoint({
    method: 'POST',
    path: '/risk/ruleSet/try',
    perm: 'risk:ruleSet:test',
    input: z.strictObject({ orderNo: field.key(), ruleSetNo: field.key(), rules: rules() }),
    output: z.object({ list: z.array(TriedRule), riskDecision: field.dict(riskDecisions).nullable() }),
  }),
  /** Hits of a rule go to auditors at once instead of being refused; after a day it refuses again, unless a second person keeps it so. */
  emergency: command({
    path: '/risk/ruleSet/emergency',
    perm: 'risk:ruleSet:emergency',
    audit: 'ruleSet.emergency',
    on: emergency('version.emergency', 'ruleSetNo'),
    input: z.strictObject({ ...one, ruleNo: field.key(), reason: field.longText(200) }),
    output: z.object({ version: z.int() }),
  }),
  keep: command({
    path: '/risk/ruleSet/keep',
    perm: 'risk:ruleSet:save:check',
    audit: 'ruleSet.keep',
    on: emergency('version.keep', 'versionNo'),
    input: z.strictObject({ versionNo: field.key(), version: z.int(), reason: field.longText(200) }),
    output: z.object({ version: z.int() }),
  }),
  decisions: list('/risk/decision/page', {
    perm: decisionPerm,
    row: Decision,
    filters: {
      orderNo: field.key().optional(),
      riskDecision: z.array(field.dict(riskDecisions)).optional(),
      refuseCode: field.refuseCode().optional(),
      ruleNo: field.key().optional(),
      modelLevel: z.array(field.dict(modelLevels)).optional(),
      merchantNo: z.array(field.merchant()).optional(),
      productNo: z.array(field.product()).optional(),
      loanKind: z.array(field.dict(loanKinds)).optional(),
      decidedTime: field.dateRange().optional(),
    },
    sort: ['decidedTime', 'durationMs'],
    defaultSort: '-decidedTime',
    exported: { as: 'riskDecisions', perm: 'risk:decision:export' },
  }),
  /** The newest decision of an order, or one by its number. */
  decisionDetail: read('/risk/decision/detail', {
    perm: decisionPerm,
    input: { orderNo: field.key().optional(), decisionNo: field.key().optional() },
    output: Detail,
  }),
})
