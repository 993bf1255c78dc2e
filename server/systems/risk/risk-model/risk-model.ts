import { type RawBuilder, sql } from 'kysely'
import type { Use } from '../../../../core/contract/config.ts'
import { contract } from '../../../../core/contract/contract.ts'
import { riskModels } from '../../../../core/contract/risk/risk-model.ts'
import { serveConfig } from '../../../configs/serve-config.ts'
import type { Tx } from '../../../db/database.ts'
import { checkVersion, Fault, invalid } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { begins } from '../../../lists/list.ts'
import { serveListed } from '../../../lists/listed.ts'
import type { Deps, Module } from '../../../module.ts'
import { newNo } from '../../../money/numbers.ts'
import { hashOf, type ModelContent } from './content.ts'
import { figureColumns, figureNeeds, fillFigures } from './figures.ts'
import { modelWarnings, monitorJob } from './jobs.ts'
import { monitorCalls } from './monitor.ts'
import { checkContent, endRole, mayRetire, nextVersion, othersOf, roleHolds, takeOver } from './rules.ts'
import { type Sealed, sealedKeys } from './score.ts'
import { scoreList } from './scores.ts'
import { modelsSeen } from './seen.ts'
import { testCalls } from './test-run.ts'

const { riskModel } = contract

/** Versions that scored an order in the last 30 days of which something holds. */
const scoredOf = (tx: Tx, holds: RawBuilder<unknown>) => sql`exists (
  select 1 from risk_model_score s join loan_order o using (order_no)
  where s.model_version_no = x.model_version_no and s.scored_time > ${tx.now}::timestamptz - interval '30 days' and ${holds})`

const status = sql`coalesce(v.version_status, next_version.version_status, case when x.enabled = 'disabled' then 'superseded' else 'draft' end)`

/** How often the plans of the last month would have asked the model. */
const orders30 = async (tx: Tx, modelNo: unknown): Promise<number> => {
  const { n } = await tx.one(sql<{ n: number }>`
    select count(distinct s.order_no)::int as n from risk_model_score s join risk_model m using (model_version_no)
    where m.model_no = ${modelNo} and s.model_role <> 'shadow' and s.scored_time > ${tx.now}::timestamptz - interval '30 days'`)
  return n
}

/** Plans that name the model of a version. */
const planUses = async (tx: Tx, keys: readonly string[]): Promise<(Use & { key: string })[]> =>
  tx.rows(sql<Use & { key: string }>`
    select v.model_version_no as key, 'cutoff' as kind, c.cutoff_no as no, c.cutoff_name as name
    from risk_model v join risk_cutoff c using (model_no) where v.model_version_no = any(${keys as string[]}) and c.deleted_time is null order by c.cutoff_no`)

