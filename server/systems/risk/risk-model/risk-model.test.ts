import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { approvalModule } from '../../../approval/approval.ts'
import type { ScoreAnswer, ScoreQuestion } from '../../../gateways/score/score-service.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { cutoffModule } from '../cutoff/cutoff.ts'
import { baseModelNo, baseVersionNo } from './base-card.ts'
import { modelsFor, modelsInForce } from './in-force.ts'
import { bandsAt, cardAt, scored, serviceAt, snapshots } from './model-fixture.ts'
import { outcomeModule } from './outcomes.ts'
import { riskModelModule } from './risk-model.ts'
import { writeBaseModel } from './seed.ts'

type Values = Record<string, unknown>
type Answer = { code: number; msg: string; data: Values & { list: Values[] } }
const { riskModel, cutoff, common } = contract

const asked: ScoreQuestion[] = []
let says: (question: ScoreQuestion) => ScoreAnswer = () => ({ is: 'scored', score: 600, reasons: ['customer.age'] })
const score = {
  ask: async (question: ScoreQuestion) => {
    asked.push(question)
    return says(question)
  },
}
const secretKey = Buffer.alloc(32, 7)
const models = riskModelModule({ secretKey, score })
const cuts = cutoffModule()
const own = ['page', 'save', 'test', 'emergency'].map(action => `risk:model:${action}`)

let kit: Kit
let maker: Person
let checker: Person

const ask = async (endpoint: unknown, input: Values, as = maker) =>
  (await kit.call(endpoint as Endpoint, input as never, { as, language: 'en' })) as unknown as Answer
const must = async (endpoint: unknown, input: Values, as = maker) => {
  const answer = await ask(endpoint, input, as)
  expect(answer, answer.msg).toMatchObject({ code: 0 })
  return answer.data
}
const exec = (query: ReturnType<typeof sql>) => kit.db.withTx(tx => tx.exec(query))
const newest = async (modelVersionNo: unknown) => {
  const { list } = await must(riskModel.versions, { modelVersionNo })
  return list[0] as { versionNo: string; version: number; versionStatus: string; content: Values }
}
const itemOf = async (modelVersionNo: unknown) =>
  (await must(riskModel.detail, { modelVersionNo })) as unknown as Values & { version: number }
const added = async (form: Values) => String((await must(riskModel.save, form)).key)
const tested = async (form: Values) => {
  const no = await added(form)
  await must(riskModel.test, { modelVersionNo: no })
  return no
}
const submit = async (modelVersionNo: string) => {
  const { versionNo, version } = await newest(modelVersionNo)
  return ask(riskModel.versionSubmit, { versionNo, version, reason: 'As tested' })
}
const agree = async (modelVersionNo: string) => {
  const { data, ...said } = await submit(modelVersionNo)
  expect(said).toMatchObject({ code: 0 })
  await must(common.approve, { approvalNo: data.approvalNo, version: 0 }, checker)
}
const challenger = (trafficPercent: number, basePoints = 610) =>
  cardAt(basePoints, { modelNo: baseModelNo, modelRole: 'challenger', trafficPercent })

beforeAll(async () => {
  kit = await openKit({
    handmade: true,
    modules: [models, cuts, approvalModule([...(models.approvals ?? []), ...(cuts.approvals ?? [])])],
  })
  maker = await kit.person({ perms: [...own, 'risk:cutoff:save'], name: 'Maker' })
  checker = await kit.person({ perms: [...own, 'risk:model:save:check', 'risk:cutoff:save:check'], name: 'Checker' })
  await kit.db.withTx(writeBaseModel)
  await snapshots({ exec })
})
afterEach(() => {
  says = () => ({ is: 'scored', score: 600, reasons: ['customer.age'] })
})
afterAll(() => kit.close())

