import { sql } from 'kysely'
import { histogram, psiVerdict } from '../../../../core/rules/risk/statistics.ts'
import { addDays, startOfEatDay } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { json } from '../../../db/json.ts'
import type { Scheduled } from '../../../module.ts'
import type { WarningRule } from '../../../warnings/rule.ts'
import { classCount, psiAgainst } from './figures.ts'
import { modelsInForce } from './in-force.ts'

type Model = { modelVersionNo: string; scoreMin: number; scoreMax: number; development: number[] | null }
type Counted = { score: number | null; scored: number; lately: number }
const weekDays = 7

/** What a version scored on a day, and how far its week has moved from the sample that it was made on. */
const noteDay = async (tx: Tx, model: Model, day: string): Promise<void> => {
  const rows = await tx.rows(sql<Counted>`
    select model_score as score, count(*)::int as scored, count(*) filter (where scored_time >= ${startOfEatDay(day)})::int as lately
    from risk_model_score where model_version_no = ${model.modelVersionNo}
      and scored_time >= ${startOfEatDay(addDays(day, 1 - weekDays))} and scored_time < ${startOfEatDay(addDays(day, 1))} group by model_score`)
  const known = rows.flatMap(row => (row.score === null ? [] : [{ ...row, score: row.score }]))
  const ofDay = known.map(({ score, lately }) => ({ score, scored: lately }))
  const scored = rows.reduce((sum, row) => sum + row.lately, 0)
  const withScore = ofDay.reduce((sum, row) => sum + row.scored, 0)
  const total = ofDay.reduce((sum, row) => sum + row.score * row.scored, 0)
  await tx.exec(sql`
    insert into risk_model_day (model_version_no, day, scored, missing, mean_score, psi, psi7, histogram)
    values (${model.modelVersionNo}, ${day}, ${scored}, ${scored - withScore}, ${withScore ? Math.round(total / withScore) : null},
      ${psiAgainst(model.development, ofDay, model)}, ${psiAgainst(model.development, known, model)}, ${json(histogram(ofDay, { ...model, classes: classCount }))})
    on conflict (model_version_no, day) do update set scored = excluded.scored, missing = excluded.missing, mean_score = excluded.mean_score,
      psi = excluded.psi, psi7 = excluded.psi7, histogram = excluded.histogram`)
}

/** Writes down how the versions in force did the day before. */
export const monitorJob: Scheduled = {
  job: 'modelMonitor',
  every: { dailyAt: '04:00' },
  async run(tx, { date }) {
    const models = await tx.rows(sql<Model>`
      select x.model_version_no, x.score_min, x.score_max, x.development from risk_model x join risk_model_version v using (model_version_no)
      where v.version_status = 'effective' and x.deleted_time is null order by x.model_version_no`)
    for (const model of models) await noteDay(tx, model, addDays(date, -1))
    return { models: models.length }
  },
}

type Moved = {
  modelVersionNo: string
  modelName: string
  modelVersion: number
  psiLook: string
  psiAct: string
  psi7: string
}
/** Scores have moved so far from those of the sample that somebody has to act. */
const shifted: WarningRule = {
  type: 'model_shifted',
  level: 'warning',
  async find(tx) {
    const rows = await tx.rows(sql<Moved>`
      select distinct on (d.model_version_no) x.model_version_no, x.model_name, x.model_version, x.psi_look, x.psi_act, d.psi7
      from risk_model_day d join risk_model x using (model_version_no) join risk_model_version v using (model_version_no)
      where v.version_status = 'effective' and d.psi7 is not null and d.day >= ${addDays(tx.today, -2)} order by d.model_version_no, d.day desc`)
    return rows
      .filter(row => psiVerdict(Number(row.psi7), Number(row.psiLook), Number(row.psiAct)) === 'act')
      .map(({ modelVersionNo, modelName, modelVersion, psi7 }) =>
        found(modelVersionNo, { modelName, modelVersion, psi: Number(psi7).toFixed(2) }),
      )
  },
}

const found = (modelVersionNo: string, facts: Record<string, string | number>) => ({
  key: modelVersionNo,
  merchantNo: null,
  objectType: 'risk_model',
  affected: [{ objectNo: modelVersionNo, route: null }],
  facts,
})

/** A version that computes other scores than when it was tested is not used: its orders go to auditors. */
const notLoaded: WarningRule = {
  type: 'model_not_loaded',
  level: 'critical',
  find: async tx =>
    (await modelsInForce(tx))
      .filter(one => !one.isLoaded)
      .map(({ modelVersionNo, modelNo, modelVersion }) => found(modelVersionNo, { modelName: modelNo, modelVersion })),
}

/** One person has stopped a challenger: the risk head hears of it, and keeps it so or lets it fall back. */
const stopped: WarningRule = {
  type: 'challenger_stopped',
  level: 'warning',
  find: async tx =>
    (
      await tx.rows(sql<{
        modelVersionNo: string
        modelName: string
        modelVersion: number
        makerName: string
        reason: string
      }>`
        select x.model_version_no, x.model_name, x.model_version, v.maker_name, v.reason from risk_model_version v join risk_model x using (model_version_no)
        where v.version_status = 'effective' and v.emergency_until is not null and v.kept_time is null order by x.model_version_no`)
    ).map(({ modelVersionNo, modelName, modelVersion, makerName, reason }) =>
      found(modelVersionNo, { modelName, modelVersion, name: makerName, reason }),
    ),
}

export const modelWarnings: readonly WarningRule[] = [shifted, notLoaded, stopped]
