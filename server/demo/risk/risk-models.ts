import { sql } from 'kysely'
import { contract } from '../../../core/contract/contract.ts'
import type { Endpoint } from '../../../core/contract/endpoint.ts'
import { bucketOf } from '../../../core/rules/risk/arms.ts'
import type { CardBin } from '../../../core/rules/risk/scorecard.ts'
import { histogram } from '../../../core/rules/risk/statistics.ts'
import { addDays } from '../../../core/rules/time.ts'
import { approvalModule } from '../../approval/approval.ts'
import type { Tx } from '../../db/database.ts'
import { json } from '../../db/json.ts'
import { demoScoreHost } from '../../gateways/score/open-score.ts'
import type { ScoreService } from '../../gateways/score/score-service.ts'
import { actorOf, rightsOfPerson } from '../../session/session.ts'
import { scoreOf } from '../../simulators/score/vendor.ts'
import { cutoffModule } from '../../systems/risk/cutoff/cutoff.ts'
import { baseBands, baseCard, baseModelNo, baseVersionNo } from '../../systems/risk/risk-model/base-card.ts'
import { monitorJob } from '../../systems/risk/risk-model/jobs.ts'
import { outcomeTick } from '../../systems/risk/risk-model/outcomes.ts'
import { riskModelModule } from '../../systems/risk/risk-model/risk-model.ts'
import { sealedKeys } from '../../systems/risk/risk-model/score.ts'
import { noteTest, prepareTest, scoreAll } from '../../systems/risk/risk-model/test-run.ts'
import { at, handFor } from '../hand.ts'
import { userNoOf } from '../staff.ts'

const { riskModel, cutoff, common } = contract
type Values = Record<string, unknown>
const sealed = sealedKeys(Buffer.alloc(32))
const classes = 22
const monitored = 14

/** The vendor as it was asked at the time; the second version of its model was not loaded there. */
const vendor: ScoreService = {
  ask: async ({ facts, version }) =>
    version === 1 ? { is: 'scored', ...scoreOf(facts) } : { is: 'unknown', reason: 'http_500' },
}

/** Bins of the base card with other points for some facts when they are missing, or for age. */
const binsWith = (change: (bin: CardBin) => Partial<CardBin>): CardBin[] =>
  (baseCard.bins ?? []).map(bin => ({ ...bin, ...change(bin) }))
const isMissing = (bin: CardBin) => bin.binFrom === undefined && bin.binTo === undefined && bin.binValue === undefined

const card = (bins: CardBin[], change: Values = {}) => ({
  modelNo: baseModelNo,
  modelKind: 'scorecard',
  modelName: 'Base scorecard',
  psiLook: '0.1',
  psiAct: '0.25',
  scoreMin: baseCard.scoreMin,
  scoreMax: baseCard.scoreMax,
  basePoints: baseCard.basePoints,
  bins,
  ...change,
})
const service = (change: Values = {}) => ({
  modelKind: 'external',
  modelName: 'Kampala bureau score',
  psiLook: '0.1',
  psiAct: '0.25',
  scoreMin: 300,
  scoreMax: 850,
  endpoint: `https://${demoScoreHost}/v1/score`,
  factKeys: [
    'customer.age',
    'history.settledCount',
    'history.maxOverdueDays',
    'history.openOrderCount',
    'history.refusedCount30d',
    'device.accountCount',
    'contacts.overdueCount',
  ],
  modelRole: 'shadow',
  ...change,
})

const peopleOf = async (tx: Tx) => {
  const own = [riskModelModule({ secretKey: Buffer.alloc(32) }), cutoffModule()]
  const hand = handFor([...own, approvalModule(own.flatMap(one => one.approvals ?? []))])
  const now = at(tx, tx.now)
  const [boss, second] = await Promise.all(['admin', 'admin2'].map(login => rightsOfPerson(tx, userNoOf(login), 'en')))
  if (!boss || !second) return null
  const call = async (who: typeof boss, endpoint: unknown, input: Values) => {
    const answer = (await hand.call(now, who, endpoint as Endpoint, input as never)) as Values
    await tx.flush()
    return answer
  }
  return { boss, second, call }
}
type People = NonNullable<Awaited<ReturnType<typeof peopleOf>>>

const draftOf = (tx: Tx, table: string, key: string, no: unknown) =>
  tx.one(sql<{ versionNo: string; version: number }>`
    select version_no, version from ${sql.table(table)} where ${sql.ref(key)} = ${no} and version_status = 'draft'`)

const tested = async (tx: Tx, { boss }: People, no: string) => {
  const prepared = await prepareTest(tx, no)
  await noteTest(
    tx,
    prepared,
    await scoreAll(vendor, sealed, prepared),
    actorOf(boss, { requestId: 'demo', ip: null } as never),
  )
  await tx.flush()
}

/** A version that was tested, and has its role where its test had passed. */
const inRole = async (tx: Tx, people: People, form: Values, reason: string): Promise<string> => {
  const { boss, second, call } = people
  const no = String((await call(boss, riskModel.save, form)).key)
  await tested(tx, people, no)
  const passed = await tx.maybe(
    sql`select 1 from risk_model_test where model_version_no = ${no} and model_test_result = 'passed'`,
  )
  if (!passed) return no
  const { approvalNo } = await call(boss, riskModel.versionSubmit, {
    ...(await draftOf(tx, 'risk_model_version', 'model_version_no', no)),
    reason,
  })
  await call(second, common.approve, { approvalNo, version: 0 })
  return no
}

