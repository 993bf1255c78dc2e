import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { bandsIn } from '../../../../core/contract/risk/cutoff.ts'
import { fewestTested, type TestRun } from '../../../../core/contract/risk/risk-model.ts'
import { type Band, bandOf } from '../../../../core/rules/risk/bands.ts'
import { histogram, separation } from '../../../../core/rules/risk/statistics.ts'
import type { Tx } from '../../../db/database.ts'
import { json } from '../../../db/json.ts'
import type { ScoreService } from '../../../gateways/score/score-service.ts'
import { notFound } from '../../../http/fault.ts'
import { serve, serveWork } from '../../../http/serve.ts'
import { newNo } from '../../../money/numbers.ts'
import type { Actor } from '../../../rights/actor.ts'
import { type CardAnswer, cardAnswer, exampleCount, factsFor, factsUsed, type ModelContent } from './content.ts'
import { classesOf, figure, shareOf } from './figures.ts'
import { type ModelInForce, modelsInForce } from './in-force.ts'
import { asksService, type Sealed } from './score.ts'
import { modelsSeen, seesModels } from './seen.ts'
import { type Snapshot, snapshotsOf } from './snapshots.ts'

const { riskModel } = contract

/** A service is asked for this many snapshots at most, so that a test costs little and takes less than a minute. */
const mostAsked = fewestTested
/** More scores or facts than this share may not be missing. */
const mostMissing = 0.1

type Row = ModelContent & {
  modelVersionNo: string
  modelNo: string
  modelVersion: number
  credential: string | null
  examples: unknown[]
  development: number[] | null
}
type Prepared = { row: Row; snapshots: Snapshot[]; bands: Band[]; champion: ModelInForce | null }
type Scored = { snapshot: Snapshot; answer: CardAnswer | null }

const bandsOf = async (tx: Tx, modelNo: string): Promise<Band[]> => {
  const row = await tx.maybe(sql<{ content: object }>`
    select v.content from risk_cutoff x join risk_cutoff_version v using (cutoff_no)
    where x.model_no = ${modelNo} and x.deleted_time is null and v.version_status = 'effective' order by v.effective_time desc limit 1`)
  return row ? bandsIn(row.content) : []
}

/** What a test works with. */
export const prepareTest = async (tx: Tx, modelVersionNo: string): Promise<Prepared> => {
  const row = await tx.maybe(sql<Row>`
    select * from risk_model where model_version_no = ${modelVersionNo} and deleted_time is null`)
  if (!row) throw notFound()
  const snapshots = await snapshotsOf(tx, sql`true`, row.modelKind === 'external' ? mostAsked : undefined)
  const inForce = await modelsInForce(tx, row.modelNo)
  const champion = inForce.find(one => one.modelRole === 'champion' && one.modelVersionNo !== modelVersionNo) ?? null
  return { row, snapshots, bands: await bandsOf(tx, row.modelNo), champion }
}

/** Scores all snapshots of a test. It may call the network. */
export const scoreAll = async (
  service: ScoreService | undefined,
  sealed: Sealed,
  { row, snapshots }: Prepared,
): Promise<Scored[]> => {
  if (row.modelKind === 'scorecard')
    return snapshots.map(snapshot => ({ snapshot, answer: cardAnswer(row, snapshot.facts) }))
  const scored: Scored[] = []
  // A few at a time: the service has other work.
  for (let at = 0; at < snapshots.length; at += 10)
    scored.push(
      ...(await Promise.all(
        snapshots.slice(at, at + 10).map(async snapshot => {
          const answer = await asksService(service, sealed, row, snapshot.facts)
          return { snapshot, answer: answer.score === null ? null : { ...answer, score: answer.score } }
        }),
      )),
    )
  return scored
}

const levelOf = (bands: readonly Band[], { loanKind }: Snapshot, score: number) =>
  bandOf(bands, loanKind, score)?.modelLevel

/** Levels of the cut-off in force, the best first, with what is known of their orders. */
const byLevel = (bands: readonly Band[], scored: readonly { snapshot: Snapshot; score: number }[]) => {
  const levels = [...new Set(bands.map(band => band.modelLevel))].sort()
  return levels.map(modelLevel => {
    const own = scored.filter(({ snapshot, score }) => levelOf(bands, snapshot, score) === modelLevel)
    const known = own.filter(({ snapshot }) => snapshot.bad !== null)
    const bad = known.filter(({ snapshot }) => snapshot.bad).length
    return {
      modelLevel: modelLevel as TestRun['bands'][number]['modelLevel'],
      scored: own.length,
      knownCount: known.length,
      badRate: shareOf(bad, known.length),
    }
  })
}

const disagreeing = ({ bands, champion }: Prepared, scored: readonly { snapshot: Snapshot; score: number }[]) => {
  if (champion?.modelKind !== 'scorecard') return null
  const differs = scored.filter(({ snapshot, score }) => {
    const other = cardAnswer(champion, snapshot.facts).score
    return levelOf(bands, snapshot, score) !== levelOf(bands, snapshot, other)
  })
  return shareOf(differs.length, scored.length)
}