describe('a version of a model', () => {
  it('has a hash of what it is made of, and the next number of its model', async () => {
    const first = await itemOf(await added(cardAt()))
    const again = await itemOf(await added(cardAt(590, { modelNo: first.modelNo })))
    expect([first.modelVersion, again.modelVersion]).toEqual([1, 2])
    expect(again.sha256).toBe(first.sha256)
    expect((await itemOf(await added(cardAt(591)))).sha256).not.toBe(first.sha256)
    expect((await ask(riskModel.save, serviceAt({ modelNo: first.modelNo }))).code).toBe(40001)
  })

  it.each([
    [cardAt(590, { bins: cardAt().bins?.slice(1) }), 'belongs to no bin'],
    [cardAt(590, { bins: [{ fact: 'customer.sex', binValue: '*', points: 0 }] }), 'Unknown fact'],
    [cardAt(590, { scoreMin: 850, scoreMax: 300 }), 'highest score'],
    [cardAt(590, { psiAct: '0.05' }), 'threshold'],
    [serviceAt({ endpoint: 'http://score.example.com/' }), 'HTTPS'],
    [serviceAt({ endpoint: 'https://user:key@score.example.com/' }), 'HTTPS'],
    [serviceAt({ factKeys: ['customer.phone'] }), 'Unknown fact'],
  ])('is refused where it is neither card nor service (%#)', async (form, words) => {
    const refused = await ask(riskModel.save, form)
    expect(refused.code).toBe(40001)
    expect(refused.msg).toContain(words)
  })

  it('has no role before it was tested on 200 snapshots', async () => {
    const no = await added(cardAt())
    const refused = await submit(no)
    expect(refused).toMatchObject({ code: 40901 })
    expect(refused.msg).toContain('last test')
    const run = await must(riskModel.test, { modelVersionNo: no })
    // A third is bad, and each bad one has 80 points less: the two never meet but where settled loans make up for it.
    expect(run).toMatchObject({ modelTestResult: 'passed', sampleCount: 240, knownCount: 240 })
    expect(Number(run.auc)).toBeGreaterThan(0.8)
    await agree(no)
    expect(await itemOf(no)).toMatchObject({
      modelRole: 'shadow',
      versionStatus: 'effective',
      modelTestResult: 'passed',
    })
    expect((await must(riskModel.tests, { modelVersionNo: no })).list).toHaveLength(1)
  })

  it('whose facts are missing, or whose service is out of range, fails its test', async () => {
    says = () => ({ is: 'unknown', reason: 'out_of_range' })
    const no = await added(serviceAt())
    expect(await must(riskModel.test, { modelVersionNo: no })).toMatchObject({
      modelTestResult: 'failed',
      modelTestFault: 'no_score',
    })
    expect((await submit(no)).code).toBe(40901)
  })

  it('is checked by its examples before it is used', async () => {
    const no = await tested(cardAt(580))
    await agree(no)
    const loaded = async () =>
      (await kit.db.read(tx => modelsInForce(tx))).find(one => one.modelVersionNo === no)?.isLoaded
    expect(await loaded()).toBe(true)
    await exec(
      sql`update risk_model set examples = jsonb_set(examples, '{0,score}', '1') || '[]'::jsonb || jsonb_build_array(examples -> 1) where model_version_no = ${no}`,
    )
    expect(await loaded()).toBe(false)
    await exec(sql`update risk_model set examples = '[]' where model_version_no = ${no}`)
  })
})

describe('the key of a service', () => {
  it('is written and never read', async () => {
    const no = await added(serviceAt())
    const { version } = await itemOf(no)
    await must(riskModel.credential, { modelVersionNo: no, credential: 'top-secret-key', version })
    expect(await itemOf(no)).toMatchObject({ hasCredential: true })
    const kept = await kit.db.read(tx =>
      tx.rows(sql<{ text: string }>`
        select row_to_json(m)::text as text from risk_model m union all select row_to_json(a)::text from audit_log a union all select row_to_json(h)::text from config_history h`),
    )
    expect(kept.some(({ text }) => text.includes('top-secret-key'))).toBe(false)
    asked.length = 0
    await must(riskModel.test, { modelVersionNo: no })
    expect(asked).toHaveLength(200)
    expect(asked[0]).toMatchObject({ credential: 'top-secret-key', url: 'https://score.example.com/v1/score' })
    expect(Object.keys(asked[0]?.facts ?? {}).sort()).toEqual(['customer.age', 'history.settledCount'])
    const card = await added(cardAt())
    expect((await ask(riskModel.credential, { modelVersionNo: card, credential: 'x', version: 1 })).code).toBe(40901)
  })
})

