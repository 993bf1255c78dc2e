import { type RawBuilder, sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { ParsedOf } from '../../../../core/contract/endpoint.ts'
import type { Monitor } from '../../../../core/contract/risk/risk-model.ts'
import { attributesOf, binOf, type CardBin, type FactValue } from '../../../../core/rules/risk/scorecard.ts'
import { histogram, psiVerdict, separation } from '../../../../core/rules/risk/statistics.ts'
import { addDays, startOfEatDay } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import type { Session } from '../../../session/session.ts'
import { classCount, classesOf, figure, psiAgainst, shareOf } from './figures.ts'
import { modelsSeen } from './seen.ts'
import { snapshotsOf } from './snapshots.ts'

const { riskModel } = contract
type Asked = ParsedOf<typeof riskModel.monitor>
type Model = {
  modelVersionNo: string
  modelNo: string
  modelVersion: number
  scoreMin: number
  scoreMax: number
  psiLook: string
  psiAct: string
  development: number[] | null
  bins: CardBin[] | null
  factKeys: string[] | null
}

const modelOf = async (tx: Tx, session: Session, modelVersionNo: string): Promise<Model> => {
  const row = await tx.maybe(
    sql<Model>`select * from risk_model where model_version_no = ${modelVersionNo} and deleted_time is null and ${modelsSeen(session)}`,
  )
  if (!row) throw notFound()
  return row
}

/** Scores `s` of orders `o` in a period. */
const within = ({ from, to, loanKind, productNo }: Asked): RawBuilder<unknown> => sql`
  s.scored_time >= ${startOfEatDay(from)} and s.scored_time < ${startOfEatDay(addDays(to, 1))}
  and ${loanKind ? sql`o.loan_kind = ${loanKind}` : sql`true`} and ${productNo ? sql`o.product_no = ${productNo}` : sql`true`}
`
const from_ = sql`risk_model_score s join loan_order o using (order_no) left join risk_outcome k using (order_no)`
const day = sql`((s.scored_time at time zone 'Africa/Kampala')::date)`
const good = sql`count(*) filter (where not k.bad)::int`
const bad = sql`count(*) filter (where k.bad)::int`

type ByScore = { day: string; score: number; scored: number }
const daysOf = (model: Model, rows: readonly ByScore[]): Monitor['days'] => {
  const days = [...new Set(rows.map(row => row.day))].sort()
  return days.map(day => {
    const own = rows.filter(row => row.day === day)
    const scored = own.reduce((sum, row) => sum + row.scored, 0)
    const total = own.reduce((sum, row) => sum + row.scored * row.score, 0)
    return {
      day,
      scored,
      meanScore: scored ? Math.round(total / scored) : null,
      psi: figure(psiAgainst(model.development, own, model)),
    }
  })
}

type Level = {
  loanKind: string
  modelLevel: string
  scored: number
  approvedCount: number
  reviewedCount: number
  machineRefused: number
  good: number
  bad: number
}
const bandsOf = async (tx: Tx, of: RawBuilder<unknown>): Promise<Monitor['bands']> => {
  const rows = await tx.rows(sql<Level>`
    select o.loan_kind, s.model_level, count(*)::int as scored, count(*) filter (where o.approval_time is not null and o.auditor_no is null)::int as approved_count,
      count(*) filter (where o.order_status not in ('machine_refused') and not (o.approval_time is not null and o.auditor_no is null))::int as reviewed_count,
      count(*) filter (where o.order_status = 'machine_refused')::int as machine_refused, ${good} as good, ${bad} as bad
    from ${from_} where ${of} and s.model_level is not null group by o.loan_kind, s.model_level order by o.loan_kind, s.model_level`)
  return rows.map(({ good, bad, ...row }) => ({
    ...row,
    knownCount: good + bad,
    badRate: shareOf(bad, good + bad),
  })) as Monitor['bands']
}

const weeksOf = async (tx: Tx, of: RawBuilder<unknown>): Promise<Monitor['weeks']> => {
  const rows = await tx.rows(sql<{ week: string; modelLevel: string; good: number; bad: number }>`
    select date_trunc('week', ${day})::date::text as week, s.model_level, ${good} as good, ${bad} as bad
    from ${from_} where ${of} and s.model_level is not null and k.bad is not null group by 1, 2 order by 1, 2`)
  return rows.map(({ week, modelLevel, good, bad }) => ({
    week,
    modelLevel: modelLevel as Monitor['weeks'][number]['modelLevel'],
    knownCount: good + bad,
    badRate: shareOf(bad, good + bad),
  }))
}

const missingOf = async (tx: Tx, of: RawBuilder<unknown>): Promise<Monitor['missing']> => {
  const { all } = await tx.one(sql<{ all: number }>`select count(*)::int as all from ${from_} where ${of}`)
  const rows = await tx.rows(sql<{ fact: string; n: number }>`
    select fact, count(*)::int as n from ${from_}, unnest(s.missing_facts) as fact where ${of} group by fact order by n desc, fact limit 60`)
  return rows.map(({ fact, n }) => ({ fact, missingShare: shareOf(n, all) }))
}

const reasonsOf = async (tx: Tx, of: RawBuilder<unknown>): Promise<Monitor['reasons']> => {
  const { all } = await tx.one(sql<{ all: number }>`
    select count(*)::int as all from ${from_} where ${of} and s.model_score is not null`)
  const rows = await tx.rows(sql<{ reason: string; scored: number }>`
    select reason, count(*)::int as scored from ${from_}, jsonb_array_elements_text(s.reasons) as reason where ${of} group by reason order by scored desc, reason limit 60`)
  return rows.map(row => ({ ...row, reasonShare: shareOf(row.scored, all) }))
}

type ArmScore = {
  modelVersionNo: string
  modelVersion: number
  modelRole: string
  score: number | null
  scored: number
  passed: number
  good: number
  bad: number
}
const armsOf = async (tx: Tx, modelNo: string, of: RawBuilder<unknown>): Promise<Monitor['arms']> => {
  const rows = await tx.rows(sql<ArmScore>`
    select s.model_version_no, m.model_version, s.model_role, s.model_score as score, count(*)::int as scored,
      count(*) filter (where s.band_decision is distinct from 'refuse')::int as passed, ${good} as good, ${bad} as bad
    from ${from_} join risk_model m using (model_version_no) where ${of} and m.model_no = ${modelNo} group by 1, 2, 3, 4`)
  const keys = [...new Set(rows.map(row => `${row.modelVersionNo} ${row.modelRole}`))].sort()
  return keys.map(key => {
    const own = rows.filter(row => `${row.modelVersionNo} ${row.modelRole}` === key)
    const sum = (of_: (row: ArmScore) => number) => own.reduce((total, row) => total + of_(row), 0)
    const [scored, known] = [sum(row => row.scored), sum(row => row.good + row.bad)]
    const withScore = own.filter((row): row is ArmScore & { score: number } => row.score !== null)
    const counted = withScore.reduce((total, row) => total + row.scored, 0)
    const { auc, ks } = separation(withScore)
    const [{ modelVersionNo, modelVersion, modelRole }] = own as [ArmScore]
    return {
      modelVersionNo,
      modelVersion,
      modelRole: modelRole as Monitor['arms'][number]['modelRole'],
      scored,
      meanScore: counted
        ? Math.round(withScore.reduce((total, row) => total + row.score * row.scored, 0) / counted)
        : null,
      passedShare: shareOf(
        sum(row => row.passed),
        scored,
      ),
      knownCount: known,
      badRate: shareOf(
        sum(row => row.bad),
        known,
      ),
      auc: figure(auc),
      ks: figure(ks),
    }
  })
}

const monitored = async (tx: Tx, session: Session, input: Asked): Promise<Monitor> => {
  const model = await modelOf(tx, session, input.modelVersionNo)
  const period = within(input)
  const own = sql`s.model_version_no = ${model.modelVersionNo} and ${period}`
  const byScore = await tx.rows(sql<ByScore>`
    select ${day}::text as day, s.model_score as score, count(*)::int as scored from ${from_} where ${own} and s.model_score is not null group by 1, 2`)
  const index = psiAgainst(model.development, byScore, model)
  return {
    classes: classesOf(model.scoreMin, model.scoreMax),
    development: model.development ?? [],
    now: histogram(byScore, { ...model, classes: classCount }),
    psi: figure(index),
    psiVerdict: psiVerdict(index, Number(model.psiLook), Number(model.psiAct)),
    days: daysOf(model, byScore),
    bands: await bandsOf(tx, own),
    weeks: await weeksOf(tx, own),
    missing: await missingOf(tx, own),
    reasons: await reasonsOf(tx, own),
    arms: await armsOf(tx, model.modelNo, period),
  }
}

const cardDays = 30
/** The rows of a card with what the last scores show of each. */
const cardOf = async (tx: Tx, session: Session, modelVersionNo: string) => {
  const { bins, factKeys } = await modelOf(tx, session, modelVersionNo)
  if (!bins) return { list: [], sampleCount: 0, factKeys: factKeys ?? [] }
  const lately = sql`f.created_time > ${tx.now}::timestamptz - make_interval(days => ${cardDays})`
  const snapshots = await snapshotsOf(tx, lately)
  const counts = new Map<CardBin, { all: number; known: number; bad: number }>()
  for (const rows of attributesOf(bins).values())
    for (const { facts, bad } of snapshots) {
      const bin = binOf(rows, facts[rows[0]?.fact ?? ''] as FactValue)
      if (!bin) continue
      const held = counts.get(bin) ?? { all: 0, known: 0, bad: 0 }
      counts.set(bin, { all: held.all + 1, known: held.known + (bad === null ? 0 : 1), bad: held.bad + (bad ? 1 : 0) })
    }
  return {
    sampleCount: snapshots.length,
    factKeys: [],
    list: bins.map((bin, at) => {
      const { all, known, bad } = counts.get(bin) ?? { all: 0, known: 0, bad: 0 }
      return {
        binNo: at + 1,
        ...bin,
        binShare: shareOf(all, snapshots.length),
        knownCount: known,
        badRate: shareOf(bad, known),
      }
    }),
  }
}

/** How a version does, and what its card is worth row by row. */
export const monitorCalls = [
  serve(riskModel.monitor, ({ tx, session, input }) => monitored(tx, session, input)),
  serve(riskModel.card, ({ tx, session, input }) => cardOf(tx, session, input.modelVersionNo)),
]
