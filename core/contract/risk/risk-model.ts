import { z } from 'zod'
import { configVersion } from '../../rules/machines/operation/config-version.ts'
import { config } from '../config.ts'
import type { Flaw } from '../config-versions.ts'
import { command, endpoint, list, noun, read } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { loanKinds, modelLevels } from '../order/levels.ts'

/** A card that is added up here, or a service that is asked. */
export const modelKinds = dictionary('MODEL_KIND', ['scorecard', 'external'])
/** What a version does: decides, decides for a share of the customers, or only looks on. */
export const modelRoles = dictionary('MODEL_ROLE', ['champion', 'challenger', 'shadow', 'none'])
/** Roles that a version is given. */
const givenRoles = dictionary('MODEL_ROLE', ['champion', 'challenger', 'shadow'])
/** How far scores have moved from those of the sample that the model was made on. */
export const psiVerdicts = dictionary('PSI_VERDICT', ['stable', 'look', 'act'])
/** How a test on stored snapshots ended. */
export const modelTestResults = dictionary('MODEL_TEST_RESULT', ['passed', 'failed'])
/** Why a test did not pass. */
export const modelTestFaults = dictionary('MODEL_TEST_FAULT', ['too_few', 'no_score', 'missing_facts'])

/** Most rows of a scorecard, and most facts that a service is sent. */
export const maxBins = 400
export const maxFacts = 60
/** Fewest stored snapshots that a version is tested on. */
export const fewestTested = 200

const bin = {
  fact: field.text(60),
  binFrom: field.rate().optional(),
  binTo: field.rate().optional(),
  binValue: field.text(40).optional(),
  points: field.int().min(-1_000, 'validation.wrongValue').max(1_000, 'validation.wrongValue'),
}
const exampleBins = [
  { fact: 'customer.age', binTo: '25', points: -10 },
  { fact: 'customer.age', binFrom: '25', points: 20 },
  { fact: 'customer.age', points: 0 },
]
const bins = () => field.rows(bin, maxBins, exampleBins)
const points = () => field.int().min(-10_000, 'validation.wrongValue').max(10_000, 'validation.wrongValue')

const roleForm = {
  modelRole: field.dict(givenRoles),
  trafficPercent: field.int().min(0, 'validation.wrongValue').max(50, 'validation.trafficMost').optional(),
}
/** A challenger has a share of the customers, and nothing else has one. */
const roleFlaw = ({ modelRole, trafficPercent }: Readonly<Record<string, unknown>>): Flaw | null =>
  modelRole === 'challenger'
    ? Number(trafficPercent ?? 0) > 0
      ? null
      : wrongTraffic
    : trafficPercent == null
      ? null
      : wrongTraffic
const wrongTraffic: Flaw = { path: 'trafficPercent', message: 'validation.trafficOfChallenger' }

/** Versions of risk models, each with the role that it has from a time on. */
export const riskModels = config({
  name: 'riskModel',
  path: '/risk/model',
  area: 'risk:model',
  codes: { enable: 'risk:model:save', delete: 'risk:model:save' },
  table: 'risk_model',
  key: 'modelVersionNo',
  row: {
    modelNo: field.key(),
    modelName: field.text(64),
    psiLook: field.rate(),
    psiAct: field.rate(),
    modelVersion: field.int(),
    /** One person ended its traffic: until then it holds, unless a second person keeps it. */
    emergencyUntil: field.time().nullable(),
    /** The version of the row that is in force, which a second person keeps. */
    heldVersion: field.int().nullable(),
    modelKind: field.dict(modelKinds),
    versionStatus: field.state(configVersion),
    basePoints: field.int().nullable(),
    scoreMin: field.int(),
    scoreMax: field.int(),
    sha256: field.text(64),
    /** Decisions of the last seven days. */
    scored7: field.int(),
    meanScore: field.int().nullable(),
    approveShare: field.percent().nullable(),
    reviewShare: field.percent().nullable(),
    refuseShare: field.percent().nullable(),
    psi: field.rate().nullable(),
    psiVerdict: field.dict(psiVerdicts).nullable(),
    /** On known outcomes of the last half a year; absent where too few are known. */
    auc: field.rate().nullable(),
    ks: field.rate().nullable(),
    knownCount: field.int(),
    missingShare: field.percent().nullable(),
    p95Ms: field.int().nullable(),
    modelTestResult: field.dict(modelTestResults).nullable(),
    hasCredential: field.flag(),
  },
  form: {
    modelName: field.text(64),
    /** Stability indexes from which people look, and from which they act. */
    psiLook: field.rate(),
    psiAct: field.rate(),
  },
  create: {
    /** The model that it is another version of. */
    modelNo: field.key().optional(),
    modelKind: field.dict(modelKinds),
    scoreMin: points(),
    scoreMax: points(),
    basePoints: points().optional(),
    bins: bins().optional(),
    endpoint: field.text(200).optional(),
    factKeys: z.array(field.text(60)).max(maxFacts).optional(),
  },
  versions: {
    form: roleForm,
    flaw: roleFlaw,
    emergency: 'risk:model:emergency',
    effect: {
      /** Of a hundred orders, how many it scores for decisions, and how many the champion keeps. */
      taken: field.int(),
      kept: field.int(),
      champion: field.text(),
      /** Orders of the last 30 days that plans would have sent to the model. */
      orders30: field.int(),
    },
  },
  filters: {
    modelName: field.text().optional(),
    modelKind: z.array(field.dict(modelKinds)).optional(),
    modelRole: z.array(field.dict(modelRoles)).optional(),
    merchantNo: z.array(field.merchant()).optional(),
    productNo: z.array(field.product()).optional(),
    versionStatus: z.array(field.state(configVersion)).optional(),
  },
  sort: ['modelNo', 'modelVersion', 'effectiveTime'],
  defaultSort: 'modelNo',
  used: true,
  exported: { as: 'riskModels', perm: 'risk:model:export' },
})

