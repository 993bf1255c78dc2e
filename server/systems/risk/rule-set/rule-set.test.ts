import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { approvalModule } from '../../../approval/approval.ts'
import type { Worker } from '../../../jobs/queue.ts'
import { silentLog } from '../../../log.ts'
import { noPayout } from '../../../money/no-gateway.ts'
import { jobsOf } from '../../../run.ts'
import { nameOf } from '../../../simulators/people.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { application, send } from '../../../testing/partner.ts'
import { machineReviewModule } from '../../audit/machine-review/machine-review.ts'
import { intakeModule } from '../../order/intake/intake.ts'
import { replay } from './decisions.ts'
import { observed, ruleAt, setAt } from './rule-fixture.ts'
import { ruleSetModule } from './rule-set.ts'
import { writeBaseRules } from './seed.ts'

type Values = Record<string, unknown>
type Answer = { code: number; msg: string; data: Values & { list: Values[] } }
const { ruleSet, common } = contract

const rules = ruleSetModule()
let kit: Kit
let worker: Worker
let maker: Person
let checker: Person
let auditor: Person
let seed = 8100
let named = 0

const ask = async (endpoint: unknown, input: Values, as = maker) =>
  (await kit.call(endpoint as Endpoint, input as never, { as, language: 'en' })) as unknown as Answer
const must = async (endpoint: unknown, input: Values, as = maker) => {
  const answer = await ask(endpoint, input, as)
  expect(answer, answer.msg).toMatchObject({ code: 0 })
  return answer.data
}
const added = async (change: Values = {}) => String((await must(ruleSet.save, setAt(`Set ${++named}`, change))).key)
const newest = async (ruleSetNo: string) =>
  (await must(ruleSet.versions, { ruleSetNo })).list[0] as { versionNo: string; version: number; versionStatus: string }
const submit = async (ruleSetNo: string) => {
  const { versionNo, version } = await newest(ruleSetNo)
  return ask(ruleSet.versionSubmit, { versionNo, version, reason: 'As tried' })
}
const agree = async (ruleSetNo: string) => {
  const { data, msg, code } = await submit(ruleSetNo)
  expect(code, msg).toBe(0)
  await must(common.approve, { approvalNo: data.approvalNo, version: 0 }, checker)
}
const itemOf = async (ruleSetNo: string) =>
  (await must(ruleSet.detail, { ruleSetNo })) as unknown as {
    version: number
    emergencyUntil: string | null
    heldVersion: number
    versionNo: string
  }
const reviewed = async (change: { rooted?: boolean; emulator?: boolean } = {}) => {
  const made = application(++seed)
  const customer = { ...made.customer, monthlyIncome: '900000.00', birthDate: '1992-05-14' }
  const device = { ...made.device, rooted: false, emulator: false, ...change }
  const { orderNo } = (await send(kit, { ...made, customer, device })).data
  await worker.drain()
  const row = await kit.db.read(tx =>
    tx.one(sql<{ orderStatus: string; refuseCode: string | null; decisionNo: string }>`
      select o.order_status, o.refuse_code, d.decision_no from loan_order o join risk_decision d using (order_no) where o.order_no = ${orderNo}`),
  )
  return { orderNo: String(orderNo), ...row }
}

const signIn = async () => {
  const own = [
    'risk:ruleSet:page',
    'risk:ruleSet:save',
    'risk:ruleSet:test',
    'risk:ruleSet:emergency',
    'risk:decision:page',
  ]
  maker = await kit.person({ perms: own, name: 'Maker' })
  checker = await kit.person({ perms: ['risk:ruleSet:page', 'risk:ruleSet:save:check'], name: 'Checker' })
  auditor = await kit.person({ perms: ['risk:decision:page'], name: 'Auditor' })
}
/** A day later; sessions have ended by then. */
const later = async () => {
  kit.clock.advance(25 * 3_600_000)
  await signIn()
}
const fallBack = async () => {
  const job = rules.scheduled?.find(one => one.job === 'ruleSet.fallback')
  await kit.db.withTx(async tx => job?.run(tx, { date: '2026-03-03' }))
}

