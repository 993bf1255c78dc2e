import { sql } from 'kysely'
import { bandsIn } from '../../../../core/contract/risk/cutoff.ts'
import { type Band, bandOf } from '../../../../core/rules/risk/bands.ts'
import type { Facts, ModelLevel, RuleHit, Scoring } from '../../../../core/rules/score.ts'
import type { Tx } from '../../../db/database.ts'
import type { ScoreService } from '../../../gateways/score/score-service.ts'
import { baseBands, baseModel, baseModelNo } from './base-card.ts'
import { factValues } from './facts.ts'
import { type ModelInForce, modelsFor, modelsInForce } from './in-force.ts'
import { asksCard, asksService, type ModelAnswer, type Sealed } from './score.ts'

type Scored = { orderNo: string; customerNo: string; loanKind: string }
/** The versions that look at an order. */
export type Asked = { decides: ModelInForce; shadows: readonly ModelInForce[]; bands: readonly Band[] }
/** What services said, by version. */
export type Answers = ReadonlyMap<string, ModelAnswer>
/** What a decision is made of: without a score a person looks at the order. */
export type Decided = Scoring & { bandDecision: Band['bandDecision'] }

/** The bands that scores of a model are cut by now. */
export const bandsInForce = async (tx: Tx, modelNo: string): Promise<Band[]> => {
  const row = await tx.maybe(sql<{ content: object }>`
    select v.content from risk_cutoff x join risk_cutoff_version v using (cutoff_no)
    where x.model_no = ${modelNo} and x.enabled = 'enabled' and x.deleted_time is null and v.version_status = 'effective' order by v.effective_time desc, v.version_no limit 1`)
  return row ? bandsIn(row.content) : []
}

/**
 * Who scores an order: the model of its plan. Where nothing was set up, the base card does. Without a champion of the model that a plan
 * names there is no level, and a person looks at the order.
 */
export const modelsOfOrder = async (
  tx: Tx,
  { customerNo }: Pick<Scored, 'customerNo'>,
  modelNo = baseModelNo,
): Promise<Asked> => {
  const models = await modelsInForce(tx)
  const { decides, shadows } = modelsFor(models, { modelNo, customerNo })
  return decides
    ? { decides, shadows, bands: await bandsInForce(tx, decides.modelNo) }
    : { decides: baseModel, shadows, bands: modelNo === baseModelNo ? bandsIn(baseBands) : [] }
}

/** Asks the services among the versions, all at once. It calls the network. */
export const askServices = async (
  service: ScoreService | undefined,
  sealed: Sealed,
  { decides, shadows }: Asked,
  facts: ReturnType<typeof factValues>,
): Promise<Answers> => {
  const external = [decides, ...shadows].filter(one => one.modelKind === 'external')
  const answers = await Promise.all(
    external.map(async one => [one.modelVersionNo, await asksService(service, sealed, one, facts)] as const),
  )
  return new Map(answers)
}

const silent: ModelAnswer = { score: null, reasons: [], points: [], missing: [], fault: 'not_asked', durationMs: 0 }

/** Scores an order with all versions, writes down what each said, and answers what decides. The snapshot of the decision holds what was known. */
export const scoreOrder = async (
  tx: Tx,
  order: Scored,
  legacy: Facts,
  asked: Asked,
  answers: Answers,
): Promise<Decided> => {
  const { decides, shadows, bands } = asked
  const facts = factValues(legacy, order.loanKind)
  const { evalNo } = await tx.one(sql<{ evalNo: number }>`
    select count(*)::int + 1 as eval_no from risk_fact_snapshot where order_no = ${order.orderNo}`)
  const isKept = decides !== baseModel
  const said = [decides, ...shadows].map(model => {
    const answer =
      model.modelKind === 'scorecard' ? asksCard(model, facts) : (answers.get(model.modelVersionNo) ?? silent)
    // A level is what the bands of the model that decides make of a score: others have none unless they share its range.
    const band =
      answer.score === null || model.modelNo !== decides.modelNo
        ? undefined
        : bandOf(bands, order.loanKind, answer.score)
    return { model, answer, band }
  })
  for (const { model, answer, band } of said)
    if (isKept || model !== decides)
      tx.append('riskModelScore', {
        orderNo: order.orderNo,
        evalNo,
        modelVersionNo: model.modelVersionNo,
        modelRole: model.modelRole,
        modelScore: answer.score,
        modelLevel: band?.modelLevel ?? null,
        bandDecision: band?.bandDecision ?? null,
        reasons: answer.reasons,
        missingFacts: answer.missing,
        durationMs: answer.durationMs,
        scoredTime: tx.now,
      })
  const [{ answer, band }] = said as [(typeof said)[number]]
  const hits = answer.points.map(({ fact, points }): RuleHit => ({ ruleNo: fact, outcome: 'points', points }))
  return {
    modelScore: band ? answer.score : null,
    modelLevel: (band?.modelLevel as ModelLevel | undefined) ?? null,
    isRefused: band?.bandDecision === 'refuse',
    bandDecision: band?.bandDecision ?? 'review',
    hits: band ? hits : [{ ruleNo: 'model.missing', outcome: 'points', points: 0 }],
  }
}