type Snapshot = {
  orderNo: string
  evalNo: number
  customerNo: string
  facts: Values
  createdTime: string
  lately: boolean
}

/** The scores of the last weeks as the versions gave them: one in ten by the challenger, and the vendor's looking on. */
const writeScores = async (tx: Tx, { three, four, shadow }: { three: string; four: string; shadow: string }) => {
  const rows = await tx.rows(sql<Snapshot>`
    select s.order_no, s.eval_no, o.customer_no, s.facts, s.created_time, s.created_time > ${tx.now}::timestamptz - interval '7 days' as lately
    from risk_fact_snapshot s join loan_order o using (order_no) where s.created_time > ${tx.now}::timestamptz - interval '30 days' order by s.order_no`)
  const challenged = rows.filter(row => bucketOf(row.customerNo) < 10).map(row => row.orderNo)
  await tx.exec(sql`
    update risk_model_score set model_version_no = case when order_no = any(${challenged}) then ${four} else ${three} end,
      model_role = case when order_no = any(${challenged}) then 'challenger' else 'champion' end where order_no = any(${rows.map(row => row.orderNo)})`)
  for (const { orderNo, evalNo, facts, createdTime, lately } of rows) {
    const { score, reasons } = scoreOf(facts)
    // A week ago the vendor began to see other customers.
    const moved = lately && bucketOf(orderNo) < 22 ? 30 : 0
    tx.append('riskModelScore', {
      orderNo,
      evalNo,
      modelVersionNo: shadow,
      modelRole: 'shadow',
      modelScore: Math.max(300, score - moved),
      reasons,
      durationMs: 180 + ((bucketOf(orderNo) * 7) % 400),
      scoredTime: createdTime,
    })
  }
  await tx.flush()
  for (const no of [three, four, shadow]) {
    const counts = await tx.rows(sql<{ score: number; scored: number }>`
      select model_score as score, count(*)::int as scored from risk_model_score where model_version_no = any(${no === shadow ? [shadow] : [three, four]}) and scored_time <= ${tx.now}::timestamptz - interval '7 days' group by model_score`)
    if (counts.length)
      await tx.exec(
        sql`update risk_model set development = ${json(histogram(counts, { scoreMin: 300, scoreMax: 850, classes }))} where model_version_no = ${no}`,
      )
  }
  for (let back = monitored - 1; back >= 0; back--) await monitorJob.run(tx, { date: addDays(tx.today, -back) })
}

/** A border that the risk head would move, which waits for a second person. */
const writeCutoff = async (tx: Tx, { boss, call }: People) => {
  const firstBands = baseBands.firstBands.map(band =>
    band.modelLevel === 'D' ? { ...band, scoreFrom: 535 } : band.modelLevel === 'E' ? { ...band, scoreTo: 534 } : band,
  )
  const cutoffNo = 'CO-BASE'
  await call(boss, cutoff.versionSave, { cutoffNo, firstBands, repeatBands: baseBands.repeatBands })
  const draft = await draftOf(tx, 'risk_cutoff_version', 'cutoff_no', cutoffNo)
  await call(boss, cutoff.versionSubmit, { ...draft, reason: 'First loans below 535 cost more than they earn' })
}

/** The base scorecard in its fourth version, with a champion and a challenger, and a vendor's model that only looks on. */
export const writeModels = async (tx: Tx): Promise<void> => {
  let cursor: string | null = null
  do cursor = (await outcomeTick(tx, { date: tx.today, cursor })).cursor
  while (cursor)
  const people = await peopleOf(tx)
  const { n } = await tx.one(sql<{ n: number }>`select count(*)::int as n from risk_fact_snapshot`)
  // A small demo has too few snapshots to test anything on.
  if (!people || n < 200) return
  const { boss, call } = people
  const two = await inRole(
    tx,
    people,
    card(
      binsWith(bin => (bin.fact === 'customer.age' && bin.binTo === '24' ? { points: -20 } : {})),
      { modelRole: 'shadow' },
    ),
    'Young customers cost more points',
  )
  const three = await inRole(
    tx,
    people,
    card(
      binsWith(bin => (bin.fact === 'device.rooted' && isMissing(bin) ? { points: -5 } : {})),
      { modelRole: 'champion' },
    ),
    'Unknown devices cost points',
  )
  const four = await inRole(
    tx,
    people,
    card(
      binsWith(bin => (bin.fact === 'contacts.overdueCount' && isMissing(bin) ? { points: -15 } : {})),
      { modelRole: 'challenger', trafficPercent: 10 },
    ),
    'Missing contacts cost points',
  )
  for (const no of [baseVersionNo, two]) {
    const { version } = await tx.one(
      sql<{ version: number }>`select version from risk_model where model_version_no = ${no}`,
    )
    await call(boss, riskModel.state, { modelVersionNo: no, enabled: false, version })
  }
  const shadow = await inRole(tx, people, service(), 'Look on for a quarter')
  const { modelNo } = await tx.one(
    sql<{ modelNo: string }>`select model_no from risk_model where model_version_no = ${shadow}`,
  )
  await inRole(
    tx,
    people,
    service({ modelNo, endpoint: `https://${demoScoreHost}/v1/score` }),
    'Next version of the vendor',
  )
  await writeScores(tx, { three, four, shadow })
  await writeCutoff(tx, people)
}