const perm = 'risk:model:page'
const share = () => field.percent().nullable()
const period = { from: field.date(), to: field.date() }
/** Both days, and at most a year between them. */
const isPeriod = ({ from, to }: { from: string; to: string }) =>
  from <= to && Date.parse(to) - Date.parse(from) < 366 * 86_400_000

const Band = z.object({
  loanKind: field.dict(loanKinds),
  modelLevel: field.dict(modelLevels),
  scored: field.int(),
  approvedCount: field.int(),
  reviewedCount: field.int(),
  machineRefused: field.int(),
  knownCount: field.int(),
  badRate: share(),
})

const Arm = z.object({
  modelVersionNo: field.key(),
  modelVersion: field.int(),
  modelRole: field.dict(modelRoles),
  scored: field.int(),
  meanScore: field.int().nullable(),
  passedShare: share(),
  knownCount: field.int(),
  badRate: share(),
  auc: field.rate().nullable(),
  ks: field.rate().nullable(),
})

const Monitor = z.object({
  /** Where the classes of both histograms begin. */
  classes: z.array(z.int()),
  development: z.array(z.int().nonnegative()),
  now: z.array(z.int().nonnegative()),
  psi: field.rate().nullable(),
  psiVerdict: field.dict(psiVerdicts).nullable(),
  days: z.array(
    z.object({
      day: field.date(),
      scored: field.int(),
      meanScore: field.int().nullable(),
      psi: field.rate().nullable(),
    }),
  ),
  bands: z.array(Band),
  /** Known outcomes of the orders of each week by level. */
  weeks: z.array(
    z.object({ week: field.date(), modelLevel: field.dict(modelLevels), knownCount: field.int(), badRate: share() }),
  ),
  missing: z.array(z.object({ fact: field.text(), missingShare: share() })),
  /** Of the scores: how many each attribute, or each code of a service, cost the most points. */
  reasons: z.array(z.object({ reason: field.text(200), scored: field.int(), reasonShare: share() })),
  /** Champion and challengers on the same days. */
  arms: z.array(Arm),
})
export type Monitor = z.output<typeof Monitor>

const Card = z.object({
  list: z.array(
    z.object({
      binNo: field.int(),
      ...bin,
      /** Of the scores of the last 30 days. */
      binShare: share(),
      knownCount: field.int(),
      badRate: share(),
    }),
  ),
  /** How many snapshots were looked at. */
  sampleCount: field.int(),
  /** What an external model is sent. */
  factKeys: z.array(z.string()),
})