describe('roles', () => {
  it('risk 9: share customers: a challenger has its part, together at most half', async () => {
    const four = await tested(challenger(10))
    await agree(four)
    const { taken, kept } = await must(riskModel.effect, { versionNo: (await newest(four)).versionNo })
    expect([taken, kept]).toEqual([10, 90])
    const much = await tested(challenger(41, 611))
    expect((await submit(much)).msg).toContain('51 %')
    const inForce = await kit.db.read(tx => modelsInForce(tx))
    const of = (customerNo: string) => modelsFor(inForce, { modelNo: baseModelNo, customerNo }).decides?.modelVersionNo
    const counts = Array.from({ length: 10_000 }, (_, n) => of(`C${n}`))
    const challenged = counts.filter(no => no === four).length
    expect(challenged).toBeGreaterThan(900)
    expect(challenged).toBeLessThan(1_100)
    expect(counts.filter(no => no === baseVersionNo).length).toBe(10_000 - challenged)
    await exec(sql`delete from risk_model_test where model_version_no = ${much}`)
  })

  it('a challenger is stopped at once, comes back after a day, and stays stopped once a second person says so', async () => {
    const no = await tested(challenger(5, 612))
    await agree(no)
    const stop = async () =>
      must(riskModel.emergency, { modelVersionNo: no, version: (await itemOf(no)).version, reason: 'scores drop' })
    const late = () =>
      exec(
        sql`update risk_model_version set emergency_until = '2026-03-02T06:00:00Z' where emergency_until is not null and version_status = 'effective'`,
      )
    await stop()
    expect(await itemOf(no)).toMatchObject({ modelRole: 'challenger', trafficPercent: 0 })
    expect(
      (await ask(riskModel.emergency, { modelVersionNo: no, version: (await itemOf(no)).version, reason: 'x' })).code,
    ).toBe(40901)
    const job = models.scheduled?.find(one => one.job === 'riskModel.fallback')
    await kit.db.withTx(tx => job!.run(tx, { date: '2026-03-02' }))
    expect(await itemOf(no)).toMatchObject({ trafficPercent: 0 })
    await late()
    await kit.db.withTx(tx => job!.run(tx, { date: '2026-03-03' }))
    expect(await itemOf(no)).toMatchObject({ modelRole: 'challenger', trafficPercent: 5, versionStatus: 'effective' })
    await stop()
    const { list } = await must(riskModel.versions, { modelVersionNo: no })
    const { versionNo, version } = list.find(one => one.versionStatus === 'effective') as Values
    expect((await ask(riskModel.keep, { versionNo, version, reason: 'x' }, maker)).code).toBe(40301)
    await must(riskModel.keep, { versionNo, version, reason: 'agreed' }, checker)
    await late()
    await kit.db.withTx(tx => job!.run(tx, { date: '2026-03-04' }))
    expect(await itemOf(no)).toMatchObject({ trafficPercent: 0 })
    await must(riskModel.state, { modelVersionNo: no, enabled: false, version: (await itemOf(no)).version })
    expect(await itemOf(no)).toMatchObject({ modelRole: null, enabled: 'disabled' })
  })

  it('a champion stays until another takes its place, and is one alone', async () => {
    const { version } = await itemOf(baseVersionNo)
    expect((await ask(riskModel.state, { modelVersionNo: baseVersionNo, enabled: false, version })).code).toBe(40901)
    const next = await tested(cardAt(605, { modelNo: baseModelNo, modelRole: 'champion' }))
    await agree(next)
    const champions = await kit.db.read(tx => modelsInForce(tx, baseModelNo))
    expect(champions.filter(one => one.modelRole === 'champion').map(one => one.modelVersionNo)).toEqual([next])
    expect(await itemOf(baseVersionNo)).toMatchObject({ modelRole: null })
    await must(riskModel.state, {
      modelVersionNo: baseVersionNo,
      enabled: false,
      version: (await itemOf(baseVersionNo)).version,
    })
    expect((await submit(baseVersionNo)).code).not.toBe(0)
  })
})