const config = serveConfig(riskModels, {
  prefix: 'MV',
  unique: 'modelNo',
  made: async ({ tx }, form) => {
    const of = form.modelNo == null ? null : await nextVersion(tx, String(form.modelNo))
    if (of && of.modelKind !== form.modelKind) throw invalid('modelKind', 'validation.wrongValue')
    checkContent(form)
    const made = { ...form, modelNo: form.modelNo ?? newNo('MD', tx.now), modelVersion: of?.modelVersion ?? 1 }
    return { rows: [{ ...made, sha256: hashOf(form as unknown as ModelContent) }], existing: 0 }
  },
  check: async (_, form, before) => {
    if (before && Number(form.psiAct) <= Number(form.psiLook)) throw invalid('psiAct', 'validation.psiRange')
  },
  startsEnabled: () => true,
  switches: async (tx, item, to) => {
    if (to === 'disabled') await mayRetire(tx, item)
  },
  turned: async (tx, item, to) => {
    if (to === 'disabled') await endRole(tx, item.modelVersionNo)
  },
  uses: async (tx, keys) => {
    const given = await tx.rows(sql<{ key: string; no: string }>`
      select model_version_no as key, version_no as no from risk_model_version
      where model_version_no = any(${keys as string[]}) and version_status in ('scheduled', 'effective', 'superseded') order by version_no`)
    const roles = given.map(({ key, no }) => ({ key, kind: 'modelRole', no, name: no }))
    return [...roles, ...(await planUses(tx, keys))]
  },
  late: { columns: figureColumns, needs: figureNeeds, only: sql`true`, fill: fillFigures },
  source: ({ tx, session }) => ({
    where: modelsSeen(session),
    columns: {
      versionStatus: status,
      emergencyUntil: sql`case when v.kept_time is null then v.emergency_until end`,
      heldVersion: sql`v.version`,
      hasCredential: sql`(x.credential is not null)`,
      modelTestResult: sql`(select t.model_test_result from risk_model_test t where t.model_version_no = x.model_version_no order by t.tested_time desc, t.model_test_no desc limit 1)`,
    },
    filters: {
      merchantNo: (merchants: string[]) => scoredOf(tx, sql`o.merchant_no = any(${merchants})`),
      productNo: (products: string[]) => scoredOf(tx, sql`o.product_no = any(${products})`),
      modelName: (name: string) => begins(sql`x.model_name`, name),
      versionStatus: (statuses: string[]) => sql`${status} = any(${statuses})`,
      modelRole: (roles: string[]) => sql`coalesce(v.content ->> 'modelRole', 'none') = any(${roles})`,
    } as never,
  }),
  versions: {
    prefix: 'MR',
    holds: roleHolds,
    started: takeOver,
    effect: async (tx, { item, content }) => {
      const others = await othersOf(tx, item as never)
      const challenged = others.reduce((sum, one) => sum + (one.modelRole === 'challenger' ? one.trafficPercent : 0), 0)
      const isChampion = content.modelRole === 'champion'
      const taken = isChampion
        ? 100 - challenged
        : content.modelRole === 'challenger'
          ? Number(content.trafficPercent)
          : 0
      const champion = others.find(one => one.modelRole === 'champion')
      return {
        taken,
        kept: isChampion ? 0 : Math.max(0, 100 - challenged - taken),
        champion: champion ? `${item.modelNo} v${champion.modelVersion}` : '–',
        orders30: await orders30(tx, item.modelNo),
      }
    },
  },
})

const credentialCall = (sealed: Sealed) =>
  serve(riskModel.credential, async call => {
    const { tx, input, actor, audit } = call
    const item = await config.lock(call, input.modelVersionNo)
    checkVersion(item, input.version)
    if (item.modelKind !== 'external') throw new Fault('stateConflict', 'errors.noCredential')
    const { version } = await config.touch(call, item, 'item.update', {
      credential: sealed.seal(input.credential, input.modelVersionNo),
    })
    audit({
      objectType: riskModels.table,
      objectNo: input.modelVersionNo,
      after: { credential: 'set', by: actor.no, at: tx.now },
    })
    return { version }
  })

const emergencyCalls = [
  serve(riskModel.emergency, async call => {
    const { input } = call
    const item = await config.lock(call, input.modelVersionNo)
    checkVersion(item, input.version)
    const version = await config.emergency?.act(
      call,
      item,
      inForce => {
        if (inForce.modelRole !== 'challenger' || inForce.trafficPercent === 0)
          throw new Fault('stateConflict', 'errors.notChallenger')
        return { ...inForce, trafficPercent: 0 }
      },
      input.reason,
    )
    return { version: version as number }
  }),
  serve(riskModel.keep, async call => ({ version: (await config.emergency?.keep(call, call.input)) as number })),
]

/** Risk models: their versions and roles, tests, figures, and the safe side. */
export const riskModelModule = ({ secretKey, score }: Pick<Deps, 'secretKey' | 'score'>): Module => {
  const sealed = sealedKeys(secretKey)
  const { served, lists, approvals, scheduled, warnings } = config
  return {
    served: [
      ...served,
      credentialCall(sealed),
      ...emergencyCalls,
      ...testCalls(score, sealed),
      ...monitorCalls,
      serveListed(scoreList),
    ],
    lists: [...lists, scoreList],
    approvals,
    scheduled: [...scheduled, monitorJob],
    warnings: [...warnings, ...modelWarnings],
  }
}