const Score = z.object({
  scoreNo: z.int(),
  scoredTime: field.time(),
  orderNo: field.key(),
  modelVersionNo: field.key(),
  modelName: field.text(64),
  modelVersion: field.int(),
  modelRole: field.dict(modelRoles),
  merchantNo: field.merchant(),
  merchantName: field.text(),
  productNo: field.product(),
  productName: field.text(),
  loanKind: field.dict(loanKinds),
  /** Null where there was none. */
  modelScore: field.int().nullable(),
  modelLevel: field.dict(modelLevels).nullable(),
  /** What cost most points, at most five, the most first. */
  scoreReasons: field.text(500).nullable(),
  missingFacts: field.text(4_000).nullable(),
  /** What became of the order; null where it is not known. */
  wentBad: field.flag().nullable(),
})
export type ScoreRow = z.output<typeof Score>

const TestRun = z.object({
  modelTestNo: field.key(),
  modelTestResult: field.dict(modelTestResults),
  modelTestFault: field.dict(modelTestFaults).nullable(),
  sampleCount: field.int(),
  knownCount: field.int(),
  meanScore: field.int().nullable(),
  classes: z.array(z.int()),
  histogram: z.array(z.int().nonnegative()),
  auc: field.rate().nullable(),
  ks: field.rate().nullable(),
  missingShare: share(),
  /** Orders whose level differs from that of the champion. */
  disagreeShare: share(),
  bands: z.array(
    z.object({ modelLevel: field.dict(modelLevels), scored: field.int(), knownCount: field.int(), badRate: share() }),
  ),
  testedBy: field.user(),
  testedTime: field.time(),
})
export type TestRun = z.output<typeof TestRun>

const one = { modelVersionNo: field.key(), version: z.int() }
const emergency = (event: string) => ({
  machine: riskModels.versionMachine as NonNullable<typeof riskModels.versionMachine>,
  event,
  key: 'modelVersionNo',
})

/** Calls of risk models. */
export const riskModel = noun('risk/risk-model', {
  ...riskModels.calls,
  /** The key by which a service lets us in; nobody reads it again. */
  credential: command({
    path: '/risk/model/credential',
    perm: 'risk:model:save',
    audit: 'riskModel.credential',
    input: z.strictObject({ ...one, credential: field.text(400) }),
    output: z.object({ version: z.int() }),
  }),
  /** Scores stored snapshots with a version; nothing is decided by it. */
  test: command({
    path: '/risk/model/test',
    perm: 'risk:model:test',
    audit: 'riskModel.test',
    input: z.strictObject({ modelVersionNo: field.key() }),
    output: TestRun,
  }),
  tests: read('/risk/model/test/list', {
    perm,
    input: { modelVersionNo: field.key() },
    output: z.object({ list: z.array(TestRun) }),
  }),
  card: read('/risk/model/card', { perm, input: { modelVersionNo: field.key() }, output: Card }),
  monitor: endpoint({
    method: 'POST',
    path: '/risk/model/monitor',
    perm,
    input: z
      .strictObject({
        modelVersionNo: field.key(),
        ...period,
        loanKind: field.dict(loanKinds).optional(),
        productNo: field.product().optional(),
      })
      .refine(isPeriod, { path: ['to'], message: 'validation.wrongValue' }),
    output: Monitor,
  }),
  /** What each version said of an order, with its reasons: what the monitor adds up. */
  scores: list('/risk/model/score/page', {
    perm,
    row: Score,
    filters: {
      modelVersionNo: field.key().optional(),
      orderNo: field.key().optional(),
      scoredTime: field.dateRange().optional(),
      modelRole: z.array(field.dict(modelRoles)).optional(),
      modelLevel: z.array(field.dict(modelLevels)).optional(),
      loanKind: z.array(field.dict(loanKinds)).optional(),
      productNo: z.array(field.product()).optional(),
    },
    sort: ['scoredTime'],
    defaultSort: '-scoredTime',
    exported: { as: 'modelScores', perm: 'risk:model:export' },
  }),
  /** The traffic of a challenger ends at once; after a day it comes back, unless a second person keeps it so. */
  emergency: command({
    path: '/risk/model/emergency',
    perm: 'risk:model:emergency',
    audit: 'riskModel.emergency',
    on: emergency('version.emergency'),
    input: z.strictObject({ ...one, reason: field.longText(200) }),
    output: z.object({ version: z.int() }),
  }),
  keep: command({
    path: '/risk/model/keep',
    perm: 'risk:model:save:check',
    audit: 'riskModel.keep',
    on: { ...emergency('version.keep'), key: 'versionNo' },
    input: z.strictObject({ versionNo: field.key(), version: z.int(), reason: field.longText(200) }),
    output: z.object({ version: z.int() }),
  }),
})
