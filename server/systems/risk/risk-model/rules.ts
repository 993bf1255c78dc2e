import { sql } from 'kysely'
import { riskModels } from '../../../../core/contract/risk/risk-model.ts'
import type { Key } from '../../../../core/i18n/index.ts'
import type { Machine } from '../../../../core/rules/machines/machine.ts'
import { maxChallenged } from '../../../../core/rules/risk/arms.ts'
import { type CardBin, cardFlaw } from '../../../../core/rules/risk/scorecard.ts'
import type { Tx } from '../../../db/database.ts'
import { isServiceUrl } from '../../../gateways/score/score-service.ts'
import { Fault, invalid, notFound } from '../../../http/fault.ts'
import { system } from '../../../rights/actor.ts'
import { transition } from '../../../states/transition.ts'
import { knownFact } from './facts.ts'

type Values = Record<string, unknown>
const machine = riskModels.versionMachine as Machine

/** Every fact that a version names has to be one that is offered, by its type. */
const factsCheck = (path: string, names: readonly string[]): void => {
  const unknown = names.find(name => !knownFact(name))
  if (unknown !== undefined) throw invalid(path, 'validation.factUnknown', { fact: unknown })
}

/** Refuses what is neither a scorecard nor a service. */
export const checkContent = (form: Values): void => {
  if (Number(form.scoreMin) >= Number(form.scoreMax)) throw invalid('scoreMax', 'validation.scoreRange')
  if (Number(form.psiAct) <= Number(form.psiLook) || Number(form.psiLook) <= 0)
    throw invalid('psiAct', 'validation.psiRange')
  const isCard = form.modelKind === 'scorecard'
  const [own, others] = isCard
    ? [
        ['basePoints', 'bins'],
        ['endpoint', 'factKeys'],
      ]
    : [
        ['endpoint', 'factKeys'],
        ['basePoints', 'bins'],
      ]
  for (const name of own) if (form[name] == null) throw invalid(name, 'validation.infoComplete')
  for (const name of others) if (form[name] != null) throw invalid(name, 'validation.wrongValue')
  if (isCard) {
    const bins = form.bins as CardBin[]
    factsCheck(
      'bins',
      bins.map(one => one.fact),
    )
    const flaw = cardFlaw(bins)
    if (flaw) throw invalid('bins', flaw.key as Key, flaw.params)
    return
  }
  if (!isServiceUrl(String(form.endpoint))) throw invalid('endpoint', 'validation.serviceUrl')
  const facts = form.factKeys as string[]
  if (facts.length === 0) throw invalid('factKeys', 'validation.infoComplete')
  factsCheck('factKeys', facts)
}

type Other = { modelVersionNo: string; modelRole: string; trafficPercent: number; modelVersion: number }

/** Other versions of a model with the role that they have now. */
export const othersOf = (tx: Tx, { modelNo, modelVersionNo }: { modelNo: unknown; modelVersionNo: unknown }) =>
  tx.rows(sql<Other>`
    select x.model_version_no, x.model_version, v.content ->> 'modelRole' as model_role, coalesce((v.content ->> 'trafficPercent')::int, 0) as traffic_percent
    from risk_model_version v join risk_model x using (model_version_no)
    where v.version_status = 'effective' and x.model_no = ${modelNo} and x.model_version_no <> ${modelVersionNo} and x.deleted_time is null`)

/** The role that a version has now. */
export const roleOf = async (tx: Tx, modelVersionNo: unknown): Promise<string | null> => {
  const row = await tx.maybe(sql<{ role: string }>`
    select content ->> 'modelRole' as role from risk_model_version where model_version_no = ${modelVersionNo} and version_status = 'effective'`)
  return row?.role ?? null
}

/** Locks the versions of a model in one order, so that what they share is decided by one at a time. */
export const lockModel = (tx: Tx, modelNo: unknown) =>
  tx.rows(sql`select 1 from risk_model where model_no = ${modelNo} order by model_version_no for update`)

/** Why a version may not have a role: it is retired, was not tested, or the shares of the model do not add up. */
export const roleHolds = async (
  tx: Tx,
  { item, content }: { item: Values; content: Values },
): Promise<Fault | null> => {
  if (item.enabled !== 'enabled') return new Fault('stateConflict', 'errors.modelRetired')
  const last = await tx.maybe(sql<{ result: string }>`
    select model_test_result as result from risk_model_test where model_version_no = ${item.modelVersionNo} order by tested_time desc, model_test_no desc limit 1`)
  if (last?.result !== 'passed') return new Fault('stateConflict', 'errors.modelUntested')
  const others = await othersOf(tx, item as never)
  const present = await roleOf(tx, item.modelVersionNo)
  if (present === 'champion' && content.modelRole !== 'champion')
    return new Fault('stateConflict', 'errors.championStays')
  if (content.modelRole !== 'challenger') return null
  if (!others.some(one => one.modelRole === 'champion')) return new Fault('stateConflict', 'errors.noChampion')
  const taken = others.reduce((sum, one) => sum + one.trafficPercent, Number(content.trafficPercent))
  return taken > maxChallenged
    ? invalid('trafficPercent', 'errors.challengedMost', { taken, max: maxChallenged })
    : null
}

/** A new champion takes the place of the one before. */
export const takeOver = async (tx: Tx, { item, content }: { item: Values; content: Values }): Promise<void> => {
  if (content.modelRole !== 'champion') return
  await lockModel(tx, item.modelNo)
  for (const other of await othersOf(tx, item as never))
    if (other.modelRole === 'champion') await endRole(tx, other.modelVersionNo)
}

/** A version has no role from now on. */
export const endRole = async (tx: Tx, modelVersionNo: unknown): Promise<void> => {
  const row = await tx.maybe(sql<Values & { version: number }>`
    select * from risk_model_version where model_version_no = ${modelVersionNo} and version_status = 'effective' for update`)
  if (!row) return
  await transition(
    tx,
    machine,
    row,
    { event: 'version.supersede', set: { supersededTime: tx.now } },
    system('riskModel'),
  )
}

/** A champion is not retired, nor is a version that is about to begin. */
export const mayRetire = async (tx: Tx, item: Values): Promise<void> => {
  if ((await roleOf(tx, item.modelVersionNo)) === 'champion') throw new Fault('stateConflict', 'errors.championStays')
  const ahead = await tx.maybe(
    sql`select 1 from risk_model_version where model_version_no = ${item.modelVersionNo} and version_status = 'scheduled'`,
  )
  if (ahead) throw new Fault('stateConflict', 'errors.versionScheduled')
}

/** The model that another version is made of; its number is given out under a lock. */
export const nextVersion = async (tx: Tx, modelNo: string): Promise<{ modelVersion: number; modelKind: string }> => {
  await lockModel(tx, modelNo)
  const row = await tx.one(sql<{ last: number | null; kind: string | null }>`
    select max(model_version) as last, max(model_kind) as kind from risk_model where model_no = ${modelNo}`)
  if (row.last === null || row.kind === null) throw notFound()
  return { modelVersion: row.last + 1, modelKind: row.kind }
}
