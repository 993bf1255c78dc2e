import { sql } from 'kysely'
import { riskModels } from '../../../../core/contract/risk/risk-model.ts'
import { challengerOf } from '../../../../core/rules/risk/arms.ts'
import type { Tx } from '../../../db/database.ts'
import { type Example, isIntact, type ModelContent } from './content.ts'

/** A version with the role that it has now. */
export type ModelInForce = ModelContent & {
  modelVersionNo: string
  modelNo: string
  modelVersion: number
  modelRole: 'champion' | 'challenger' | 'shadow'
  trafficPercent: number
  sha256: string
  credential: string | null
  /** It computes what it computed when it was tested; another one is not used. */
  isLoaded: boolean
}

const table = sql.table(riskModels.table)
const versions = sql.table(`${riskModels.table}_version`)
/** Versions that were checked by this process, by what they hold. */
const checked = new Map<string, boolean>()

const loaded = (row: ModelInForce & { examples: Example[] }): boolean => {
  const key = `${row.modelVersionNo} ${row.sha256} ${row.examples.length}`
  const known = checked.get(key)
  if (known !== undefined) return known
  const found = isIntact(row, row.examples)
  checked.set(key, found)
  return found
}

/** The versions that have a role now, of one model or of all. */
export const modelsInForce = async (tx: Tx, modelNo?: string): Promise<ModelInForce[]> => {
  const rows = await tx.rows(sql<ModelInForce & { examples: Example[] }>`
    select x.model_version_no, x.model_no, x.model_version, x.model_kind, x.score_min, x.score_max, x.base_points, x.bins, x.endpoint, x.fact_keys,
      x.sha256, x.credential, x.examples, v.content ->> 'modelRole' as model_role, coalesce((v.content ->> 'trafficPercent')::int, 0) as traffic_percent
    from ${versions} v join ${table} x using (model_version_no)
    where v.version_status = 'effective' and x.enabled = 'enabled' and x.deleted_time is null and ${modelNo === undefined ? sql`true` : sql`x.model_no = ${modelNo}`}
    order by x.model_no, x.model_version`)
  return rows.map(row => ({ ...row, isLoaded: loaded(row) }))
}

/**
 * The version that decides about a customer, and those that only look on. A customer stays with the same one as long as shares stay; a
 * challenger of nobody else's is asked in place of the champion.
 */
export const modelsFor = (
  models: readonly ModelInForce[],
  { modelNo, customerNo }: { modelNo: string; customerNo: string },
): { decides: ModelInForce | null; shadows: ModelInForce[] } => {
  const own = models.filter(one => one.modelNo === modelNo)
  const challengers = own
    .filter(one => one.modelRole === 'challenger')
    .map(model => ({ versionNo: model.modelVersionNo, trafficPercent: model.trafficPercent, model }))
  const taken = challengerOf(customerNo, challengers)?.model
  return {
    decides: taken ?? own.find(one => one.modelRole === 'champion') ?? null,
    shadows: models.filter(one => one.modelRole === 'shadow'),
  }
}