beforeAll(async () => {
  const payout = { mtn_momo: { ...noPayout, verifyHolder: async (account: string) => ({ name: nameOf(account) }) } }
  const modules = [intakeModule(), machineReviewModule({ payout }), rules, approvalModule([...(rules.approvals ?? [])])]
  kit = await openKit({ handmade: true, modules })
  worker = jobsOf({ db: kit.db, log: silentLog, modules }).worker
  await kit.db.withTx(writeBaseRules)
  await signIn()
})
afterAll(() => kit.close())

it.each([
  ['order.loanKind.matches("a+")', 'Not allowed in rules'],
  ['[1, 2].all(x, x > 1)', 'Not allowed in rules'],
  ['customer.tribe == "x"', 'Unknown fact'],
  ['customer.age', 'yes or no'],
])('risk 4: refuses %s and stores nothing', async (expression, words) => {
  const count = () =>
    kit.db.read(tx => tx.one(sql<{ n: number }>`select count(*)::int as n from risk_rule_set_version`))
  const before = await count()
  const no = await added()
  const { versionNo, version } = await newest(no)
  const refused = await ask(ruleSet.versionSave, {
    ruleSetNo: no,
    versionNo,
    version,
    ...observed({ rules: ruleAt({ expression }) }),
  })
  expect(refused.code).toBe(40001)
  expect(refused.msg).toContain(words)
  expect((await count()).n).toBe(before.n + 1)
  const checked = (await must(ruleSet.check, { expression })) as unknown as { flaw: object | null }
  expect(checked.flaw).not.toBeNull()
})

it('knows rules that cannot be: twice the same, a refusal without a code', async () => {
  const no = await added()
  const { versionNo, version } = await newest(no)
  const save = (rules: unknown) =>
    ask(ruleSet.versionSave, { ruleSetNo: no, versionNo, version, ...observed({ rules }) })
  const [one] = ruleAt()
  expect((await save([one, one])).code).toBe(40001)
  expect((await save([one, { ...one, ruleNo: 'OTHER' }])).code).toBe(40001)
  expect((await save(ruleAt({ ruleAction: 'refuse' }))).code).toBe(40001)
  expect((await save(ruleAt({ ruleAction: 'refuse', refuseCode: 'NO_SUCH' }))).msg).toContain('NO_SUCH')
})

it('risk 7: lets a rule refuse only after it was observed for a day; until then nobody is refused by it', async () => {
  const rule = { ruleNo: 'ROOT', expression: 'device.rooted', ruleAction: 'refuse', refuseCode: 'MR_DEVICE' } as const
  const no = await added({ rules: ruleAt({ ...rule, ruleMode: 'enforce' }) })
  expect((await submit(no)).msg).toContain('24 hours')
  const { versionNo, version } = await newest(no)
  await must(ruleSet.versionSave, { ruleSetNo: no, versionNo, version, ...observed({ rules: ruleAt({ ...rule }) }) })
  await agree(no)
  const shadow = await reviewed({ rooted: true })
  expect(shadow).toMatchObject({ orderStatus: 'to_be_allocated', refuseCode: null })
  const detail = await must(ruleSet.decisionDetail, { decisionNo: shadow.decisionNo })
  expect(detail).toMatchObject({ replays: true, hits: [{ ruleNo: 'ROOT', ruleMode: 'shadow', acts: false }] })
  const enforce = observed({ rules: ruleAt({ ...rule, ruleMode: 'enforce' }) })
  await must(ruleSet.versionSave, { ruleSetNo: no, ...enforce })
  expect((await submit(no)).msg).toContain('24 hours')
  await later()
  await agree(no)
  const refused = await reviewed({ rooted: true })
  expect(refused).toMatchObject({ orderStatus: 'machine_refused', refuseCode: 'MR_DEVICE' })
  for (const { decisionNo } of [shadow, refused])
    expect(await kit.db.read(tx => replay(tx, decisionNo))).toMatchObject({ same: true })
})

