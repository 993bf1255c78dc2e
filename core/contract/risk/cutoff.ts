import { z } from 'zod'
import type { Band } from '../../rules/risk/bands.ts'
import { config } from '../config.ts'
import { endpoint, noun } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { loanKinds, modelLevels } from '../order/levels.ts'

/** What scores of a band are decided as. */
export const bandDecisions = dictionary('BAND_DECISION', ['approve', 'review', 'refuse'])

const score = () => field.int().min(-100_000, 'validation.wrongValue').max(100_000, 'validation.wrongValue')
const band = {
  modelLevel: field.dict(modelLevels),
  scoreFrom: score(),
  scoreTo: score(),
  bandDecision: field.dict(bandDecisions),
  /** Of the greatest amount of the level, in percent. */
  maxAmountRate: field.percent(),
}
type BandRow = Omit<Band, 'loanKind'>
const example = [
  { modelLevel: 'A', scoreFrom: 720, scoreTo: 850, bandDecision: 'approve', maxAmountRate: '100' },
  { modelLevel: 'B', scoreFrom: 600, scoreTo: 719, bandDecision: 'review', maxAmountRate: '80' },
  { modelLevel: 'E', scoreFrom: 300, scoreTo: 599, bandDecision: 'refuse', maxAmountRate: '0' },
] as const
const rows = () => field.rows(band, modelLevels.values.length, example)

const form = { firstBands: rows(), repeatBands: rows() }
/** The bands of both kinds of loans as one list. */
export const bandsIn = ({
  firstBands = [],
  repeatBands = [],
}: {
  firstBands?: unknown
  repeatBands?: unknown
}): Band[] => [
  ...(firstBands as BandRow[]).map(one => ({ ...one, loanKind: 'first' as const })),
  ...(repeatBands as BandRow[]).map(one => ({ ...one, loanKind: 'repeat' as const })),
]

/** Which scores of a model are which level, and what is decided of them. */
export const cutoffs = config({
  name: 'cutoff',
  path: '/risk/cutoff',
  area: 'risk:cutoff',
  codes: { page: 'risk:model:page', enable: 'risk:cutoff:save', delete: 'risk:cutoff:save' },
  table: 'risk_cutoff',
  key: 'cutoffNo',
  row: {
    cutoffName: field.text(64),
    modelNo: field.key(),
    modelName: field.text(),
    scoreMin: field.int(),
    scoreMax: field.int(),
  },
  form: { cutoffName: field.text(64) },
  create: { modelNo: field.key() },
  versions: {
    form,
    effect: {
      passBefore: field.percent(),
      passAfter: field.percent(),
      badBefore: field.percent(),
      badAfter: field.percent(),
      known: field.int(),
      /** Lent less by the version, of what was lent in the last 30 days. */
      lentLess: field.money(),
    },
  },
  filters: { modelNo: field.key().optional() },
  sort: ['modelNo', 'cutoffName', 'effectiveTime'],
  defaultSort: 'modelNo',
  used: true,
})

const Sum = z.object({
  scored: field.int(),
  passedCount: field.int(),
  notPassed: field.int(),
  passedShare: field.percent().nullable(),
  knownCount: field.int(),
  badRate: field.percent().nullable(),
  lent: field.money(),
  lost: field.money(),
})
const SimulatedBand = z.object({
  loanKind: field.dict(loanKinds),
  modelLevel: field.dict(modelLevels),
  bandDecision: field.dict(bandDecisions),
  scored: field.int(),
  bandShare: field.percent().nullable(),
  knownCount: field.int(),
  badRate: field.percent().nullable(),
  /** Principal that is expected to be lost in a month at what is lent and was lost so far. */
  monthlyLoss: field.money(),
})
export type SimulatedBand = z.output<typeof SimulatedBand>

/** Calls of cut-offs. */
export const cutoff = noun('risk/cutoff', {
  ...cutoffs.calls,
  /** What bands would have done with the scores of a period. */
  simulate: endpoint({
    method: 'POST',
    path: '/risk/cutoff/simulate',
    perm: 'risk:model:page',
    input: z
      .strictObject({
        cutoffNo: field.key(),
        ...form,
        from: field.date(),
        to: field.date(),
        productNo: field.product().optional(),
      })
      .refine(({ from, to }) => from <= to && Date.parse(to) - Date.parse(from) < 366 * 86_400_000, {
        path: ['to'],
        message: 'validation.wrongValue',
      }),
    output: z.object({
      before: Sum,
      after: Sum,
      bands: z.array(SimulatedBand),
      scoreMin: field.int(),
      scoreMax: field.int(),
      /** Scores in 22 classes of one width, by kind of loan. */
      first: z.array(z.int().nonnegative()),
      repeat: z.array(z.int().nonnegative()),
    }),
  }),
})
