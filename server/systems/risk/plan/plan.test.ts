import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { cutoffs } from '../../../../core/contract/risk/cutoff.ts'
import { riskModels } from '../../../../core/contract/risk/risk-model.ts'
import { approvalModule } from '../../../approval/approval.ts'
import { json } from '../../../db/json.ts'
import type { Worker } from '../../../jobs/queue.ts'
import { silentLog } from '../../../log.ts'
import { noPayout } from '../../../money/no-gateway.ts'
import { jobsOf } from '../../../run.ts'
import { nameOf } from '../../../simulators/people.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { application, send } from '../../../testing/partner.ts'
import { machineReviewModule } from '../../audit/machine-review/machine-review.ts'
import { intakeModule } from '../../order/intake/intake.ts'
import { hashOf } from '../risk-model/content.ts'
import { bandsAt, cardAt } from '../risk-model/model-fixture.ts'
import { begin, writeBaseModel } from '../risk-model/seed.ts'
import { replay } from '../rule-set/index.ts'
import { writeBaseRules } from '../rule-set/seed.ts'
import { planModule } from './plan.ts'
import { writeBasePlans } from './seed.ts'

type Values = Record<string, unknown>
const { riskPlan, common } = contract

const plans = planModule()
let kit: Kit
let worker: Worker
let maker: Person
let checker: Person
let seed = 9300

const ask = async (endpoint: unknown, input: Values, as = maker) =>
  (await kit.call(endpoint as Endpoint, input as never, { as, language: 'en' })) as unknown as {
    code: number
    msg: string
    data: Values & { list: Values[] }
  }
const must = async (endpoint: unknown, input: Values, as = maker) => {
  const answer = await ask(endpoint, input, as)
  expect(answer, answer.msg).toMatchObject({ code: 0 })
  return answer.data
}
const planNo = 'PL-P1-first'
const draft = async (content: Values) => {
  const open = (await must(riskPlan.versions, { planNo })).list.find(one => one.versionStatus === 'draft')
  const again = open ? { versionNo: open.versionNo, version: open.version } : {}
  return ask(riskPlan.versionSave, { planNo, ...again, ...content })
}
const submit = async () => {
  const [newest] = (await must(riskPlan.versions, { planNo })).list
  return ask(riskPlan.versionSubmit, { versionNo: newest?.versionNo, version: newest?.version, reason: 'As tried' })
}
const inForce = async (content: Values) => {
  expect(await draft(content)).toMatchObject({ code: 0 })
  const { approvalNo } = (await submit()).data
  expect((await ask(common.approve, { approvalNo, version: 0 })).code).not.toBe(0)
  await must(common.approve, { approvalNo, version: 0 }, checker)
}
const sets = (...nos: string[]) => nos.map(ruleSetNo => ({ ruleSetNo }))

type Found = {
  orderStatus: string
  decisionNo: string
  modelNo: string
  modelScore: number | null
  ruleVersions: string[]
  planVersionNo: string | null
}
const reviewed = async (emulator = false): Promise<Found> => {
  const made = application(++seed)
  const customer = { ...made.customer, monthlyIncome: '900000.00', birthDate: '1992-05-14' }
  const device = { ...made.device, rooted: false, emulator }
  const { orderNo } = (await send(kit, { ...made, customer, device })).data
  await worker.drain()
  return kit.db.read(tx =>
    tx.one(sql<Found>`
      select o.order_status, d.decision_no, d.model_no, d.model_score, d.rule_versions, d.inputs ->> 'planVersionNo' as plan_version_no
      from loan_order o join risk_decision d using (order_no) where o.order_no = ${orderNo}`),
  )
}
/** Another model with a champion, without bands of its own. */
const champion = (modelNo: string) =>
  kit.db.withTx(async tx => {
    const { modelRole: _, bins, ...card } = cardAt(600)
    const content = { ...card, bins } as never
    const item = {
      ...card,
      modelVersionNo: `${modelNo}-1`,
      modelNo,
      modelVersion: 1,
      bins: json(bins),
      sha256: hashOf(content),
    }
    await begin(tx, riskModels, item, { versionNo: `MR-${modelNo}`, content: { modelRole: 'champion' } })
  })
const cutOff = (modelNo: string) =>
  kit.db.withTx(tx =>
    begin(
      tx,
      cutoffs,
      { cutoffNo: `CO-${modelNo}`, modelNo, cutoffName: 'Of its own' },
      { versionNo: `CV-${modelNo}`, content: bandsAt() },
    ),
  )