const faultOf = (scored: readonly Scored[], withScore: number, missing: number): TestRun['modelTestFault'] => {
  if (scored.length < fewestTested) return 'too_few'
  if (withScore < scored.length * (1 - mostMissing)) return 'no_score'
  return missing > mostMissing ? 'missing_facts' : null
}

type Result = Omit<TestRun, 'testedBy' | 'testedTime' | 'modelTestNo'>
const resultOf = (prepared: Prepared, all: readonly Scored[]): Result => {
  const { row, bands } = prepared
  const scored = all.flatMap(({ snapshot, answer }) => (answer ? [{ snapshot, score: answer.score }] : []))
  const counts = scored.map(({ snapshot: { bad }, score }) => ({
    score,
    scored: 1,
    good: bad === false ? 1 : 0,
    bad: bad ? 1 : 0,
  }))
  const { known, auc, ks } = separation(counts)
  const asked = factsUsed(row).length * all.length
  const missing = all.reduce(
    (sum, { snapshot }) => sum + factsUsed(row).filter(name => snapshot.facts[name] == null).length,
    0,
  )
  const fault = faultOf(all, scored.length, asked ? missing / asked : 0)
  return {
    modelTestResult: fault ? 'failed' : 'passed',
    modelTestFault: fault,
    sampleCount: all.length,
    knownCount: known,
    meanScore: scored.length ? Math.round(scored.reduce((sum, one) => sum + one.score, 0) / scored.length) : null,
    classes: classesOf(row.scoreMin, row.scoreMax),
    histogram: histogram(counts, { ...row, classes: classesOf(row.scoreMin, row.scoreMax).length }),
    auc: figure(auc),
    ks: figure(ks),
    missingShare: shareOf(missing, asked),
    disagreeShare: disagreeing(prepared, scored),
    bands: byLevel(bands, scored),
  }
}

/** The first passed test gives the sample that stability is measured against, and the examples by which the version is checked. */
const keep = async (tx: Tx, { row }: Prepared, all: readonly Scored[], result: Result) => {
  if (result.modelTestResult !== 'passed' || row.development) return
  const examples = all
    .slice(0, exampleCount)
    .flatMap(({ snapshot, answer }) => (answer ? [{ facts: factsFor(row, snapshot.facts), score: answer.score }] : []))
  await tx.exec(sql`
    update risk_model set examples = ${json(examples)}, development = ${json(result.histogram)} where model_version_no = ${row.modelVersionNo} and development is null`)
}

type Kept = { modelTestNo: string; result: Result; testedBy: string; testedTime: string }

/** Writes down what a test found. */
export const noteTest = async (
  tx: Tx,
  prepared: Prepared,
  all: readonly Scored[],
  actor: Pick<Actor, 'no' | 'name'>,
): Promise<TestRun> => {
  const result = resultOf(prepared, all)
  const modelTestNo = newNo('MT', tx.now)
  await keep(tx, prepared, all, result)
  const { modelTestResult, modelTestFault, sampleCount, knownCount } = result
  tx.append('riskModelTest', {
    modelTestNo,
    modelVersionNo: prepared.row.modelVersionNo,
    modelTestResult,
    modelTestFault,
    sampleCount,
    knownCount,
    result,
    testedBy: actor.no,
    testedTime: tx.now,
  })
  return { ...result, modelTestNo, testedBy: actor.name, testedTime: tx.now.toISOString() }
}

/** Scores stored snapshots with a version, and what a test found. */
export const testCalls = (service: ScoreService | undefined, sealed: Sealed) => [
  serveWork(riskModel.test, {
    before: ({ tx, session, input }) => {
      if (!seesModels(session)) throw notFound()
      return prepareTest(tx, input.modelVersionNo)
    },
    work: async prepared => ({ prepared, all: await scoreAll(service, sealed, prepared) }),
    after: async (call, { prepared, all }) => {
      const { tx, actor, audit } = call
      const run = await noteTest(tx, prepared, all, actor)
      const { modelTestNo, modelTestResult, sampleCount } = run
      audit({
        objectType: 'risk_model',
        objectNo: prepared.row.modelVersionNo,
        after: { modelTestNo, modelTestResult, sampleCount },
      })
      return run
    },
  }),
  serve(riskModel.tests, async ({ tx, session, input }) => {
    const seen = await tx.maybe(
      sql`select 1 from risk_model where model_version_no = ${input.modelVersionNo} and deleted_time is null and ${modelsSeen(session)}`,
    )
    if (!seen) throw notFound()
    const rows = await tx.rows(sql<Kept>`
      select t.model_test_no, t.result, coalesce(p.real_name, t.tested_by) as tested_by, t.tested_time
      from risk_model_test t left join app_user p on p.user_no = t.tested_by
      where t.model_version_no = ${input.modelVersionNo} order by t.tested_time desc, t.model_test_no desc limit 20`)
    return { list: rows.map(({ result, ...row }) => ({ ...result, ...row })) }
  }),
]