it('risk 14: shows an auditor codes and reasons, and neither expressions nor what is only observed', async () => {
  const { decisionNo, orderNo } = await reviewed({ emulator: true, rooted: true })
  const seen = (await must(ruleSet.decisionDetail, { orderNo }, auditor)) as unknown as { hits: Values[] }
  expect(seen.hits.length).toBeGreaterThan(0)
  expect(seen.hits[0]).toMatchObject({ ruleNo: 'MR_DEVICE', refuseCode: 'MR_DEVICE', expression: null })
  expect(seen.hits.every(hit => hit.expression === null)).toBe(true)
  const full = (await must(ruleSet.decisionDetail, { decisionNo })) as unknown as { hits: Values[] }
  expect(full.hits[0]).toMatchObject({ expression: 'device.emulator' })
  const { sets, bandRate, planVersionNo, incompleteWhy, manualAll } = full as unknown as Values & { sets: Values[] }
  expect(sets.length).toBeGreaterThan(0)
  expect(sets.every(one => String(one.versionNo).startsWith('RV'))).toBe(true)
  expect(sets.some(one => one.setHits === 1)).toBe(true)
  expect({ bandRate, planVersionNo, incompleteWhy, manualAll }).toEqual({
    ...{ bandRate: '100', planVersionNo: null, incompleteWhy: null, manualAll: false },
  })
  expect((await ask(ruleSet.page, { pageNum: 1, pageSize: 20 }, auditor)).code).toBe(40301)
})

it('risk 13: sends the hits of a rule to auditors at once; after a day it refuses again, unless a second person keeps it', async () => {
  const refuses = () => reviewed({ emulator: true })
  expect(await refuses()).toMatchObject({ refuseCode: 'MR_DEVICE' })
  const press = async () => {
    const { version } = await itemOf('RS-FRAUD')
    return must(ruleSet.emergency, { ruleSetNo: 'RS-FRAUD', version, ruleNo: 'MR_DEVICE', reason: 'It misfires' })
  }
  await press()
  expect(await refuses()).toMatchObject({ orderStatus: 'to_be_allocated' })
  const { version } = await itemOf('RS-FRAUD')
  expect(
    (await ask(ruleSet.emergency, { ruleSetNo: 'RS-FRAUD', version, ruleNo: 'MR_DEVICE', reason: 'Again' })).code,
  ).not.toBe(0)
  await later()
  await fallBack()
  expect(await refuses()).toMatchObject({ refuseCode: 'MR_DEVICE' })
  await press()
  const held = await itemOf('RS-FRAUD')
  await must(ruleSet.keep, { versionNo: held.versionNo, version: held.heldVersion, reason: 'Agreed' }, checker)
  await later()
  await fallBack()
  expect(await refuses()).toMatchObject({ orderStatus: 'to_be_allocated' })
})

it('tries rules on an order by what was known of it then, and changes nothing', async () => {
  const { orderNo } = await reviewed({ rooted: true })
  const no = 'RS-FRAUD'
  const rules = ruleAt({
    ruleNo: 'TRY',
    expression: 'device.rooted || history.daysSinceSettled > 3',
    ruleAction: 'refuse',
    refuseCode: 'MR_DEVICE',
    ruleMode: 'enforce',
  })
  const tried = await must(ruleSet.tryOn, { orderNo, ruleSetNo: no, rules })
  expect(tried).toMatchObject({
    riskDecision: 'refuse',
    list: [
      { ruleNo: 'TRY', outcome: 'hit', parts: [{ text: 'device.rooted', outcome: 'hit' }, { outcome: 'unknown' }] },
    ],
  })
})

it('does not take a set that is in force out of use by one person', async () => {
  const { version } = await itemOf('RS-HISTORY')
  const refused = await ask(ruleSet.state, { ruleSetNo: 'RS-HISTORY', version, enabled: false })
  expect(refused.msg).toContain('in force')
})

it('answers figures, facts and decisions', async () => {
  const figures = (await must(ruleSet.figures, { ruleSetNo: 'RS-FRAUD' })).list
  expect(figures).toMatchObject([{ ruleNo: 'MR_DEVICE', asked7: expect.any(Number) }, { ruleNo: 'MR_SHARED_DEVICE' }])
  const facts = (await must(ruleSet.factList, {})).list
  expect(facts.find(one => one.fact === 'history.daysSinceSettled')).toMatchObject({ missingShare: '100.00' })
  const page = await must(ruleSet.decisions, { pageNum: 1, pageSize: 20, ruleNo: 'MR_DEVICE' })
  expect(page.list.length).toBeGreaterThan(2)
})
