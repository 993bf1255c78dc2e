import { sql } from 'kysely'
import { histogram, psi, psiVerdict, type ScoreCount, separation } from '../../../../core/rules/risk/statistics.ts'
import type { Tx } from '../../../db/database.ts'

type Values = Record<string, unknown>
/** Classes that scores are shown and compared in. */
export const classCount = 22

/** A share of a whole as people read it, with two decimals at most; null of nothing. */
export const shareOf = (part: number, whole: number): string | null =>
  whole === 0 ? null : String(Math.round((part / whole) * 10_000) / 100)
/** A figure with four decimals; null where it is not known. */
export const figure = (value: number | null): string | null => (value === null ? null : Math.abs(value).toFixed(4))
/** Where the classes of a range begin. */
export const classesOf = (scoreMin: number, scoreMax: number): number[] =>
  Array.from({ length: classCount }, (_, at) => Math.round(scoreMin + ((scoreMax - scoreMin) / classCount) * at))

type Week = {
  modelVersionNo: string
  scored: number
  withScore: number
  meanScore: number | null
  approved: number
  reviewed: number
  refused: number
  p95Ms: number | null
}
const weekDays = 7
const knownDays = 180

const weeks = (tx: Tx, keys: readonly string[]) =>
  tx.rows(sql<Week>`
    select model_version_no, count(*)::int as scored, count(model_score)::int as with_score, round(avg(model_score))::int as mean_score,
      count(*) filter (where band_decision = 'approve')::int as approved, count(*) filter (where band_decision = 'review')::int as reviewed,
      count(*) filter (where band_decision = 'refuse')::int as refused, (percentile_disc(0.95) within group (order by duration_ms))::int as p95_ms
    from risk_model_score where model_version_no = any(${keys as string[]}) and scored_time > ${tx.now}::timestamptz - make_interval(days => ${weekDays})
    group by model_version_no`)

type Counted = ScoreCount & { modelVersionNo: string; lately: number }
/** How often each score was given, and what is known of those orders. */
const counted = (tx: Tx, keys: readonly string[]) =>
  tx.rows(sql<Counted>`
    select s.model_version_no, s.model_score as score, count(*)::int as scored, count(*) filter (where not k.bad)::int as good, count(*) filter (where k.bad)::int as bad,
      count(*) filter (where s.scored_time > ${tx.now}::timestamptz - make_interval(days => ${weekDays}))::int as lately
    from risk_model_score s left join risk_outcome k using (order_no)
    where s.model_version_no = any(${keys as string[]}) and s.model_score is not null and s.scored_time > ${tx.now}::timestamptz - make_interval(days => ${knownDays})
    group by s.model_version_no, s.model_score`)

/** What a row needs for its figures. */
export const figureNeeds = ['modelVersionNo', 'scoreMin', 'scoreMax', 'psiLook', 'psiAct'] as const
/** Columns that are computed once the rows of a page are read. */
export const figureColumns = [
  'scored7',
  'meanScore',
  'approveShare',
  'reviewShare',
  'refuseShare',
  'psi',
  'psiVerdict',
  'auc',
  'ks',
  'knownCount',
  'missingShare',
  'p95Ms',
] as const

type Range = { scoreMin: number; scoreMax: number }

/** Two classes as one: the index is taken over eleven, so that a thin class does not decide it. */
const pairs = (counts: readonly number[]): number[] =>
  counts.flatMap((count, at) => (at % 2 ? [] : [count + (counts[at + 1] ?? 0)]))

/** The stability index of counts against the sample that a version was made on. */
export const psiAgainst = (
  development: readonly number[] | null,
  counts: readonly { score: number; scored: number }[],
  range: Range,
) =>
  development === null
    ? null
    : psi(pairs(development), pairs(histogram(counts, { ...range, classes: development.length })))

const figuresOf = (
  { scoreMin, scoreMax, psiLook, psiAct }: Range & { psiLook: string; psiAct: string },
  {
    week,
    counts,
    development,
  }: { week: Week | undefined; counts: readonly Counted[]; development: readonly number[] | null },
): Values => {
  const lately = counts.map(({ score, lately }) => ({ score, scored: lately }))
  const index = psiAgainst(development, lately, { scoreMin, scoreMax })
  const { known, auc, ks } = separation(counts)
  const scored = week?.scored ?? 0
  return {
    scored7: scored,
    meanScore: week?.meanScore ?? null,
    approveShare: shareOf(week?.approved ?? 0, scored),
    reviewShare: shareOf(week?.reviewed ?? 0, scored),
    refuseShare: shareOf(week?.refused ?? 0, scored),
    psi: figure(index),
    psiVerdict: psiVerdict(index, Number(psiLook), Number(psiAct)),
    auc: figure(auc),
    ks: figure(ks),
    knownCount: known,
    missingShare: shareOf(scored - (week?.withScore ?? 0), scored),
    p95Ms: week?.p95Ms ?? null,
  }
}

/** What the last days say of the versions of a page. */
export const fillFigures = async (tx: Tx, rows: Values[]): Promise<Values[]> => {
  const keys = rows.map(row => String(row.modelVersionNo))
  if (keys.length === 0) return rows
  const [week, counts, samples] = [
    await weeks(tx, keys),
    await counted(tx, keys),
    await tx.rows(
      sql<{
        no: string
        development: number[] | null
      }>`select model_version_no as no, development from risk_model where model_version_no = any(${keys})`,
    ),
  ]
  return rows.map(row => {
    const is = (one: { modelVersionNo: string }) => one.modelVersionNo === row.modelVersionNo
    const development = samples.find(one => one.no === row.modelVersionNo)?.development ?? null
    return { ...row, ...figuresOf(row as never, { week: week.find(is), counts: counts.filter(is), development }) }
  })
}
