import type { ScoreService } from '../../../gateways/score/score-service.ts'
import { sealerOf } from '../../../session/seal.ts'
import { type CardAnswer, cardAnswer, type FactValues, factsFor, factsUsed, type ModelContent } from './content.ts'
import type { ModelInForce } from './in-force.ts'

/** The keys by which services let us in: sealed for their version, opened only to ask. */
export type Sealed = {
  seal: (key: string, modelVersionNo: string) => string
  open: (sealed: string, modelVersionNo: string) => string
}

export const sealedKeys = (secretKey: Buffer): Sealed => {
  const sealer = sealerOf(secretKey, 'risk model')
  return {
    seal: (key, modelVersionNo) => sealer.seal(Buffer.from(key), modelVersionNo),
    open: (sealed, modelVersionNo) => sealer.open(sealed, modelVersionNo).toString(),
  }
}

/** What a version says, and how long it took; without a score a person looks at the order. */
export type ModelAnswer = {
  points: CardAnswer['points']

  score: number | null
  reasons: string[]
  missing: string[]
  fault: string | null
  durationMs: number
}
type Asked = ModelContent & { modelVersionNo: string; modelNo: string; modelVersion: number; credential: string | null }

/** Asks the service of an external version. It calls the network. */
export const asksService = async (
  service: ScoreService | undefined,
  sealed: Sealed,
  model: Asked,
  facts: FactValues,
): Promise<ModelAnswer> => {
  const began = performance.now()
  const given = factsFor(model, facts)
  const missing = factsUsed(model).filter(name => given[name] === undefined)
  const said = service
    ? await service.ask({
        key: model.modelVersionNo,
        url: model.endpoint ?? '',
        credential: model.credential === null ? null : sealed.open(model.credential, model.modelVersionNo),
        modelNo: model.modelNo,
        version: model.modelVersion,
        scoreMin: model.scoreMin,
        scoreMax: model.scoreMax,
        facts: given,
      })
    : { is: 'unknown' as const, reason: 'no_service' }
  const durationMs = Math.round(performance.now() - began)
  return said.is === 'scored'
    ? { score: said.score, reasons: said.reasons, points: [], missing, fault: null, durationMs }
    : { score: null, reasons: [], points: [], missing, fault: said.reason, durationMs }
}

/** Adds up the card of a version; a version that does not compute what it did when it was tested says nothing. */
export const asksCard = (model: ModelInForce, facts: FactValues): ModelAnswer => {
  if (!model.isLoaded) return { score: null, reasons: [], points: [], missing: [], fault: 'not_loaded', durationMs: 0 }
  const began = performance.now()
  const answer: CardAnswer = cardAnswer(model, facts)
  return { ...answer, fault: null, durationMs: Math.round(performance.now() - began) }
}

/** Asks a version, whichever kind it is. */
export const askModel = (
  service: ScoreService | undefined,
  sealed: Sealed,
  model: ModelInForce,
  facts: FactValues,
): Promise<ModelAnswer> | ModelAnswer =>
  model.modelKind === 'scorecard' ? asksCard(model, facts) : asksService(service, sealed, model, facts)