beforeAll(async () => {
  const payout = { mtn_momo: { ...noPayout, verifyHolder: async (account: string) => ({ name: nameOf(account) }) } }
  const modules = [intakeModule(), machineReviewModule({ payout }), plans, approvalModule([...(plans.approvals ?? [])])]
  kit = await openKit({ handmade: true, modules })
  worker = jobsOf({ db: kit.db, log: silentLog, modules }).worker
  await kit.db.withTx(writeBaseModel)
  await kit.db.withTx(writeBaseRules)
  maker = await kit.person({ perms: ['risk:ruleSet:page', 'risk:plan:save'], name: 'Maker' })
  checker = await kit.person({ perms: ['risk:ruleSet:page', 'risk:plan:save:check'], name: 'Checker' })
})
afterAll(() => kit.close())

it('is written once for each product and kind of loan, and decides as before', async () => {
  const before = await reviewed()
  await kit.db.withTx(writeBasePlans)
  await kit.db.withTx(writeBasePlans)
  const { twice, without } = await kit.db.read(tx =>
    tx.one(sql<{ twice: number; without: number }>`
      select count(*) filter (where n > 1)::int as twice, count(*) filter (where n = 0)::int as without from (
        select (select count(*) from risk_plan x where x.product_no = p.product_no and x.loan_kind = k) as n
        from product p, unnest(array['first', 'repeat']) k where p.terms is not null) c`),
  )
  expect([twice, without]).toEqual([0, 0])
  const after = await reviewed()
  expect(before.planVersionNo).toBeNull()
  expect(after.planVersionNo).toBe(`${planNo}-1`)
  const { orderStatus, modelNo, ruleVersions } = before
  expect(after).toMatchObject({ orderStatus, modelNo, ruleVersions })
})

it('may not name what does not exist or does not decide', async () => {
  expect((await draft({ modelNo: 'MD-NOWHERE' })).code).toBe(40001)
  expect((await draft({ modelNo: 'MD-BASE', plannedSets: sets('RS-NOWHERE') })).code).toBe(40001)
  expect((await draft({ modelNo: 'MD-BASE', plannedSets: sets('RS-ADMISSION', 'RS-ADMISSION') })).code).toBe(40001)
  await champion('MD-OTHER')
  expect(await draft({ modelNo: 'MD-OTHER' })).toMatchObject({ code: 0 })
  const refused = await submit()
  expect(refused.code).not.toBe(0)
  expect(refused.msg).toContain('no cut-off in force')
})

it('asks the sets that it names and no other', async () => {
  const { ruleVersions } = await reviewed()
  const named = await kit.db.read(tx =>
    tx.one(sql<{ no: string; versionNo: string }>`
      select rule_set_no as no, version_no from risk_rule_set_version where version_status = 'effective' and version_no = any(${ruleVersions}) order by 1 limit 1`),
  )
  await inForce({ modelNo: 'MD-BASE', plannedSets: sets(named.no) })
  const order = await reviewed()
  expect(order.ruleVersions).toEqual([named.versionNo])
  expect((await kit.db.read(tx => replay(tx, order.decisionNo))).same).toBe(true)
})

it('scores by the model that it names; without a champion of it a person decides', async () => {
  await cutOff('MD-OTHER')
  await inForce({ modelNo: 'MD-OTHER' })
  expect(await reviewed()).toMatchObject({ modelNo: 'MD-OTHER', modelScore: expect.any(Number) })
  await kit.db.withTx(tx => tx.exec(sql`update risk_model set deleted_time = now() where model_no = 'MD-OTHER'`))
  expect(await reviewed()).toMatchObject({ orderStatus: 'to_be_allocated', modelScore: null })
})

it('is chosen from models and sets that decide now, by who reads plans', async () => {
  const offered = async (...perms: string[]) => {
    const limitOf = new Map(perms.map(perm => [perm, 'all']))
    const session = { perms: new Set(perms), limitOf, widest: 'all' } as never
    const lists = (plans.choices ?? []).map(one => kit.db.read(async tx => one.list({ tx, session })))
    return (await Promise.all(lists)).flat().filter(one => one.enabled)
  }
  const values = (await offered('risk:ruleSet:page')).map(one => one.value)
  expect(values).toEqual(expect.arrayContaining(['MD-BASE', 'RS-ADMISSION', 'RS-FRAUD']))
  expect(values).not.toContain('MD-NONE')
  expect(await offered('risk:decision:page')).toEqual([])
})

it('is never switched off by one person while it is in force', async () => {
  const { version } = (await must(riskPlan.detail, { planNo })) as Values
  expect((await ask(riskPlan.state, { planNo, version, enabled: false })).msg).toContain('in force')
})