describe('figures', () => {
  it('show scores against their sample, and what became of the orders', async () => {
    const no = await tested(cardAt(600))
    await scored({ exec }, no)
    const data = await must(riskModel.monitor, { modelVersionNo: no, from: '2026-02-01', to: '2026-03-02' })
    expect((data.now as number[]).reduce((a, b) => a + b, 0)).toBe(240)
    expect(Number(data.psi)).toBeGreaterThan(0.25)
    expect(data.psiVerdict).toBe('act')
    expect(data.missing).toEqual([{ fact: 'customer.age', missingShare: '10' }])
    expect(data.arms).toMatchObject([
      { modelRole: 'champion', scored: 240, passedShare: '66.67', badRate: '33.33', auc: '1.0000', ks: '1.0000' },
    ])
    const { list, sampleCount } = await must(riskModel.card, { modelVersionNo: no })
    expect(sampleCount).toBe(240)
    expect(
      list.find(bin => bin.fact === 'history.maxOverdueDays' && bin.binTo === undefined && bin.binFrom === '7'),
    ).toMatchObject({
      points: -80,
      binShare: '33.33',
      knownCount: 80,
      badRate: '100',
    })
    const ofTwo = await kit.person({ perms: own, merchants: ['M2'], limit: 'own_merchants' })
    const period = { from: '2026-02-01', to: '2026-03-02' }
    expect((await ask(riskModel.monitor, { modelVersionNo: no, ...period }, ofTwo)).code).toBe(40401)
    expect((await ask(riskModel.tests, { modelVersionNo: no }, ofTwo)).code).toBe(40401)
    expect((await ask(riskModel.test, { modelVersionNo: no }, ofTwo)).code).toBe(40401)
    expect((await must(riskModel.page, {}, ofTwo)).list).toEqual([])
    expect((await must(riskModel.scores, {}, ofTwo)).list).toEqual([])
  })

  it('are those of one kind of loan or of one product where it is asked for, and name what cost points', async () => {
    const no = await tested(cardAt(601))
    await scored({ exec }, no)
    const costly = sql`update risk_model_score set reasons = '["history.maxOverdueDays", "customer.age"]' where model_version_no = ${no} and band_decision = 'refuse'`
    await exec(costly)
    const period = { modelVersionNo: no, from: '2026-02-01', to: '2026-03-02' }
    const count = async (only: Values) =>
      ((await must(riskModel.monitor, { ...period, ...only })).now as number[]).reduce((a, b) => a + b, 0)
    expect(await count({ loanKind: 'first' })).toBe(120)
    expect(await count({ productNo: 'P1' })).toBe(240)
    expect(await count({ productNo: 'P-NONE' })).toBe(0)
    expect((await must(riskModel.monitor, period)).reasons).toEqual([
      { reason: 'customer.age', scored: 80, reasonShare: '33.33' },
      { reason: 'history.maxOverdueDays', scored: 80, reasonShare: '33.33' },
    ])
    const { list } = await must(riskModel.scores, { modelVersionNo: no, modelLevel: ['E'], loanKind: ['first'] })
    expect(list[0]).toMatchObject({ scoreReasons: 'history.maxOverdueDays, customer.age', wentBad: true })
    expect(list.every(row => row.loanKind === 'first')).toBe(true)
  })
})

