import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { bandsIn, cutoffs } from '../../../../core/contract/risk/cutoff.ts'
import type { Key } from '../../../../core/i18n/index.ts'
import { sub } from '../../../../core/rules/money.ts'
import { bandsFlaw, type ScoreRange } from '../../../../core/rules/risk/bands.ts'
import { addDays } from '../../../../core/rules/time.ts'
import { serveConfig } from '../../../configs/serve-config.ts'
import type { Tx } from '../../../db/database.ts'
import { type Fault, invalid, notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import type { Module } from '../../../module.ts'
import { modelsSeen } from '../risk-model/seen.ts'
import { byBand, classesOfKind, scoredBetween, sumOf } from './simulate.ts'

const { cutoff } = contract
type Values = Record<string, unknown>

type Range = ScoreRange & { modelName: string }
const noModel = () => invalid('modelNo', 'validation.wrongValue')
/** The range of the scores of a model: that of its newest version. */
const rangeFound = (tx: Tx, modelNo: unknown): Promise<Range | undefined> =>
  tx.maybe(sql<Range>`
    select score_min, score_max, model_name from risk_model where model_no = ${modelNo} and deleted_time is null order by model_version desc limit 1`)
const rangeOf = async (tx: Tx, modelNo: unknown): Promise<Range> => {
  const row = await rangeFound(tx, modelNo)
  if (!row) throw noModel()
  return row
}

/** What is wrong with bands, in words that name it, at the kind of loans that it is about. */
const flawOf = (content: Values, range: ScoreRange): Fault | null => {
  const bands = bandsIn(content)
  const flaw = bandsFlaw(bands, range)
  if (!flaw) return null
  const isFirst = flaw.params.kind === 'dict.LOAN_KIND.first'
  return invalid(isFirst ? 'firstBands' : 'repeatBands', flaw.key as Key, flaw.params)
}

const holds = async (tx: Tx, { item, content }: { item: Values; content: Values }): Promise<Fault | null> => {
  const range = await rangeFound(tx, item.modelNo)
  return range ? flawOf(content, range) : noModel()
}
const newest = (of: ReturnType<typeof sql>) =>
  sql`(select ${of} from risk_model n where n.model_no = x.model_no and n.deleted_time is null order by n.model_version desc limit 1)`
const effectDays = 30

const config = serveConfig(cutoffs, {
  prefix: 'CO',
  unique: 'cutoffName',
  check: async ({ tx }, form, before) => {
    if (before) return
    const fault = flawOf(form, await rangeOf(tx, form.modelNo))
    if (fault) throw fault
  },
  startsEnabled: () => true,
  source: ({ session }) => ({
    where: modelsSeen(session),
    columns: {
      modelName: newest(sql`n.model_name`),
      scoreMin: newest(sql`n.score_min`),
      scoreMax: newest(sql`n.score_max`),
    },
  }),
  uses: async () => [],
  versions: {
    prefix: 'CV',
    holds,
    keeps: holds,
    effect: async (tx, { item, content, inForce }) => {
      const to = tx.today
      const rows = await scoredBetween(tx, { modelNo: String(item.modelNo), from: addDays(to, 1 - effectDays), to })
      const [before, after] = [sumOf(bandsIn(inForce ?? {}), rows), sumOf(bandsIn(content), rows)]
      const less = sub(before.lent, after.lent)
      return {
        passBefore: before.passedShare ?? '0',
        passAfter: after.passedShare ?? '0',
        badBefore: before.badRate ?? '0',
        badAfter: after.badRate ?? '0',
        known: after.knownCount,
        lentLess: less.startsWith('-') ? '0.00' : less,
      }
    },
  },
})

type Cut = { modelNo: string; content: Values | null }
const simulate = serve(cutoff.simulate, async ({ tx, session, input }) => {
  const { cutoffNo, from, to, productNo, ...content } = input
  const item = await tx.maybe(sql<Cut>`
    select x.model_no, v.content from risk_cutoff x left join risk_cutoff_version v on v.cutoff_no = x.cutoff_no and v.version_status = 'effective'
    where x.cutoff_no = ${cutoffNo} and x.deleted_time is null and ${modelsSeen(session)}`)
  if (!item) throw notFound()
  const range = await rangeOf(tx, item.modelNo)
  const fault = flawOf(content, range)
  if (fault) throw fault
  const rows = await scoredBetween(tx, { modelNo: item.modelNo, from, to, productNo })
  const bands = bandsIn(content)
  const days = Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1
  const { scoreMin, scoreMax } = range
  return {
    before: sumOf(bandsIn(item.content ?? {}), rows),
    after: sumOf(bands, rows),
    bands: byBand(bands, rows, days),
    scoreMin,
    scoreMax,
    first: classesOfKind(rows, 'first', range),
    repeat: classesOfKind(rows, 'repeat', range),
  }
})

/** Cut-offs: which scores are which level, and what is decided of them. */
export const cutoffModule = (): Module => ({ ...config, served: [...config.served, simulate] })