describe('a cut-off', () => {
  const base = async () => String((await must(cutoff.page, { modelNo: baseModelNo })).list[0]?.cutoffNo)

  it('risk 8: names the scores that belong to no band', async () => {
    const cutoffNo = await base()
    const [a, b, e] = bandsAt(570).firstBands as Values[]
    const firstBands = [a, { ...b, scoreFrom: 575 }, e]
    const refused = await ask(cutoff.versionSave, { cutoffNo, ...bandsAt(), firstBands })
    expect(refused.code).toBe(40001)
    expect(refused.msg).toContain('570–574 belongs to no band')
    const twice = await ask(cutoff.save, { cutoffName: 'Other', modelNo: baseModelNo, ...bandsAt(), firstBands })
    expect(twice.msg).toContain('570–574 belongs to no band')
  })

  it('says what it would have done, and is in force once a second person agrees', async () => {
    const no = await tested(cardAt(601, { modelNo: baseModelNo }))
    await exec(sql`delete from risk_model_score`)
    await scored({ exec }, no)
    const cutoffNo = await base()
    const period = { from: '2026-02-20', to: '2026-03-02' }
    const simulated = await must(cutoff.simulate, { cutoffNo, ...bandsAt(641), ...period })
    expect(simulated.before).toMatchObject({
      scored: 240,
      passedCount: 160,
      passedShare: '66.67',
      badRate: '0',
      lent: '16000000.00',
      lost: '0.00',
    })
    expect(simulated.after).toMatchObject({ passedCount: 0, badRate: null, lent: '0.00' })
    const bands = (await must(cutoff.simulate, { cutoffNo, ...bandsAt(400), ...period })).bands as Values[]
    // 80 × 10,000 lost over 11 days, half of them on first loans: 800,000 ÷ 2 ÷ 11 × 30
    expect(bands.find(one => one.loanKind === 'first' && one.modelLevel === 'B')).toMatchObject({
      monthlyLoss: '1090909.00',
      knownCount: 120,
    })
    const { versionNo, version } = await must(cutoff.versionSave, { cutoffNo, ...bandsAt(641) })
    expect(await must(cutoff.effect, { versionNo })).toMatchObject({
      passBefore: '66.67',
      passAfter: '0',
      lentLess: '16000000.00',
    })
    const { approvalNo } = await must(cutoff.versionSubmit, { versionNo, version, reason: 'Fewer losses' })
    await must(common.approve, { approvalNo, version: 0 }, checker)
    expect((await must(cutoff.detail, { cutoffNo })).firstBands).toEqual(bandsAt(641).firstBands)
  })
})

describe('outcomes', () => {
  it('are known eight days behind the first due date', async () => {
    await exec(sql`delete from risk_outcome where order_no = 'RS1'`)
    await exec(sql`
      insert into repay_plan (bill_no, order_no, installment_no, due_date, bill_status, principal_due, interest_due, service_fee_due, management_fee_due, settled_date, settled_time)
      values ('RB1', 'RS1', 1, '2026-02-20', 'settled', 50000, 0, 0, 0, '2026-02-28', '2026-02-28T09:00:00Z')`)
    await exec(
      sql`update loan_order set settled_time = '2026-02-28T09:00:00Z', version = version + 1 where order_no = 'RS1'`,
    )
    const [job] = outcomeModule().chunked ?? []
    const known = async () =>
      kit.db.read(tx => tx.rows(sql`select bad, ever30, settled from risk_outcome where order_no = 'RS1'`))
    await kit.db.withTx(tx => job!.chunk(tx, { date: '2026-02-27', cursor: null }))
    expect(await known()).toEqual([])
    await kit.db.withTx(tx => job!.chunk(tx, { date: '2026-02-28', cursor: null }))
    expect(await known()).toEqual([{ bad: true, ever30: false, settled: true }])
  })
})
